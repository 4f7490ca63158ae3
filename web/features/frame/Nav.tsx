import type { User } from '@keepsnap/contract/accounts.ts'
import { Menu as MenuIcon } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { frame } from '../../messages/en/frame.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { navItems } from './nav-items.ts'
import { NavLinks } from './NavLinks.tsx'

// For signed-in users only.
const AccountMenu = lazy(async () => ({ default: (await import('./AccountMenu.tsx')).AccountMenu }))

interface Props {
  /** Null while the user is being loaded. */
  user: User | null
  /** The paths of the pages that exist. */
  availablePaths: readonly string[]
  onSignOut: () => void
  /** Number of reported photos that need a review. */
  openReports?: number
  /** Content before the account menu, such as the state of the live connection. */
  indicator?: ReactNode
  className?: string
}

/** The navigation bar of signed-in users, and the tab bar that replaces its links on phones. */
export function SignedInNav({ user, availablePaths, onSignOut, openReports = 0, indicator, className = '' }: Props) {
  const text = useText({ frame })
  const items = navItems('signedIn', availablePaths)
  return (
    <>
      <header className={`nav nav--signed-in ${className}`}>
        <div className="wrap nav__content">
          <HomeLink />
          <nav className="nav__links" aria-label={text.mainNavigation}>
            <NavLinks items={items} />
          </nav>
          {indicator}
          <Menu
            label={openReports > 0 ? text.accountMenuReports(openReports) : text.accountMenu}
            icon={<Avatar name={user?.username} marked={openReports > 0} />}
          >
            <Suspense>
              <AccountMenu
                user={user}
                availablePaths={availablePaths}
                openReports={openReports}
                onSignOut={onSignOut}
              />
            </Suspense>
          </Menu>
        </div>
      </header>
      {items.length > 0 && (
        <nav className="bottom-tabs" aria-label={text.phoneNavigation}>
          <NavLinks items={items} withIcons />
        </nav>
      )}
    </>
  )
}

export function SignedOutNav({ availablePaths, className = '' }: Pick<Props, 'availablePaths' | 'className'>) {
  const text = useText({ frame })
  return (
    <header className={`nav nav--signed-out ${className}`}>
      <div className="wrap nav__content">
        <HomeLink />
        <nav className="nav__links" aria-label={text.mainNavigation}>
          <NavLinks items={navItems('signedOut', availablePaths)} />
        </nav>
        <Link className={`${buttonClass({})} btn--signin`} to={paths.login}>
          {text.links.login}
        </Link>
        <div className="nav__menu-phone">
          <Menu label={text.menu} icon={<MenuIcon className="icon" />}>
            <NavLinks items={navItems('signedOutPhone', availablePaths)} withIcons />
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

/** The first letter of the username, or U. */
function Avatar({ name, marked }: { name: string | undefined; marked: boolean }) {
  const [initial = 'U'] = name?.trim() ?? ''
  return (
    <span className={marked ? 'avatar avatar--marked' : 'avatar'} aria-hidden="true" translate="no">
      {initial.toUpperCase()}
    </span>
  )
}
