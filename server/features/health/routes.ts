import { sql } from 'kysely'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { health as healthEndpoint, ready } from '@keepsnap/contract/health.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isAnyAwaitingRoom } from '../../emails/queries.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'

const healthCheckTimeoutMs = 2_000
const checkEveryMs = 1_000

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

/**
 * Whether the program runs, and whether it is ready for requests. Says nothing about the inside except what every guest
 * page shows, whether email is set up, whether emails wait for room, and which of database and store is down.
 */
export function health(
  serve: Serve,
  {
    db,
    storage,
    isStopping,
    isMailOff,
  }: Pick<Dependencies, 'db' | 'storage'> & { isStopping: () => boolean; isMailOff: boolean },
): void {
  let lastCheck: { startedAtMs: number; problem: Promise<string | undefined>; mail: Promise<MailState> } | undefined
  const findProblem = async (): Promise<string | undefined> => {
    const healthChecks = [succeedsInTime(sql`select 1`.execute(db)), succeedsInTime(storage.check())]
    const [isDatabaseUp, isStoreUp] = await Promise.all(healthChecks)
    if (!isDatabaseUp) return 'Not ready: the database is down. It is tried again until it is back.'
    return isStoreUp ? undefined : 'Not ready: photos cannot be stored or read.'
  }
  const findMailState = async (): Promise<MailState> => {
    if (isMailOff) return 'off'
    // Without the database the answer is its problem.
    return (await isAnyAwaitingRoom(db).catch(() => false)) ? 'waiting' : 'on'
  }
  // Anybody may call this as often as they like, so the checks themselves are made once a second.
  const currentCheck = () => {
    if (!lastCheck || performance.now() - lastCheck.startedAtMs > checkEveryMs)
      lastCheck = { startedAtMs: performance.now(), problem: findProblem(), mail: findMailState() }
    return lastCheck
  }

  serve(healthEndpoint, async () => ({
    status: (await currentCheck().problem) === undefined ? ('ok' as const) : ('degraded' as const),
    timestamp: new Date().toISOString(),
  }))

  serve(ready, async () => {
    const check = currentCheck()
    const problem = isStopping() ? 'Not ready: stopping.' : await check.problem
    if (problem !== undefined) throw new Fault('unavailable', problem, 2)
    return { status: 'ready' as const, mail: await check.mail, timestamp: new Date().toISOString() }
  })
}
