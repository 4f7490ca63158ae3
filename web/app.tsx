import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { isPassing } from './lib/answers.ts'
import { createApi } from './lib/api.ts'
import { LanguageProvider } from './lib/i18n.tsx'
import type { Language } from './lib/locales.ts'
import { PartsProvider, type Parts } from './lib/parts.tsx'
import type { Screen } from './lib/screens.ts'
import { createSession } from './lib/session.ts'
import { openStorage } from './lib/storage.ts'
import { createTheme } from './lib/theme.ts'
import { Frame } from './pages/Frame.tsx'
import { RoomProvider } from './RoomProvider.tsx'

/** Everything that lives as long as the page does. */
export interface AppState extends Parts {
  queries: QueryClient
}

/** `apiOrigin` is where the server is; `retries` how often a question that got no answer is asked again. */
export function createAppState({
  page,
  apiOrigin,
  retries = 2,
}: {
  page: Window
  apiOrigin: string
  retries?: number
}): AppState {
  const storage = openStorage(() => page.localStorage)
  const session = createSession(storage, page)
  const queries = createQueries(retries)
  let token = session.state().token
  session.subscribe(({ samePerson }) => {
    const before = token
    token = session.state().token
    // Nothing of one person may be shown to the next.
    if (token === null) queries.clear()
    else if (samePerson) void queries.invalidateQueries()
    else if (before !== null && before !== token) void queries.resetQueries()
  })
  return { session, api: createApi(apiOrigin, session), theme: createTheme(storage, page), queries }
}

function createQueries(retries: number): QueryClient {
  // `always`: browsers report "offline" on a booth's network without internet, where our server answers all the same.
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: (failed, error) => failed < retries && isPassing(error) },
      mutations: { networkMode: 'always' },
    },
  })
}

interface Props {
  state: AppState
  language: Language
  screens: readonly Screen[]
  /** BrowserRouter, or a router of a test's own. */
  Router: ComponentType<{ children: ReactNode }>
  /** For admins, in the bar: the state of the live connection. */
  indicator?: ReactNode
}

export function App({ state, language, screens, Router, indicator }: Props) {
  return (
    <LanguageProvider language={language}>
      <PartsProvider parts={state}>
        <QueryClientProvider client={state.queries}>
          <RoomProvider state={state}>
            <Router>
              <Frame screens={screens} indicator={indicator} />
            </Router>
          </RoomProvider>
        </QueryClientProvider>
      </PartsProvider>
    </LanguageProvider>
  )
}
