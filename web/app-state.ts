import { QueryClient } from '@tanstack/react-query'
import { isTransient } from './lib/api-errors.ts'
import { createApi, type TranslateSentence } from './lib/api.ts'
import type { AppServices } from './lib/app-services.tsx'
import { createSession } from './lib/session.ts'
import { openStorage } from './lib/storage.ts'
import { createTheme } from './lib/theme.ts'

/** Everything that lives as long as the page does. */
export interface AppState extends AppServices {
  queryClient: QueryClient
}

interface AppStateOptions {
  page: Window
  /** Where the server is. */
  apiOrigin: string
  /** Translates the server's sentences; left out in English. */
  translate?: TranslateSentence
  /** How often a query that failed for a moment is repeated. */
  queryRetries?: number
}

export function createAppState({ page, apiOrigin, translate, queryRetries = 2 }: AppStateOptions): AppState {
  const storage = openStorage(() => page.localStorage)
  const session = createSession(storage, page)
  const queryClient = createQueryClient(queryRetries)
  let token = session.state().token
  session.subscribe(({ sameUser }) => {
    const previousToken = token
    token = session.state().token
    // No user may see cached data of another.
    if (token === null) queryClient.clear()
    else if (sameUser) void queryClient.invalidateQueries()
    else if (previousToken !== null && previousToken !== token) void queryClient.resetQueries()
  })
  return { session, api: createApi(apiOrigin, session, translate), theme: createTheme(storage, page), queryClient }
}

function createQueryClient(queryRetries: number): QueryClient {
  // `always`: on a local network without internet, browsers report "offline" although they can reach the server.
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: (failures, error) => failures < queryRetries && isTransient(error) },
      mutations: { networkMode: 'always' },
    },
  })
}
