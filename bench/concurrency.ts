import { forEachConcurrently } from '@keepsnap/server/lib/for-each-concurrently.ts'

/** Calls a function `count` times, with at most `inFlight` calls running. Rejects with the first error, when none is running. */
export const runConcurrently = (
  count: number,
  inFlight: number,
  task: (index: number) => Promise<unknown>,
): Promise<void> =>
  forEachConcurrently(
    Array.from({ length: count }, (_, index) => index),
    inFlight,
    task,
  )
