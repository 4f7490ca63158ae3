import { vi } from 'vitest'

/** Waits until a check holds, as `vi.waitFor` does, for as long as a busy machine may need. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 8_000 })
