import { vi } from 'vitest'

/** The timeout of waits in tests of the app. Long, because the machine may be busy; only failing tests wait so long. */
export const waitLimitMs = 20_000

/** Repeats a check until it passes. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: waitLimitMs })
