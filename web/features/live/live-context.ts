import { createContext, use, useSyncExternalStore } from 'react'
import type { Live } from './connection.ts'
import type { LiveStatus } from './machine.ts'

/** Filled in once somebody is signed in and the channel's code is there. */
export const LiveContext = createContext<Live | null>(null)

export const useLive = (): Live | null => use(LiveContext)

const nothing = (): (() => void) => () => {}

/** State of this tab's live connection. */
export function useLiveStatus(): LiveStatus {
  const live = useLive()
  return useSyncExternalStore(live?.subscribe ?? nothing, () => live?.status() ?? 'connecting')
}
