import { createContext, use, useCallback, useSyncExternalStore, type ReactNode } from 'react'
import type { Api } from './api.ts'
import { mediaUrl } from './media-url.ts'
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
