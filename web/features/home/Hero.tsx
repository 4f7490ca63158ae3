import type { User } from '@keepsnap/contract/accounts.ts'
import { Monitor } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { lazyComponent, LazyPart } from '../../lib/lazy-component.tsx'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { ExampleSlideshow } from './ExampleSlideshow.tsx'
import { home } from '../../messages/en/home.ts'

// A chunk of its own: visitors do not need it.
const Greeting = lazyComponent('Greeting', () => import('./Greeting.tsx'))

/** `user` is null while it is being fetched, undefined for a visitor. */
export function Hero({ user }: { user: User | null | undefined }) {
  return (
    <section className="wrap hero">
      {user === undefined ? (
        <Invitation />
      ) : (
        <LazyPart fallback={<div className="hero__text hero__text--waiting" />}>
          <Greeting user={user} />
        </LazyPart>
      )}
      <ExampleSlideshow />
    </section>
  )
}

function Invitation() {
  const text = useText({ home })
  return (
    <div className="hero__text">
      <PageHeading>{text.heading}</PageHeading>
      <p className="lead">{text.lead}</p>
      <div className="row hero__actions">
        <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.register}>
          {text.getStarted}
        </Link>
        <Link className={buttonClass({ tone: 'ghost', large: true })} to={paths.demoScreen}>
          <Monitor className="icon" />
          {text.seeMore}
        </Link>
      </div>
    </div>
  )
}
