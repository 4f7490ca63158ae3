import { Menu as MenuIcon } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, matchPath, Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { signOut } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import { useApi, useCurrentUser, useSession, useTheme } from '../../lib/app-services.tsx'
import { themeChoices } from '../../lib/theme.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { frame, states } from '../../messages/en/frame.ts'
import { LanguageLinks } from '../../ui/LanguageLinks.tsx'
import { type PageLayout, type PageRoute, paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { useOpenReportCount } from '../guests/open-reports.ts'
import { RequireSignedIn, RequireSignedOut } from '../accounts/guards.tsx'
import { applyAccountLanguage } from '../../lib/language-choice.ts'
import { lazyComponent, LazyPart } from '../../lib/lazy-component.tsx'
import { createHeadingFocus, type HeadingFocus, HeadingFocusContext, usePageTitle } from '../../ui/PageHeading.tsx'
import { isChunkError, reloadLater } from '../../lib/reload.ts'
import { useScrollRestoration } from '../../lib/viewport.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { ErrorState, Loading } from '../../ui/QueryView.tsx'
import { ToastsProvider } from '../../ui/Toasts.tsx'
import { navItems, NavLinks } from './NavLinks.tsx'
import { siteInfoQuery } from './site-info.ts'

const ReportNotices = lazyComponent('ReportNotices', () => import('../guests/ReportNotice.tsx'))
const NotFoundPage = lazyComponent('NotFoundPage', () => import('./NotFoundPage.tsx'))
// A chunk of its own: visitors do not need it.
const Notices = lazyComponent('Notices', () => import('./Notices.tsx'))
// Loaded after the first paint of the page, which matters more.
const CookieConsent = lazy(async () => {
  await new Promise((painted) => setTimeout(painted, consentDelayMs))
  return { default: (await import('./CookieConsent.tsx')).CookieConsent }
})
const consentDelayMs = 100
/** The server renders the page for visitors whose answer it does not know. */
const isBrowser = typeof window !== 'undefined'
/** These show the reports themselves; on the review, which is done in a hurry, a notice would cover its buttons. */
const pagesWithReports = new Set<string | undefined>([paths.photoRequests, paths.latest, paths.eventReview])
const notFoundLayout: PageLayout = { className: 'not-found-page' }

interface Props {
  routes: readonly PageRoute[]
  /** Shows admins the state of the live connection, in the navigation bar. */
  indicator?: ReactNode
}

/** Navigation, footer and toasts around the page of the current URL. */
export function Frame({ routes, indicator }: Props) {
  const { pathname } = useLocation()
  const text = useText({ frame })
  const headingFocus = useHeadingFocus(pathname)
  const route = routes.find(({ path }) => matchPath({ path, caseSensitive: true }, pathname))
  const layout = route?.layout ?? notFoundLayout
  const isSignedIn = useCurrentUser().state !== 'signed-out'
  const [cookieSettingsOpen, setCookieSettingsOpen] = useState(false)
  // Nothing is asked or counted on the big screen and on a bare page, which load less without it. It stays to stop a count that has begun.
  const isQuiet = layout.bigScreen === true || layout.bare === true
  const [needsConsent, setNeedsConsent] = useState(!isQuiet)
  if (!needsConsent && !isQuiet) setNeedsConsent(true)
  useScrollRestoration()
  useAccountLanguage()
  return (
    <HeadingFocusContext value={headingFocus}>
      <ToastsProvider position={layout.bigScreen ? 'top-left' : 'bottom-right'}>
        <div className={`frame ${layout.className}`}>
          <a className="skip-link" href="#main">
            {text.skip}
          </a>
          <Suspense>
            {isBrowser && needsConsent && (
              <CookieConsent route={route} settingsOpen={cookieSettingsOpen} onSettingsOpen={setCookieSettingsOpen} />
            )}
          </Suspense>
          {!layout.bare && <Navigation routes={routes} layout={layout} indicator={indicator} />}
          {!isQuiet && isSignedIn && <UserNotices />}
          <main id="main" tabIndex={-1}>
            <ErrorBoundary
              renderFallback={(error) => <ErrorPage error={error} isScreen={layout.bigScreen === true} />}
              resetOn={pathname}
            >
              <LazyPart fallback={<Loading />}>
                <Pages routes={routes} />
              </LazyPart>
            </ErrorBoundary>
          </main>
          {!isQuiet && (
            // Another one on each page: that of a long page would move up to that of a short one.
            <Footer
              key={pathname}
              availablePaths={pathsOf(routes)}
              onCookieSettings={() => setCookieSettingsOpen(true)}
            />
          )}
          {!layout.bare && !pagesWithReports.has(route?.path) && <OpenReports />}
        </div>
      </ToastsProvider>
    </HeadingFocusContext>
  )
}

// For signed-in users only.
const AccountMenu = lazy(async () => ({ default: (await import('./AccountMenu.tsx')).AccountMenu }))

// Only for accounts that have events.
const EventSwitcher = lazy(async () => ({ default: (await import('../events/EventSwitcher.tsx')).EventSwitcher }))

/** The navigation bar, and for signed-in users the tab bar that replaces its links on phones. */
function Navigation({ routes, layout, indicator }: Props & { layout: PageLayout }) {
  const text = useText({ frame })
  const { state, user } = useCurrentUser()
  const signOut = useSignOut()
  const openReports = useOpenReportCount()
  const availablePaths = pathsOf(routes)
  const bigScreen = layout.bigScreen ? 'nav--big-screen' : ''
  if (state === 'signed-out')
    return (
      <header className={`nav nav--signed-out ${bigScreen}`}>
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
  const items = navItems('signedIn', availablePaths)
  return (
    <>
      <header className={`nav nav--signed-in ${bigScreen}`}>
        <div className="wrap nav__content">
          <HomeLink />
          {user?.current_event_id !== undefined && (
            <Suspense>
              <EventSwitcher user={user} onScreen={layout.bigScreen === true} />
            </Suspense>
          )}
          <nav className="nav__links" aria-label={text.mainNavigation}>
            <NavLinks items={items} />
          </nav>
          {user?.is_admin && indicator}
          <Menu
            label={openReports > 0 ? text.accountMenuReports(openReports) : text.accountMenu}
            icon={<Avatar name={user?.username} marked={openReports > 0} />}
          >
            <Suspense>
              <AccountMenu
                user={user}
                availablePaths={availablePaths}
                openReports={openReports}
                onSignOut={() => void signOut()}
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

const signOutTimeoutMs = 3_000

/** Ends the session in this browser even if the server does not respond: signing out on a shared device must work. */
function useSignOut(): () => Promise<void> {
  const api = useApi()
  const session = useSession()
  const navigate = useNavigate()
  return async () => {
    // Other calls may be refused before this one has returned.
    await session.whileReplacing(async () => {
      await api.call(signOut, {}, { timeoutMs: signOutTimeoutMs }).catch(() => {})
      session.end('signed-out')
    })
    await navigate(paths.login)
  }
}

const longestNoticesWaitMs = 1_000

/**
 * While notices are pending, the page loads but stays hidden (components.css), because a late notice would shift it;
 * for a second at most.
 */
function UserNotices() {
  const { user } = useCurrentUser()
  const [isWaitOver, setIsWaitOver] = useState(false)
  useEffect(() => {
    const waitTimer = setTimeout(() => setIsWaitOver(true), longestNoticesWaitMs)
    return () => clearTimeout(waitTimer)
  }, [])
  return (
    <div data-wait-over={isWaitOver || undefined}>
      {user ? (
        <LazyPart fallback={<span hidden data-notices-pending />}>
          <Notices user={user} />
        </LazyPart>
      ) : (
        <span hidden data-notices-pending />
      )}
    </div>
  )
}

function OpenReports() {
  const { user } = useCurrentUser()
  const count = useOpenReportCount()
  if (!user || count === 0) return null
  return (
    <LazyPart>
      <ReportNotices key={user.id} userId={user.id} />
    </LazyPart>
  )
}

function Pages({ routes }: { routes: readonly PageRoute[] }) {
  return (
    <Routes>
      {routes.map((route) => (
        <Route key={route.path} path={route.path} caseSensitive element={<GuardedPage {...route} />} />
      ))}
      <Route path={paths.photos} element={<Navigate to={paths.latest} replace />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}

function GuardedPage({ access, Page }: PageRoute) {
  if (access === 'signed-in') {
    return (
      <RequireSignedIn>
        <Page />
      </RequireSignedIn>
    )
  }
  if (access === 'anyone') return <Page />
  return (
    <RequireSignedOut redirectTo={access === 'signed-out-return' ? 'return path' : 'home'}>
      <Page />
    </RequireSignedOut>
  )
}

/** Replaces a page that threw an exception or could not be loaded. Where nobody may be there to press the button, it reloads itself. */
function ErrorPage({ error, isScreen }: { error: unknown; isScreen: boolean }) {
  const { pageError, unreachable } = useText({ states })
  const api = useApi()
  const isUnloaded = isChunkError(error)
  const [heading, lead] = isUnloaded
    ? [unreachable.heading, unreachable.retries]
    : [pageError.heading, isScreen ? pageError.reloads : pageError.lead]
  usePageTitle(heading)
  useEffect(() => {
    if (!isScreen && !isUnloaded) return
    const shown = new AbortController()
    void reloadLater(window, api, shown.signal)
    return () => shown.abort()
  }, [api, isScreen, isUnloaded])
  return (
    <ErrorState sentence={heading} hint={lead}>
      <Button tone="primary" large onClick={() => window.location.reload()}>
        {pageError.reload}
      </Button>
    </ErrorState>
  )
}

interface FooterProps {
  availablePaths: readonly string[]
  onCookieSettings: () => void
}

function Footer({ availablePaths, onCookieSettings }: FooterProps) {
  const text = useText({ frame })
  const [theme, chooseTheme] = useTheme()
  const { data: site } = useQuery(siteInfoQuery(useApi()))
  // Contracts are made only where plans are sold.
  const shownPaths = availablePaths.filter((path) => site?.payments !== 'off' || path !== paths.withdraw)
  return (
    <footer className="footer">
      <div className="wrap footer__content">
        <nav aria-label={text.footerNavigation}>
          <NavLinks items={navItems('footer', shownPaths)} />
          <button type="button" onClick={onCookieSettings}>
            {text.cookieSettings}
          </button>
        </nav>
        <LanguageLinks />
        <SegmentedControl
          legend={text.theme}
          value={theme}
          options={themeChoices.map((value) => ({ value, label: text.themes[value] }))}
          onChange={chooseTheme}
        />
      </div>
    </footer>
  )
}

/** Shows the app in the language of the account, on a device where none was chosen. */
function useAccountLanguage(): void {
  const { user } = useCurrentUser()
  const language = user?.language ?? null
  useEffect(() => applyAccountLanguage(window, language), [language])
}

const pathsOf = (routes: readonly PageRoute[]): string[] => routes.map(({ path }) => path)

/** Requests the focus for the heading of the next page, before the effects of that heading run. */
function useHeadingFocus(pathname: string): HeadingFocus {
  const [headingFocus] = useState(createHeadingFocus)
  const lastPathname = useRef(pathname)
  useLayoutEffect(() => {
    if (lastPathname.current !== pathname) headingFocus.request()
    lastPathname.current = pathname
  }, [headingFocus, pathname])
  return headingFocus
}
