import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { matchPath, Navigate, Route, Routes, useLocation } from 'react-router'
import { Footer } from '../features/frame/Footer.tsx'
import { SignedInNav, SignedOutNav } from '../features/frame/Nav.tsx'
import { NoticesPending } from '../features/frame/NoticesPending.tsx'
import { useOpenReportCount } from '../features/reports/open-reports.ts'
import { RequireSignedIn, RequireSignedOut } from '../features/session/guards.tsx'
import { useSignOut } from '../features/session/useSignOut.ts'
import { useApi } from '../lib/app-services.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { applyAccountLanguage } from '../lib/language-choice.ts'
import { lazyComponent, LazyPart } from '../lib/lazy-component.tsx'
import type { PageLayout, PageRoute } from '../lib/page-route.ts'
import { usePageTitle } from '../lib/page-title.ts'
import { paths } from '../lib/paths.ts'
import { reloadLater } from '../lib/reload-later.ts'
import { isChunkError } from '../lib/reload-missing-chunks.ts'
import { useScrollRestoration } from '../lib/scroll-restoration.ts'
import { frame } from '../messages/en/frame.ts'
import { states } from '../messages/en/states.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { Loading } from '../ui/Loading.tsx'
import { createHeadingFocus, type HeadingFocus, HeadingFocusContext } from '../ui/PageHeading.tsx'
import { ErrorState } from '../ui/State.tsx'
import { ToastsProvider } from '../ui/Toasts.tsx'

interface Props {
  routes: readonly PageRoute[]
  /** Shows admins the state of the live connection, in the navigation bar. */
  indicator?: ReactNode
}

const ReportNotices = lazyComponent('ReportNotices', () => import('./ReportNotices.tsx'))
const NotFoundPage = lazyComponent('NotFoundPage', () => import('./NotFoundPage.tsx'))
// A chunk of its own: visitors do not need it.
const Notices = lazyComponent('Notices', () => import('./Notices.tsx'))
// Loaded after the first paint of the page, which matters more.
const CookieConsent = lazy(async () => {
  await new Promise((painted) => setTimeout(painted, consentDelayMs))
  return { default: (await import('../features/cookies/CookieConsent.tsx')).CookieConsent }
})
const consentDelayMs = 100
/** The server renders the page for visitors whose answer it does not know. */
const isBrowser = typeof window !== 'undefined'
/** These show the reports themselves. */
const pagesWithReports = new Set<string | undefined>([paths.photoRequests, paths.latest])
const notFoundLayout: PageLayout = { className: 'not-found-page' }

/** Navigation, footer and toasts around the page of the current URL. */
export function Frame({ routes, indicator }: Props) {
  const { pathname } = useLocation()
  const text = useText({ frame })
  const headingFocus = useHeadingFocus(pathname)
  const route = routes.find(({ path }) => matchPath({ path, caseSensitive: true }, pathname))
  const layout = route?.layout ?? notFoundLayout
  const isSignedIn = useCurrentUser().state !== 'signed-out'
  const [cookieSettingsOpen, setCookieSettingsOpen] = useState(false)
  // Nothing is asked or counted on the big screen, which loads less without it. It stays to stop a count that has begun.
  const [needsConsent, setNeedsConsent] = useState(!layout.bigScreen)
  if (!needsConsent && !layout.bigScreen) setNeedsConsent(true)
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
          <Navigation routes={routes} layout={layout} indicator={indicator} />
          {!layout.bigScreen && isSignedIn && <UserNotices />}
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
          {!layout.bigScreen && (
            // Another one on each page: that of a long page would move up to that of a short one.
            <Footer
              key={pathname}
              availablePaths={pathsOf(routes)}
              onCookieSettings={() => setCookieSettingsOpen(true)}
            />
          )}
          {!pagesWithReports.has(route?.path) && <OpenReports />}
        </div>
      </ToastsProvider>
    </HeadingFocusContext>
  )
}

function Navigation({ routes, layout, indicator }: Props & { layout: PageLayout }) {
  const { state, user } = useCurrentUser()
  const signOut = useSignOut()
  const openReports = useOpenReportCount()
  const availablePaths = pathsOf(routes)
  const bigScreen = layout.bigScreen && { className: 'nav--big-screen' }
  if (state === 'signed-out') return <SignedOutNav availablePaths={availablePaths} {...bigScreen} />
  return (
    <SignedInNav
      user={user}
      availablePaths={availablePaths}
      onSignOut={() => void signOut()}
      openReports={openReports}
      indicator={user?.is_admin && indicator}
      {...bigScreen}
    />
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
        <LazyPart fallback={<NoticesPending />}>
          <Notices user={user} />
        </LazyPart>
      ) : (
        <NoticesPending />
      )}
    </div>
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
