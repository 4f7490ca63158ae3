import { uptime } from 'node:os'
import { sql } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { storageBytes } from '@keepsnap/contract/plans.ts'
import type { OperatorHealth } from '@keepsnap/contract/operators.ts'
import type { Db } from '../../platform/db/connect.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { hashOf, newId } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import { recordAction } from '../operators/audit-log.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  type KeepingClock,
  mayStillBeCharged,
  pendingRemovalOf,
  type PhotoCount,
  photosOverLimit,
  previousPlanEnd,
  storageOfPlan,
} from './over-limit-photos.ts'
import { currentPlan, lockUser, planOf, storedBytes } from './plans.ts'
import { deleteRemovedPhotos, recentRemovals, removeOldestPhotos, restoreNewestPhotos } from './photo-removals.ts'

/**
 * Detects plans that have ended, queues emails, removes photos that are due, and deletes those that were not restored
 * in time. Idempotent, and safe to run on several nodes at once.
 */
export async function checkKeptPhotos(
  { db, log }: Pick<Dependencies, 'db' | 'log'>,
  clockWatch: ClockWatch,
): Promise<void> {
  await checkAllPlanStorage(db)
  const stopped = await db.transaction().execute((tx) => approveRemovals(tx, clockWatch))
  if (stopped !== undefined)
    log.error(
      { reason: stopped },
      'removing photos after the end of plans is stopped: run "keepsnap removals" to see what would be removed and to go on',
    )
  else {
    const { photos, accounts } = await waitingRemovals(db)
    if (photos > 0)
      log.error(
        { photos, accounts },
        'photos are due to be removed after the end of plans, but the emails about it were only saved as files: run "keepsnap removals" to remove them',
      )
  }
  await removeApprovedPhotos(db)
  // After a jump of the clock, the time for restoring photos would seem to be over.
  if (stopped === undefined) await deleteRemovedPhotos(db)
}

/**
 * Compares a user's plan with that of the last check. When its storage is too small for the stored photos, the
 * countdown to their removal starts; when it is large enough again, the countdown stops and removed photos are
 * restored. Queues emails that are due. Idempotent.
 */
export async function checkPlanStorage(db: Db, userId: string): Promise<void> {
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
    if (growth > 0) while (((await restoreNewestPhotos(tx, userId))?.restored ?? 0) > 0);
    if (isCountingDown && state.isActive) await queueDueEmail(tx, userId)
  })
}

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

/** Locks the account. Undefined when it is deleted. */
async function lockPlanState(tx: Db, userId: string): Promise<PlanState | undefined> {
  await lockUser(tx, userId)
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

async function stopRemovalCountdown(tx: Db, userId: string): Promise<void> {
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

const checkBatch = 500

/** Checks every user whose plan differs from the recorded one, and every user with a running countdown. */
async function checkAllPlanStorage(db: Db): Promise<void> {
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
    for (const { id } of rows) await checkPlanStorage(db, id)
    after = rows.length < checkBatch ? undefined : rows.at(-1)?.id
  }
}

/** How often a failed email is retried, once a day. */
const maxAttempts = 30

interface KeepingEmail {
  day: number
  emailId: string
  attempts: number
  isAccepted: boolean
  /** It failed or was deleted, and was queued more than a day ago. */
  canBeRepeated: boolean
}

/**
 * Records which emails have been accepted since the last run. If one was accepted more than a day late, the start of
 * the countdown is postponed by the delay, so that owners always have the same time between the emails and the removal.
 * Not on the demo's clock, which jumps on purpose.
 */
async function recordAcceptedEmails(tx: Db, userId: string): Promise<void> {
  await sql`
    update photo_keeping_emails set accepted_at = emails.sent_at, is_file = emails.file_bytes is not null from emails
    where emails.id = photo_keeping_emails.email_id and emails.state = 'sent' and accepted_at is null
      and photo_keeping_emails.user_id = ${userId}`.execute(tx)
  const clock: KeepingClock = 'database'
  await sql`
    update photo_keeping set starts_at = starts_at + late.by from (
      select max(accepted_at - (starts_at + make_interval(days => day))) as by
      from photo_keeping_emails join photo_keeping using (user_id) where user_id = ${userId} and accepted_at is not null
    ) as late where user_id = ${userId} and clock = ${clock} and late.by > interval '1 day'`.execute(tx)
}

async function keepingEmailsOf(tx: Db, userId: string): Promise<KeepingEmail[]> {
  const { rows } = await sql<KeepingEmail>`
    select day, email_id as "emailId", photo_keeping_emails.attempts, accepted_at is not null as "isAccepted",
      queued_at < now() - interval '1 day' and coalesce(emails.state = 'failed', true) as "canBeRepeated"
    from photo_keeping_emails left join emails on emails.id = email_id
    where photo_keeping_emails.user_id = ${userId}`.execute(tx)
  return rows
}

/**
 * Queues the next email to a user whose photos will be removed, if it is due and the previous one was accepted; retries
 * one that failed. The caller holds the user's lock.
 */
async function queueDueEmail(tx: Db, userId: string): Promise<void> {
  await recordAcceptedEmails(tx, userId)
  // Days since the larger plan ended, by the row's clock.
  const { rows } = await sql<{ email: string; days: number }>`
    select email, extract(epoch from keeping_now(clock) - starts_at)::float8 / 86400 as days
    from photo_keeping join users on users.id = photo_keeping.user_id where users.id = ${userId}`.execute(tx)
  const [state] = rows
  if (!state) return
  const emails = await keepingEmailsOf(tx, userId)
  const accepted = new Set(emails.filter(({ isAccepted }) => isAccepted).map(({ day }) => day))
  const day = billingLimits.keepEmailDays.find((one) => !accepted.has(one))
  if (day === undefined || state.days < day) return
  const queued = emails.find((one) => one.day === day)
  if (queued && (!queued.canBeRepeated || queued.attempts >= maxAttempts)) return
  const id = newId()
  await sql`
    insert into photo_keeping_emails (user_id, day, email_id) values (${userId}, ${day}, ${id})
    on conflict (user_id, day) do update set email_id = excluded.email_id, queued_at = now(),
      attempts = photo_keeping_emails.attempts + 1`.execute(tx)
  await enqueue(tx, { name: 'prepare-archive', payload: { userId }, key: `prepare-archive:${userId}` })
  await queueEmail(tx, { id, kind: 'removal', userId, recipient: state.email, payload: { day } })
}

/** Queues the email about photos that were just removed. */
async function queueRemovedEmail(tx: Db, userId: string): Promise<void> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  if (user) await queueEmail(tx, { id: newId(), kind: 'removed', userId, recipient: user.email, payload: {} })
}

const dayMs = 24 * 60 * 60 * 1000

/** A run stops when it would remove more than this share of all photos and touch more than so many accounts. */
const removalLimits = { sharePercent: 5, accounts: 5 }

export type ClockWatch = ReturnType<typeof createClockWatch>

/**
 * Detects jumps of the database's clock since the last run, by comparing it with the machine's uptime, which never jumps. Only this
 * process knows that: the first run compares with the last run of any process.
 */
export function createClockWatch(uptimeSeconds = uptime) {
  let last: { databaseMs: number; uptimeMs: number } | undefined
  return {
    /** `checkedAt`: the database's time of the last run of any process. */
    hasJumped(now: Date, checkedAt: Date | null): boolean {
      const current = { databaseMs: now.getTime(), uptimeMs: uptimeSeconds() * 1000 }
      const passedMs = last ? current.uptimeMs - last.uptimeMs : 0
      const previousMs = last?.databaseMs ?? checkedAt?.getTime() ?? current.databaseMs
      last = current
      return Math.abs(current.databaseMs - previousMs - passedMs) > dayMs
    },
  }
}

/** An account whose photos may be removed now. */
export interface DueAccount extends PhotoCount {
  userId: string
  email: string
  /** An email about it was only saved as a file, so the operator decides. */
  hasFiles: boolean
}

/** Accounts whose 30 days are over and whose three emails were accepted, and which still store too much. */
export async function dueAccounts(db: Db): Promise<DueAccount[]> {
  const { rows } = await sql<DueAccount>`
    select users.id as "userId", users.email, over.photos, over.bytes, accepted.has_files as "hasFiles"
    from photo_keeping join users on users.id = photo_keeping.user_id,
      lateral (select count(*) as emails, bool_or(is_file) as has_files from photo_keeping_emails
        where photo_keeping_emails.user_id = users.id and accepted_at is not null) as accepted,
      lateral (select count(*) as photos, coalesce(sum(bytes), 0)::bigint as bytes
        from ${photosOverLimit(sql`users.id`, storageOfPlan())} as over_limit) as over
    where approved_at is null and users.is_active and not ${mayStillBeCharged} and accepted.emails = ${billingLimits.keepEmailDays.length} and over.photos > 0
      and starts_at + make_interval(days => ${billingLimits.keepDays}) <= keeping_now(clock)
    order by users.id`.execute(db)
  return rows
}

/** Since when and why removal waits for the operator. */
export async function removalStop(db: Db): Promise<{ at: Date; reason: string } | undefined> {
  const guard = await db.selectFrom('removal_guard').select(['stopped_at', 'stopped_because']).executeTakeFirst()
  return guard?.stopped_at ? { at: guard.stopped_at, reason: guard.stopped_because ?? '' } : undefined
}

/** The photos that only the command `removals` removes: while removal is stopped, all that are due, otherwise those of accounts whose emails were only saved as files. */
export async function waitingRemovals(db: Db): Promise<OperatorHealth['removals']> {
  const [stop, due] = await Promise.all([removalStop(db), dueAccounts(db)])
  const waiting = stop ? due : due.filter(({ hasFiles }) => hasFiles)
  return {
    photos: waiting.reduce((sum, { photos }) => sum + photos, 0),
    accounts: waiting.length,
    stopped_at: stop?.at.toISOString() ?? null,
    stopped_because: stop?.reason ?? null,
  }
}

/** Why a run may not remove what is due; undefined when it may. */
async function reasonToStop(tx: Db, due: readonly DueAccount[]): Promise<string | undefined> {
  const recent = await recentRemovals(tx)
  const { rows } = await sql<{
    photos: number
  }>`select count(*) as photos from photos where deleted_at is null`.execute(tx)
  const all = (rows[0]?.photos ?? 0) + recent.photos
  const photos = due.reduce((sum, one) => sum + one.photos, recent.photos)
  const accounts = new Set([...recent.accounts, ...due.map(({ userId }) => userId)]).size
  if (photos * 100 <= removalLimits.sharePercent * all || accounts <= removalLimits.accounts) return undefined
  return `${photos} of ${all} photos of ${accounts} accounts would be removed within a day`
}

/** Allows the removal from these accounts. */
async function approve(tx: Db, due: readonly DueAccount[], byOperator: boolean): Promise<void> {
  if (due.length === 0) return
  await sql`update photo_keeping set approved_at = now(), by_operator = ${byOperator}
    where user_id in (${sql.join(due.map(({ userId }) => userId))}) and approved_at is null`.execute(tx)
}

/** Serializes runs by locking the row of the guard; returns the database's time and the state after the last run. */
async function lockGuard(tx: Db) {
  const { rows } = await sql<{ now: Date; checkedAt: Date | null; isStopped: boolean; isAnyKept: boolean }>`
    select clock_timestamp() as now, checked_at as "checkedAt", stopped_at is not null as "isStopped",
      exists (select from photo_keeping) or exists (select from photo_removals) as "isAnyKept"
    from removal_guard for update`.execute(tx)
  const [guard] = rows
  if (!guard) throw new Error('the table removal_guard is empty')
  await sql`update removal_guard set checked_at = ${guard.now}`.execute(tx)
  return guard
}

/**
 * Decides what a run may remove: nothing while removal is stopped, and nothing of accounts whose emails were only saved
 * as files. Stops removal when it would be too much, or when the database's clock jumped. Returns why removal is
 * stopped, if so.
 */
async function approveRemovals(tx: Db, clockWatch: ClockWatch): Promise<string | undefined> {
  const guard = await lockGuard(tx)
  const hasJumped = clockWatch.hasJumped(guard.now, guard.checkedAt)
  if (guard.isStopped) return (await removalStop(tx))?.reason
  const due = (await dueAccounts(tx)).filter(({ hasFiles }) => !hasFiles)
  const reason =
    hasJumped && guard.isAnyKept
      ? 'the clock of the database jumped by more than a day since the last run, or no run took place for a day'
      : due.length > 0
        ? await reasonToStop(tx, due)
        : undefined
  if (reason === undefined) await approve(tx, due, false)
  else await sql`update removal_guard set stopped_at = now(), stopped_because = ${reason}`.execute(tx)
  return reason
}

/** A hash of the accounts, photos and bytes that are due: it changes when something else is due. */
export const removalFingerprint = (due: readonly DueAccount[]): string =>
  hashOf(JSON.stringify(due.map(({ userId, photos, bytes }) => [userId, photos, bytes])))
    .toString('hex')
    .slice(0, 8)

/**
 * The operator approves exactly what was shown (`shown` is its fingerprint), also where emails were only saved as
 * files, and removal is no longer stopped. False, without effect, when something else is due by now.
 */
export async function approveByOperator(tx: Db, shown: string): Promise<boolean> {
  await lockGuard(tx)
  const due = await dueAccounts(tx)
  if (removalFingerprint(due) !== shown) return false
  await approve(tx, due, true)
  await sql`update removal_guard set stopped_at = null, stopped_because = null`.execute(tx)
  const by = { kind: 'command', id: null, name: 'removals' } as const
  for (const { userId } of due) {
    const subject = { kind: 'user', id: userId, name: null, userId } as const
    await recordAction(tx, { by, action: 'remove photos', subject, outcome: 'done' })
  }
  return true
}

/** Removes one batch of an account's photos; returns whether there may be more. */
const removeBatch = (db: Db, userId: string): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    // `hasRemoved`: batches before this one removed photos.
    const { rows } = await sql<{ clock: KeepingClock; byOperator: boolean; hasRemoved: boolean }>`
      select clock, by_operator as "byOperator", exists (
        select from photo_removals where photo_removals.user_id = users.id and removed_at >= approved_at) as "hasRemoved"
      from photo_keeping join users on users.id = photo_keeping.user_id
      where user_id = ${userId} and approved_at is not null and is_active and not ${mayStillBeCharged}`.execute(tx)
    const [approved] = rows
    if (!approved) return false
    const { hasRemoved, ...removal } = approved
    const removed = await removeOldestPhotos(tx, { userId, ...removal })
    if (removed > 0 && (await pendingRemovalOf(tx, userId))) return true
    await stopRemovalCountdown(tx, userId)
    if (removed > 0 || hasRemoved) await queueRemovedEmail(tx, userId)
    await publish(tx, { kind: 'plan', user: userId })
    return false
  })

/** Removes the photos of every account whose removal was approved; continues where a killed run ended. */
export async function removeApprovedPhotos(db: Db): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from photo_keeping where approved_at is not null order by user_id`.execute(db)
  for (const { userId } of rows) while (await removeBatch(db, userId));
}
