import { sql } from 'kysely'
import { storageBytes } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { countedPlanEnd, mayStillPay, type KeepingClock } from '../../domain/kept-photos.ts'
import { currentPlan, planOf } from '../../domain/plans.ts'
import { storedBytes } from '../../domain/stored-bytes.ts'
import { publish } from '../../live/bus.ts'
import { queueDueEmail } from './keeping-emails.ts'

/** The plan that counts for a user, the one that counted when this was last looked at, and what is stored. */
interface PlanState {
  isActive: boolean
  mayStillPay: boolean
  plan: string
  clock: KeepingClock
  until: Date | null
  bytes: number
  counted: string
  countedClock: KeepingClock
  /** When that plan ended, if it did. */
  endedAt: Date
  keepingClock: KeepingClock | null
}

/** Photos are put back by another feature. */
export interface PlanStorageDependencies {
  db: Db
  /** Puts removed photos back, as many as fit; locks the account. Undefined when it is gone. */
  restorePhotos(tx: Db, userId: string): Promise<{ restored: number; remaining: number } | undefined>
}

/** Undefined when the account is gone. Locks it first. */
async function lockPlanState(tx: Db, userId: string): Promise<PlanState | undefined> {
  await sql`select 1 from users where id = ${userId} for no key update`.execute(tx)
  const { rows } = await sql<PlanState>`
    select users.is_active as "isActive", ${mayStillPay} as "mayStillPay", now_counts.plan, now_counts.clock, now_counts.until,
      (select ${storedBytes} from photos
        where photos.user_id = users.id and deleted_at is null and state <> 'receiving') as bytes,
      coalesce(before.plan, 'free') as counted, coalesce(before.clock, 'database') as "countedClock",
      ${countedPlanEnd} as "endedAt",
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

/** Remembers which plan counts now. The free plan is what counts without a row. */
async function rememberPlan(tx: Db, userId: string, { plan, clock, until }: PlanState): Promise<void> {
  if (plan === 'free') await sql`delete from counted_plans where user_id = ${userId}`.execute(tx)
  else
    await sql`
      insert into counted_plans (user_id, plan, clock, seen_at, until)
      values (${userId}, ${plan}, ${clock}, keeping_now(${clock}), ${until})
      on conflict (user_id) do update set plan = excluded.plan, clock = excluded.clock, seen_at = excluded.seen_at,
        until = excluded.until`.execute(tx)
}

/** Starts to count the days until photos are removed, anew if they were counted already. */
async function startKeeping(
  tx: Db,
  userId: string,
  { clock, startsAt }: { clock: KeepingClock; startsAt: Date | null },
): Promise<void> {
  await stopKeeping(tx, userId)
  await sql`
    insert into photo_keeping (user_id, clock, starts_at)
    values (${userId}, ${clock}, coalesce(${startsAt}::timestamptz, keeping_now(${clock})))`.execute(tx)
}

export async function stopKeeping(tx: Db, userId: string): Promise<void> {
  await sql`delete from photo_keeping where user_id = ${userId}`.execute(tx)
}

/** Starts, goes on with or ends the days until photos are removed. Whether they are counted now. */
async function updateKeeping(tx: Db, userId: string, state: PlanState): Promise<boolean> {
  const storage = storageBytes(planOf(state))
  const countedStorage = storageBytes(planOf({ plan: state.counted }))
  if (state.bytes <= storage) {
    if (state.keepingClock !== null) await stopKeeping(tx, userId)
    return false
  }
  if (storage < countedStorage) await startKeeping(tx, userId, { clock: state.countedClock, startsAt: state.endedAt })
  // A larger plan that is still too small, or an account without emails: the days are counted from now.
  else if (state.keepingClock !== null && storage > countedStorage)
    await startKeeping(tx, userId, { clock: state.clock, startsAt: null })
  else if (state.keepingClock !== null && !state.isActive)
    await startKeeping(tx, userId, { clock: state.keepingClock, startsAt: null })
  else return state.keepingClock !== null
  return true
}

/**
 * Compares a user's plan with the one that counted before. When it has less storage than what is stored, the days until
 * photos are removed begin; when there is enough again, they end, and removed photos are put back. Queues emails that are
 * due. May run at any time, any number of times.
 */
export async function checkPlanStorage({ db, restorePhotos }: PlanStorageDependencies, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const state = await lockPlanState(tx, userId)
    if (!state) return
    const growth = storageBytes(planOf(state)) - storageBytes(planOf({ plan: state.counted }))
    // The plan that counted is kept in mind until its end is certain.
    if (growth < 0 && state.mayStillPay) return
    const isKeeping = await updateKeeping(tx, userId, state)
    await rememberPlan(tx, userId, state)
    // Pages that are open say which photos will be removed; they may have fetched the plan before this was known.
    if (isKeeping !== (state.keepingClock !== null)) await publish(tx, { kind: 'plan', user: userId })
    if (growth > 0) while (((await restorePhotos(tx, userId))?.restored ?? 0) > 0);
    if (isKeeping && state.isActive) await queueDueEmail(tx, userId)
  })
}

const checkBatch = 500

/** Checks every user whose plan is not the one that was remembered, and every one whose days are counted. */
export async function checkAllPlanStorage(deps: PlanStorageDependencies): Promise<void> {
  const { db } = deps
  // Whose plan is still the same was seen just now.
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
