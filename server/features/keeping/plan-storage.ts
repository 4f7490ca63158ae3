import { sql } from 'kysely'
import { storageBytes } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { previousPlanEnd, mayStillBeCharged, type KeepingClock } from '../../domain/over-limit-photos.ts'
import { currentPlan, planOf } from '../../domain/plans.ts'
import { storedBytes } from '../../domain/stored-bytes.ts'
import { publish } from '../../live/bus.ts'
import { queueDueEmail } from './keeping-emails.ts'

/** A user's current plan, the plan at the last check (`counted`), and the bytes stored. */
interface PlanState {
  isActive: boolean
  mayStillPay: boolean
  plan: string
  clock: KeepingClock
  until: Date | null
  bytes: number
  counted: string
  countedClock: KeepingClock
  /** When the plan of the last check ended, if it did. */
  endedAt: Date
  keepingClock: KeepingClock | null
}

/** Another feature restores photos. */
export interface PlanStorageDependencies {
  db: Db
  /** Restores a batch of removed photos, as many as fit; locks the account. Undefined when it is deleted. */
  restorePhotos(tx: Db, userId: string): Promise<{ restored: number; remaining: number } | undefined>
}

/** Locks the account. Undefined when it is deleted. */
async function lockPlanState(tx: Db, userId: string): Promise<PlanState | undefined> {
  await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
  const { rows } = await sql<PlanState>`
    select users.is_active as "isActive", ${mayStillBeCharged} as "mayStillPay", now_counts.plan, now_counts.clock, now_counts.until,
      (select ${storedBytes} from photos
        where photos.user_id = users.id and deleted_at is null and state <> 'receiving') as bytes,
      coalesce(before.plan, 'free') as counted, coalesce(before.clock, 'database') as "countedClock",
      ${previousPlanEnd} as "endedAt",
      photo_keeping.clock as "keepingClock"
    from users
      left join counted_plans before on before.user_id = users.id
      left join photo_keeping on photo_keeping.user_id = users.id
      left join paid_plans paid on paid.user_id = users.id and paid.until > billing_now()
        and paid.provider = (select provider from payment_settings),
      lateral (
        select ${currentPlan} as plan, users.granted_plan is not distinct from ${currentPlan}
          and (granted_until is null or granted_until > now()) as is_granted
      ) counts,
      lateral (
        select counts.plan, case when not is_granted and paid.provider = 'demo' then 'demo' else 'database' end as clock,
          case when is_granted then granted_until else paid.until end as until
      ) now_counts
    where users.id = ${userId}`.execute(tx)
  return rows[0]
}

/** Stores the current plan for the next check. No row means the free plan. */
async function recordCountedPlan(tx: Db, userId: string, { plan, clock, until }: PlanState): Promise<void> {
  if (plan === 'free') await sql`delete from counted_plans where user_id = ${userId}`.execute(tx)
  else
    await sql`
      insert into counted_plans (user_id, plan, clock, seen_at, until)
      values (${userId}, ${plan}, ${clock}, keeping_now(${clock}), ${until})
      on conflict (user_id) do update set plan = excluded.plan, clock = excluded.clock, seen_at = excluded.seen_at,
        until = excluded.until`.execute(tx)
}

/** Starts the countdown to the removal of photos, or restarts it. */
async function startRemovalCountdown(
  tx: Db,
  userId: string,
  { clock, startsAt }: { clock: KeepingClock; startsAt: Date | null },
): Promise<void> {
  await stopRemovalCountdown(tx, userId)
  await sql`
    insert into photo_keeping (user_id, clock, starts_at)
    values (${userId}, ${clock}, coalesce(${startsAt}::timestamptz, keeping_now(${clock})))`.execute(tx)
}

export async function stopRemovalCountdown(tx: Db, userId: string): Promise<void> {
  await sql`delete from photo_keeping where user_id = ${userId}`.execute(tx)
}

/** Starts, continues or stops the countdown to the removal of photos; returns whether it is running now. */
async function updateRemovalCountdown(tx: Db, userId: string, state: PlanState): Promise<boolean> {
  const storage = storageBytes(planOf(state))
  const countedStorage = storageBytes(planOf({ plan: state.counted }))
  if (state.bytes <= storage) {
    if (state.keepingClock !== null) await stopRemovalCountdown(tx, userId)
    return false
  }
  if (storage < countedStorage)
    await startRemovalCountdown(tx, userId, { clock: state.countedClock, startsAt: state.endedAt })
  // A larger plan that is still too small, or a deactivated account, which gets no emails: the countdown restarts now.
  else if (state.keepingClock !== null && storage > countedStorage)
    await startRemovalCountdown(tx, userId, { clock: state.clock, startsAt: null })
  else if (state.keepingClock !== null && !state.isActive)
    await startRemovalCountdown(tx, userId, { clock: state.keepingClock, startsAt: null })
  else return state.keepingClock !== null
  return true
}

/**
 * Compares a user's plan with that of the last check. When its storage is too small for the stored photos, the
 * countdown to their removal starts; when it is large enough again, the countdown stops and removed photos are
 * restored. Queues emails that are due. Idempotent.
 */
export async function checkPlanStorage({ db, restorePhotos }: PlanStorageDependencies, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const state = await lockPlanState(tx, userId)
    if (!state) return
    const growth = storageBytes(planOf(state)) - storageBytes(planOf({ plan: state.counted }))
    // Until it is certain that the plan has ended, the plan of the last check stays recorded.
    if (growth < 0 && state.mayStillPay) return
    const isCountingDown = await updateRemovalCountdown(tx, userId, state)
    await recordCountedPlan(tx, userId, state)
    // Open pages show which photos will be removed; they may have fetched the plan before the countdown changed.
    if (isCountingDown !== (state.keepingClock !== null)) await publish(tx, { kind: 'plan', user: userId })
    if (growth > 0) while (((await restorePhotos(tx, userId))?.restored ?? 0) > 0);
    if (isCountingDown && state.isActive) await queueDueEmail(tx, userId)
  })
}

const checkBatch = 500

/** Checks every user whose plan differs from the recorded one, and every user with a running countdown. */
export async function checkAllPlanStorage(deps: PlanStorageDependencies): Promise<void> {
  const { db } = deps
  // For users whose plan has not changed, only the time of the check is updated.
  await sql`
    update counted_plans set seen_at = greatest(seen_at, keeping_now(clock)) from users
    where users.id = counted_plans.user_id and ${currentPlan} = counted_plans.plan`.execute(db)
  for (let after: string | undefined = ''; after !== undefined;) {
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      select users.id from users left join counted_plans on counted_plans.user_id = users.id
      where users.id > ${after} and (
        ((granted_plan is not null or counted_plans.plan is not null
          or exists (select from paid_plans where paid_plans.user_id = users.id))
          and ${currentPlan} <> coalesce(counted_plans.plan, 'free'))
        or exists (select from photo_keeping where photo_keeping.user_id = users.id))
      order by users.id limit ${checkBatch}`.execute(db)
    for (const { id } of rows) await checkPlanStorage(deps, id)
    after = rows.length < checkBatch ? undefined : rows.at(-1)?.id
  }
}
