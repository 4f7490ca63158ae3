import { Hero } from '../features/home/Hero.tsx'
import { Tiles } from '../features/home/Tiles.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { lazyComponent, LazyPart } from '../lib/lazy-component.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { home } from '../messages/en/home.ts'
import '../features/home/home.css'

// A chunk of its own: it is below what the first screen shows.
const HomePlans = lazyComponent('HomePlans', () => import('./HomePlans.tsx'))

export function HomePage() {
  const current = useCurrentUser()
  const { title } = useText({ home })
  usePageTitle(title)
  return (
    <>
      <Hero user={current.state === 'signed-out' ? undefined : current.user} />
      <Tiles />
      <section className="wrap plans-section" id="pricing" aria-labelledby="plans-heading">
        <LazyPart>
          <HomePlans headingId="plans-heading" />
        </LazyPart>
      </section>
    </>
  )
}
