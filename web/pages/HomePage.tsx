import { Link } from 'react-router'
import { PlanComparison } from '../features/plans/PlanComparison.tsx'
import { Hero } from '../features/home/Hero.tsx'
import { Tiles } from '../features/home/Tiles.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { paths } from '../lib/paths.ts'
import { home } from '../messages/en/home.ts'
import { pricing } from '../messages/en/pricing.ts'
import { buttonClass } from '../ui/Button.tsx'
import '../features/home/home.css'

export function HomePage() {
  const current = useCurrentUser()
  const text = useText({ pricing })
  const { title } = useText({ home })
  usePageTitle(title)
  const isVisitor = current.state === 'signed-out'
  return (
    <>
      <Hero user={isVisitor ? undefined : current.user} />
      <Tiles />
      <section className="wrap plans-section" id="pricing" aria-labelledby="plans-heading">
        <PlanComparison
          headingId="plans-heading"
          renderAction={(_, recommended) =>
            isVisitor && (
              <Link
                className={buttonClass({ tone: recommended ? 'primary' : 'quiet', block: true })}
                to={paths.register}
              >
                {text.getStarted}
              </Link>
            )
          }
        />
        {isVisitor && <p className="plans-note small muted">{text.startsFree}</p>}
      </section>
    </>
  )
}
