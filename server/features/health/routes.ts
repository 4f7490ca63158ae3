import { sql } from 'kysely'
import { health as healthEndpoint, ready } from '@keepsnap/contract/health.ts'
import type { Deps } from '../../deps.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'

const patienceMs = 2_000

async function isUp(check: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), patienceMs)))
  try {
    return await Promise.race([check.then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the program runs, and whether it should be sent requests. Says nothing about its insides but what every guest page shows: that mail is off. */
export function health(
  serve: Serve,
  {
    db,
    storage,
    isStopping,
    isMailOff,
  }: Pick<Deps, 'db' | 'storage'> & { isStopping: () => boolean; isMailOff: boolean },
): void {
  const isWell = async (): Promise<boolean> =>
    (await Promise.all([isUp(sql`select 1`.execute(db)), isUp(storage.check())])).every(Boolean)

  serve(healthEndpoint, async () => ({
    status: (await isWell()) ? ('ok' as const) : ('degraded' as const),
    timestamp: new Date().toISOString(),
  }))

  serve(ready, async () => {
    if (isStopping() || !(await isWell())) throw new Fault('unavailable', 'Not ready.', 2)
    const mail = isMailOff ? ('off' as const) : ('on' as const)
    return { status: 'ready' as const, mail, timestamp: new Date().toISOString() }
  })
}
