import { lazy, Suspense, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { matchPath, Navigate, Route, Routes, useLocation } from 'react-router'
import { Footer } from '../features/frame/Footer.tsx'
import { SignedInNav, SignedOutNav } from '../features/frame/Nav.tsx'
import { MailNotice } from '../features/frame/MailNotice.tsx'
import { useOpenReports } from '../features/reports/open-reports.ts'
import { SignedInOnly, SignedOutOnly } from '../features/session/gates.tsx'
import { useSignOut } from '../features/session/useSignOut.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { paths } from '../lib/paths.ts'
import type { Look, Screen } from '../lib/screens.ts'
import { useScrollPlaces } from '../lib/scroll.ts'
import { Boundary } from '../ui/Boundary.tsx'
import { Loading } from '../ui/Loading.tsx'
import { ArrivalContext, createArrival, type Arrival } from '../ui/PageHeading.tsx'
import { ToastsProvider } from '../ui/Toasts.tsx'
import { BrokenPage } from './BrokenPage.tsx'
import { frame } from '../messages/en/frame.ts'

interface Props {
  screens: readonly Screen[]
  /** For admins, in the bar: the state of the live connection. */
  indicator?: ReactNode
}

const NotFoundPage = lazy(async () => ({ default: (await import('./NotFoundPage.tsx')).NotFoundPage }))
const plain: Look = { className: 'lost-page' }

/** What stands around every page, and the choice of the page. */
export function Frame({ screens, indicator }: Props) {
  const { pathname } = useLocation()
  const text = useText({ frame })
  const arrival = useArrival(pathname)
  const look = screens.find(({ path }) => matchPath({ path, caseSensitive: true }, pathname))?.look ?? plain
  useScrollPlaces()
  return (
    <ArrivalContext value={arrival}>
      <ToastsProvider place={look.stage ? 'top-left' : 'bottom-right'}>
        <div className={`frame ${look.className}`}>
          <a className="skip" href="#main">
            {text.skip}
          </a>
          <Top screens={screens} look={look} indicator={indicator} />
          {!look.stage && <Notices />}
          <main id="main" tabIndex={-1}>
            <Boundary fallback={<BrokenPage />} resetOn={pathname}>
              <Suspense fallback={<Loading />}>
                <Pages screens={screens} />
              </Suspense>
            </Boundary>
          </main>
          {!look.stage && <Footer known={pathsOf(screens)} />}
        </div>
      </ToastsProvider>
    </ArrivalContext>
  )
}

function Top({ screens, look, indicator }: Props & { look: Look }) {
  const who = useCurrentUser()
  const signOut = useSignOut()
  const reported = useOpenReports()
  const known = pathsOf(screens)
  if (who.state === 'out') return <SignedOutNav known={known} />
  return (
    <SignedInNav
      user={who.user}
      known={known}
      onSignOut={() => void signOut()}
      reported={reported}
      indicator={who.user?.is_admin && indicator}
      {...(look.stage && { className: 'nav--stage' })}
    />
  )
}

/** What an operator should know, on every page but the big screen. */
function Notices() {
  return useCurrentUser().user?.is_admin ? <MailNotice /> : null
}

function Pages({ screens }: { screens: readonly Screen[] }) {
  return (
    <Routes>
      {screens.map((screen) => (
        <Route key={screen.path} path={screen.path} caseSensitive element={<Gated {...screen} />} />
      ))}
      <Route path={paths.photos} element={<Navigate to={paths.latest} replace />} />
      <Route path="*" element={<NotFoundPage known={pathsOf(screens)} />} />
    </Routes>
  )
}

function Gated({ access, Page }: Screen) {
  if (access === 'signed-in') {
    return (
      <SignedInOnly>
        <Page />
      </SignedInOnly>
    )
  }
  if (access === 'anyone') return <Page />
  return (
    <SignedOutOnly then={access === 'signed-out-back' ? 'back' : 'home'}>
      <Page />
    </SignedOutOnly>
  )
}

const pathsOf = (screens: readonly Screen[]): string[] => screens.map(({ path }) => path)

/** Tells the next page's heading to take the focus; set before that heading's own effect runs. */
function useArrival(pathname: string): Arrival {
  const [arrival] = useState(createArrival)
  const last = useRef(pathname)
  useLayoutEffect(() => {
    if (last.current !== pathname) arrival.expect()
    last.current = pathname
  }, [arrival, pathname])
  return arrival
}
