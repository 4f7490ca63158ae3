import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import type { AppState } from './app-state.ts'
import { AppServicesProvider } from './lib/app-services.tsx'
import { LanguageProvider, type LocaleData } from './lib/i18n.tsx'
import type { PageRoute } from './lib/page-route.ts'
import { Frame } from './pages/Frame.tsx'
import { SessionServicesProvider } from './SessionServicesProvider.tsx'

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
