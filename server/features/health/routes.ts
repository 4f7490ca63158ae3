import { sql } from 'kysely'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { health as healthEndpoint, ready } from '@keepsnap/contract/health.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isAnyAwaitingRoom } from '../../emails/queries.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'

const healthCheckTimeoutMs = 2_000
const checkEveryMs = 1_000
/** Longer, because this check queries the email queue. */
const mailCheckEveryMs = 10_000

/** Whether a check succeeds in time. */
async function succeedsInTime(check: Promise<unknown>): Promise<boolean> {
  let checkTimer: NodeJS.Timeout | undefined
  const checkTimedOut = new Promise<false>(
    (resolve) => (checkTimer = setTimeout(() => resolve(false), healthCheckTimeoutMs)),
  )
  try {
    return await Promise.race([check.then(() => true), checkTimedOut])
  } catch {
    return false
  } finally {
    clearTimeout(checkTimer)
  }
}

type MailState = Reply<typeof ready>['mail']

/** Returns whether emails wait for space in the outbox folder; the last known state if the database is slow. */
function createMailCheck({ db, mail }: Pick<Dependencies, 'db' | 'mail'>): () => Promise<MailState> {
  let state: MailState = 'on'
  let startedAtMs = -Infinity
  let check: Promise<unknown> | undefined
  return async () => {
    if (mail.kind !== 'outbox') return 'on'
    // One at a time, however long it takes.
    if (!check && performance.now() - startedAtMs > mailCheckEveryMs) {
      startedAtMs = performance.now()
      check = isAnyAwaitingRoom(db)
        .then((isWaiting) => (state = isWaiting ? 'waiting' : 'on'))
        .finally(() => (check = undefined))
    }
    if (check) await succeedsInTime(check)
    return state
  }
}

type HealthDependencies = Pick<Dependencies, 'db' | 'storage' | 'mail'>

/**
 * Whether the program runs, and whether it is ready for requests. Reveals no internals except what every guest page
 * shows, whether email is set up, whether emails wait for space, and which of database and store is down.
 */
export function healthRoutes(
  serve: Serve,
  { db, storage, mail, isStopping, isMailOff }: HealthDependencies & { isStopping: () => boolean; isMailOff: boolean },
): void {
  let lastCheck: { startedAtMs: number; problem: Promise<string | undefined> } | undefined
  const findProblem = async (): Promise<string | undefined> => {
    const healthChecks = [succeedsInTime(sql`select 1`.execute(db)), succeedsInTime(storage.check())]
    const [isDatabaseUp, isStoreUp] = await Promise.all(healthChecks)
    if (!isDatabaseUp) return 'Not ready: the database is down. It is tried again until it is back.'
    return isStoreUp ? undefined : 'Not ready: photos cannot be stored or read.'
  }
  // Anybody may call this as often as they like, so the checks themselves are made once a second.
  const currentProblem = (): Promise<string | undefined> => {
    if (!lastCheck || performance.now() - lastCheck.startedAtMs > checkEveryMs)
      lastCheck = { startedAtMs: performance.now(), problem: findProblem() }
    return lastCheck.problem
  }
  const currentMailState = createMailCheck({ db, mail })

  serve(healthEndpoint, async () => ({
    status: (await currentProblem()) === undefined ? ('ok' as const) : ('degraded' as const),
    timestamp: new Date().toISOString(),
  }))

  serve(ready, async () => {
    const problem = isStopping() ? 'Not ready: stopping.' : await currentProblem()
    if (problem !== undefined) throw new Fault('unavailable', problem, 2)
    return {
      status: 'ready' as const,
      mail: isMailOff ? ('off' as const) : await currentMailState(),
      timestamp: new Date().toISOString(),
    }
  })
}
