import { createContext, use, useCallback, useSyncExternalStore, type ReactNode } from 'react'
import type { Api } from './api.ts'
import { mediaUrl } from './media.ts'
import type { Session, SessionState } from './session.ts'
import type { Theme, ThemeChoice } from './theme.ts'

/** What is made once at the start and handed to every component. */
export interface Parts {
  api: Api
  session: Session
  theme: Theme
}

const Given = createContext<Parts | null>(null)

export function PartsProvider({ parts, children }: { parts: Parts; children: ReactNode }) {
  return <Given value={parts}>{children}</Given>
}

function useParts(): Parts {
  const parts = use(Given)
  if (!parts) throw new Error('no PartsProvider around this component')
  return parts
}

export const useApi = (): Api => useParts().api
export const useSession = (): Session => useParts().session

export function useSessionState(): SessionState {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, session.state)
}

export function useTheme(): [ThemeChoice, Theme['choose']] {
  const { theme } = useParts()
  return [useSyncExternalStore(theme.subscribe, theme.choice), theme.choose]
}

/** The way from addresses in answers to addresses that load here; see `mediaUrl`. */
export function useMediaUrl(): (address: string) => string | null {
  const { origin } = useApi()
  return useCallback((address) => mediaUrl(address, origin), [origin])
}
