import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Why the program shall end, as a part of a sentence. */
export type Told = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'the program that started this one is gone'

/** A part of an orderly stop. It is given `limitMs`; what it has not done by then is left to the next start. */
export interface Closer {
  name: string
  limitMs: number
  close(): Promise<unknown> | void
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const parentCheckMs = 500
/** A terminal's Ctrl-C arrives twice under npm: from the terminal, and passed on by npm. */
const sameSignalMs = 1_000
const wholeStopMs = 30_000

/**
 * Waits until the program is told to end: by a signal, or by the death of its parent (npm ends on its own when it is
 * killed and tells nobody).
 * @param parentPid the process to watch; undefined watches none, as for a program that init or a container started.
 * @param force called at the second signal, when somebody does not want to wait any longer
 */
export function untilTold(parentPid: number | undefined, force: (signal: Told) => void): Promise<Told> {
  // A closed terminal or pipe must not break the orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const { promise, resolve } = Promise.withResolvers<Told>()
  let firstMs: number | undefined
  const hear = (signal: Told): void => {
    const now = performance.now()
    if (firstMs === undefined) {
      firstMs = now
      resolve(signal)
    } else if (now - firstMs > sameSignalMs) force(signal)
  }
  for (const signal of signals) process.on(signal, hear)
  if (parentPid !== undefined) {
    const timer = setInterval(() => {
      if (process.ppid === parentPid) return
      clearInterval(timer)
      if (firstMs === undefined) hear('the program that started this one is gone')
    }, parentCheckMs)
    timer.unref()
  }
  return promise
}

async function closeOne({ name, close }: Closer, limitMs: number, log: Logger): Promise<boolean> {
  const timer = new AbortController()
  try {
    const done = await Promise.race([
      Promise.resolve(close()).then(() => true),
      delay(Math.max(limitMs, 0), false, { signal: timer.signal }),
    ])
    if (!done) log.warn(`${name} did not finish within ${Math.round(limitMs / 100) / 10} s`)
    return done
  } catch (err) {
    log.error({ err }, `${name} failed while stopping`)
    return false
  } finally {
    timer.abort()
  }
}

/**
 * Runs the closers one after the other, each within its own limit and all within 30 s; one that fails or hangs does
 * not keep the rest from running.
 * @returns whether every one of them finished
 */
export async function stopInOrder(closers: readonly Closer[], log: Logger): Promise<boolean> {
  const end = performance.now() + wholeStopMs
  let clean = true
  for (const [index, closer] of closers.entries()) {
    const later = closers.slice(index + 1)
    // The rest keeps a second each, so that a slow beginning cannot take the database's orderly end away.
    const left = end - performance.now() - later.length * 1_000
    clean = (await closeOne(closer, Math.min(closer.limitMs, left), log)) && clean
  }
  return clean
}
