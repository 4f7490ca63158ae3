import { sql } from 'kysely'
import { health as healthEndpoint, ready } from '@keepsnap/contract/health.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'

const healthCheckTimeoutMs = 2_000

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

/**
 * Whether the program runs, and whether it is ready for requests. Says nothing about the inside except what every guest
 * page shows: whether email is set up.
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
  const isHealthy = async (): Promise<boolean> => {
    const healthChecks = [succeedsInTime(sql`select 1`.execute(db)), succeedsInTime(storage.check())]
    return (await Promise.all(healthChecks)).every(Boolean)
  }

  serve(healthEndpoint, async () => ({
    status: (await isHealthy()) ? ('ok' as const) : ('degraded' as const),
    timestamp: new Date().toISOString(),
  }))

  serve(ready, async () => {
    if (isStopping() || !(await isHealthy())) throw new Fault('unavailable', 'Not ready.', 2)
    const mailState = isMailOff ? ('off' as const) : ('on' as const)
    return { status: 'ready' as const, mail: mailState, timestamp: new Date().toISOString() }
  })
}
