import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Postmaster } from './postmaster.ts'

/** `down` while PostgreSQL is being restarted after a crash. */
export type PostgresState = 'up' | 'down' | 'stopped'

/** A PostgreSQL that is started again after every crash. */
export interface SupervisedPostgres {
  state(): PostgresState
  /** Shuts it down, and ends the attempts to start it. */
  stop(): Promise<void>
}

/** How fast PostgreSQL is started again. */
export interface RestartPauses {
  /** Before the first attempt, the second, and so on; the last one repeats. */
  pausesMs: readonly number[]
  /** After it has run for this long, the next crash is the first one again. */
  stableRunMs: number
}

/** Those of the program; shorter in tests. */
export const restartPauses: RestartPauses = { pausesMs: [0, 200, 500, 1_000, 2_000, 5_000, 10_000], stableRunMs: 2_000 }

type StartPostgres = (abortSignal: AbortSignal) => Promise<Postmaster>

/**
 * Starts PostgreSQL again after each crash, for as long as the program runs. Meanwhile requests are answered 503, and clients
 * that try again are served once it is back. If the program gave up, a person would have to start it.
 */
export function supervisePostgres(
  firstPostmaster: Postmaster,
  startPostgres: StartPostgres,
  { log, pausesMs, stableRunMs }: { log: Logger } & RestartPauses,
): SupervisedPostgres {
  const stopRequested = new AbortController()
  const { signal } = stopRequested
  let currentPostmaster = firstPostmaster
  let postgresState: PostgresState = 'up'
  let attempts = 0
  /** Undefined when the program stops. */
  const startAgain = async (): Promise<Postmaster | undefined> => {
    while (!signal.aborted) {
      try {
        await wait(pausesMs[Math.min(attempts++, pausesMs.length - 1)], undefined, { signal })
        return await startPostgres(signal)
      } catch (error) {
        if (!signal.aborted) log.error(`${error instanceof Error ? error.message : String(error)}. Trying again.`)
      }
    }
    return undefined
  }
  const restartWhenEnded = async (): Promise<void> => {
    for (;;) {
      const startedAt = performance.now()
      const crashReason = await currentPostmaster.ended
      if (signal.aborted) return
      postgresState = 'down'
      log.error(`PostgreSQL crashed (${crashReason}). Starting it again.`)
      if (performance.now() - startedAt > stableRunMs) attempts = 0
      const nextPostmaster = await startAgain()
      if (!nextPostmaster) return
      currentPostmaster = nextPostmaster
      if (signal.aborted) return nextPostmaster.stop()
      postgresState = 'up'
      log.info('PostgreSQL is running again')
    }
  }
  const supervised = restartWhenEnded()
  return {
    state: () => postgresState,
    async stop() {
      stopRequested.abort()
      postgresState = 'stopped'
      await currentPostmaster.stop()
      await supervised
    },
  }
}
