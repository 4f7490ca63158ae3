import { createContext, use, useSyncExternalStore } from 'react'
import type { LiveConnection } from './connection.ts'
import type { LiveStatus } from './state-machine.ts'

/** Null until a user is signed in and the code of the connection is loaded. */
export const LiveContext = createContext<LiveConnection | null>(null)

export const useLive = (): LiveConnection | null => use(LiveContext)

const subscribeToNothing = (): (() => void) => () => {}

/** Status of this tab's live connection. */
export function useLiveStatus(): LiveStatus {
  const live = useLive()
  return useSyncExternalStore(live?.subscribe ?? subscribeToNothing, () => live?.status() ?? 'connecting')
}
