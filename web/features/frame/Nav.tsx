import { LogOut, Menu as MenuIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { User } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { PlaceLinks } from './PlaceLinks.tsx'
import { placesOf } from './places.ts'
import { frame } from '../../messages/en/frame.ts'

interface Props {
  /** Null while it is not known yet who is signed in. */
  user: User | null
  /** Paths that have a page. */
  known: readonly string[]
  onSignOut: () => void
  /** Photos that guests reported and nobody has decided about. */
  reported?: number
  /** Stands before the account menu, such as the state of the live connection. */
  indicator?: ReactNode
  className?: string
}

/** The bar above every page of a signed-in person, and the bar of tabs that replaces its links on phones. */
export function SignedInNav({ user, known, onSignOut, reported = 0, indicator, className = '' }: Props) {
  const text = useText({ frame })
  const places = placesOf('signedIn', known)
  return (
    <>
      <header className={`nav nav--in ${className}`}>
        <div className="wrap nav__in">
          <HomeLink />
          <nav className="nav__links" aria-label={text.mainNavigation}>
            <PlaceLinks places={places} />
          </nav>
          {indicator}
          <Menu
            label={reported > 0 ? text.accountMenuReports(reported) : text.accountMenu}
            face={<Avatar name={user?.username} marked={reported > 0} />}
          >
            {user && <Who user={user} />}
            <PlaceLinks
              places={placesOf('account', known)}
              pictured
              asides={{ photoRequests: reported > 0 && <Reported count={reported} /> }}
            />
            <button type="button" onClick={onSignOut}>
              <LogOut className="i" />
              {text.signOut}
            </button>
          </Menu>
        </div>
      </header>
      {places.length > 0 && (
        <nav className="tabs-bottom" aria-label={text.phoneNavigation}>
          <PlaceLinks places={places} pictured />
        </nav>
      )}
    </>
  )
}

export function SignedOutNav({ known }: { known: readonly string[] }) {
  const text = useText({ frame })
  return (
    <header className="nav nav--out">
      <div className="wrap nav__in">
        <HomeLink />
        <nav className="nav__links" aria-label={text.mainNavigation}>
          <PlaceLinks places={placesOf('signedOut', known)} />
        </nav>
        <Link className={`${buttonClass({})} btn--signin`} to={paths.login}>
          {text.links.login}
        </Link>
        <div className="nav__menu-phone">
          <Menu label={text.menu} face={<MenuIcon className="i" />}>
            <PlaceLinks places={placesOf('signedOutPhone', known)} pictured />
          </Menu>
        </div>
      </div>
    </header>
  )
}

function HomeLink() {
  return (
    <Link className="logo" to={paths.home}>
      <Logo />
    </Link>
  )
}

/** The initial of the username, or U. */
function Avatar({ name, marked }: { name: string | undefined; marked: boolean }) {
  const [initial = 'U'] = name?.trim() ?? ''
  return (
    <span className={marked ? 'avatar avatar--marked' : 'avatar'} aria-hidden="true" translate="no">
      {initial.toUpperCase()}
    </span>
  )
}

function Reported({ count }: { count: number }) {
  const text = useText({ frame })
  return (
    <span className="badge badge--bad num menu__count">
      <span aria-hidden="true">{count}</span>
      <span className="sr">{text.reported(count)}</span>
    </span>
  )
}

function Who({ user }: { user: User }) {
  const text = useText({ frame })
  return (
    <p className="menu__who">
      <b translate="no">{user.username}</b>
      <span className="muted">{user.subscription_tier === 'pro' ? text.proPlan : text.freePlan}</span>
    </p>
  )
}
