import { createContext, type ReactNode, use, useCallback, useSyncExternalStore } from 'react'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { currentUser, type User } from '@keepsnap/contract/accounts.ts'
import { sampleCodePath, type SampleName } from '@keepsnap/contract/site.ts'
import type { Api } from './api.ts'
import { mediaUrl } from './urls.ts'
import type { Session, SessionState } from './session.ts'
import type { Theme, ThemeChoice } from './theme.ts'

/** Created once when the page loads, and available to every component. */
export interface AppServices {
  api: Api
  session: Session
  theme: Theme
}

const AppServicesContext = createContext<AppServices | null>(null)

export function AppServicesProvider({ services, children }: { services: AppServices; children: ReactNode }) {
  return <AppServicesContext value={services}>{children}</AppServicesContext>
}

function useAppServices(): AppServices {
  const services = use(AppServicesContext)
  if (!services) throw new Error('no AppServicesProvider around this component')
  return services
}

export const useApi = (): Api => useAppServices().api
export const useSession = (): Session => useAppServices().session

export function useSessionState(): SessionState {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.state, session.state)
}

export function useTheme(): [ThemeChoice, Theme['choose']] {
  const { theme } = useAppServices()
  return [useSyncExternalStore(theme.subscribe, theme.choice, theme.choice), theme.choose]
}

/** URLs of pictures that are files of the web app: these load from the origin of the page, not from that of the API. */
export const BundledUrlsContext = createContext<ReadonlySet<string>>(new Set())

/** Converts media URLs from the server to URLs that load on this page; see `mediaUrl`. */
export function useMediaUrl(): (url: string) => string | null {
  const { origin } = useApi()
  const bundledUrls = use(BundledUrlsContext)
  return useCallback((url) => (bundledUrls.has(url) ? url : mediaUrl(url, origin)), [bundledUrls, origin])
}

/** Retry interval after the user could not be fetched: on a big screen, nobody may be there to press a button. */
const userRetryMs = 5_000

/** `loading`: there is a token, and its user is being fetched. `failed`: that call failed; it is retried. */
export type CurrentUser =
  | { state: 'signed-out'; user: null }
  | { state: 'loading'; user: null }
  | { state: 'signed-in'; user: User }
  | { state: 'failed'; user: null; retry: () => Promise<unknown> }

export const userKey = ['user', 'me'] as const

export const currentUserQuery = (api: Api) =>
  queryOptions({
    queryKey: userKey,
    queryFn: ({ signal }) => api.call(currentUser, {}, { signal }),
    staleTime: 60_000,
  })

/** The server has told how many photos the account has now. */
export function setPhotoCount(queryClient: QueryClient, api: Api, photoCount: number): void {
  queryClient.setQueryData(currentUserQuery(api).queryKey, (user) => user && { ...user, photo_count: photoCount })
}

/** The user of this page, fetched when there is a token. */
export function useCurrentUser(): CurrentUser {
  const { token } = useSessionState()
  const query = useQuery({
    ...currentUserQuery(useApi()),
    enabled: token !== null,
    refetchInterval: ({ state }) => (state.data === undefined && state.errorUpdateCount > 0 ? userRetryMs : false),
    refetchIntervalInBackground: true,
  })
  if (token === null) return { state: 'signed-out', user: null }
  if (query.data) return { state: 'signed-in', user: query.data }
  // Also during a retry.
  if (query.errorUpdateCount > 0) return { state: 'failed', user: null, retry: () => query.refetch() }
  return { state: 'loading', user: null }
}

/** Returns the URL of a sample picture's QR code, as SVG. The API draws it, which may have another origin than the page. */
export function useSampleCodeUrl(): (name: SampleName) => string {
  const { origin } = useApi()
  return useCallback((name) => `${origin}${sampleCodePath(name)}.svg`, [origin])
}
