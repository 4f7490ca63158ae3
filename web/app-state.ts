import { QueryClient } from '@tanstack/react-query'
import { isTransient } from './lib/api-errors.ts'
import { createApi } from './lib/api.ts'
import type { AppServices } from './lib/app-services.tsx'
import { createSession } from './lib/session.ts'
import { openStorage } from './lib/storage.ts'
import { createTheme } from './lib/theme.ts'

/** Everything that lives as long as the page does. */
export interface AppState extends AppServices {
  queries: QueryClient
}

interface Options {
  page: Window
  /** Where the server is. */
  apiOrigin: string
  /** How often a query that failed for a moment is repeated. */
  retries?: number
}

export function createAppState({ page, apiOrigin, retries = 2 }: Options): AppState {
  const storage = openStorage(() => page.localStorage)
  const session = createSession(storage, page)
  const queries = createQueryClient(retries)
  let token = session.state().token
  session.subscribe(({ sameUser }) => {
    const before = token
    token = session.state().token
    // No user may see cached data of another.
    if (token === null) queries.clear()
    else if (sameUser) void queries.invalidateQueries()
    else if (before !== null && before !== token) void queries.resetQueries()
  })
  return { session, api: createApi(apiOrigin, session), theme: createTheme(storage, page), queries }
}

function createQueryClient(retries: number): QueryClient {
  // `always`: on a local network without internet, browsers report "offline" although they can reach the server.
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: (failures, error) => failures < retries && isTransient(error) },
      mutations: { networkMode: 'always' },
    },
  })
}
