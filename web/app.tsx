import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import type { AppState } from './app-state.ts'
import { LiveContext } from './features/live/live-context.ts'
import { UploadsContext } from './features/photos/uploads-context.ts'
import { AppServicesProvider, useCurrentUser, useSessionState } from './lib/app-services.tsx'
import { LanguageProvider, type LocaleData } from './lib/i18n.tsx'
import type { PageRoute } from './lib/paths.ts'
import { Frame } from './features/site/Frame.tsx'
import type { SessionServices } from './session-services.ts'

interface Props {
  state: AppState
  language: LocaleData
  routes: readonly PageRoute[]
  /** BrowserRouter, or the router of a test. */
  Router: ComponentType<{ children: ReactNode }>
  /** Shows admins the state of the live connection, in the navigation bar. */
  indicator?: ReactNode
}

export function App({ state, language, routes, Router, indicator }: Props) {
  return (
    <LanguageProvider language={language}>
      <AppServicesProvider services={state}>
        <QueryClientProvider client={state.queryClient}>
          <SessionServicesProvider state={state}>
            <Router>
              <Frame routes={routes} indicator={indicator} />
            </Router>
          </SessionServicesProvider>
        </QueryClientProvider>
      </AppServicesProvider>
    </LanguageProvider>
  )
}

/** Provides the live connection and the uploads to the pages, as soon as a user is signed in. */
function SessionServicesProvider({ state, children }: { state: AppState; children: ReactNode }) {
  const [services, setServices] = useState<SessionServices | null>(null)
  const signedIn = useSessionState().token !== null
  useEffect(() => {
    if (!signedIn || services) return
    let isCancelled = false
    // When this chunk fails to load, main.tsx reloads the page.
    void import('./session-services.ts').then(
      ({ createSessionServices }) => !isCancelled && setServices(createSessionServices(state, window)),
    )
    return () => {
      isCancelled = true
    }
  }, [signedIn, services, state])
  useSessionServices(services)
  return (
    <LiveContext value={services?.live ?? null}>
      <UploadsContext value={services?.uploads ?? null}>{children}</UploadsContext>
    </LiveContext>
  )
}

/** Runs the services for the current user; stops them on sign-out. */
function useSessionServices(services: SessionServices | null): void {
  const { state, user } = useCurrentUser()
  const userId = user?.id
  useEffect(() => {
    if (!services) return
    if (userId !== undefined) services.start(userId)
    else if (state === 'signed-out') services.stop()
  }, [services, state, userId])
  useEffect(() => () => services?.stop(), [services])
}
