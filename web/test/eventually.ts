import { vi } from 'vitest'

/** Repeats a check until it holds, for as long as a busy machine may need. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 8_000 })
