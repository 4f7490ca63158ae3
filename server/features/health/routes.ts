import { sql } from 'kysely'
import { health as healthEndpoint, ready } from '@keepsnap/contract/health.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'

const timeoutMs = 2_000

/** Whether a check succeeds in time. */
async function succeeds(check: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)))
  try {
    return await Promise.race([check.then(() => true), timedOut])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
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
    const checks = [succeeds(sql`select 1`.execute(db)), succeeds(storage.check())]
    return (await Promise.all(checks)).every(Boolean)
  }

  serve(healthEndpoint, async () => ({
    status: (await isHealthy()) ? ('ok' as const) : ('degraded' as const),
    timestamp: new Date().toISOString(),
  }))

  serve(ready, async () => {
    if (isStopping() || !(await isHealthy())) throw new Fault('unavailable', 'Not ready.', 2)
    const mail = isMailOff ? ('off' as const) : ('on' as const)
    return { status: 'ready' as const, mail, timestamp: new Date().toISOString() }
  })
}
