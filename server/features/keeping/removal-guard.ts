import { uptime } from 'node:os'
import { sql } from 'kysely'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { OperatorHealth } from '@keepsnap/contract/operator.ts'
import type { Db } from '../../db/connect.ts'
import { recordAction } from '../../domain/audit-log.ts'
import { hashOf } from '../../lib/ids.ts'
import { mayStillBeCharged, photosOverLimit, storageOfPlan, type PhotoCount } from '../../domain/over-limit-photos.ts'

const dayMs = 24 * 60 * 60 * 1000
/** A run stops when it would remove more than this share of all photos and touch more than so many accounts. */
const removalLimits = { sharePercent: 5, accounts: 5 }

/** Detects jumps of the database's clock since the last run, by comparing it with the machine's uptime. */
export interface ClockWatch {
  /** `checkedAt`: the database's time of the last run of any process. */
  hasJumped(now: Date, checkedAt: Date | null): boolean
}

/** The uptime never jumps, but only this process knows it: the first run compares with the last run of any process. */
export function createClockWatch(uptimeSeconds = uptime): ClockWatch {
  let last: { databaseMs: number; uptimeMs: number } | undefined
  return {
    hasJumped(now, checkedAt) {
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

/** Why removal waits for the operator. */
export interface RemovalStop {
  at: Date
  reason: string
}

export async function removalStop(db: Db): Promise<RemovalStop | undefined> {
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

/** What runs have removed within the last day, or are about to remove, without the operator's approval. */
export type RecentRemovals = { photos: number; accounts: readonly string[] }

/** Why a run may not remove what is due; undefined when it may. */
async function reasonToStop(tx: Db, due: readonly DueAccount[], recent: RecentRemovals): Promise<string | undefined> {
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
async function lockGuard(
  tx: Db,
): Promise<{ now: Date; checkedAt: Date | null; isStopped: boolean; isAnyKept: boolean }> {
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
export async function approveRemovals(
  tx: Db,
  { clockWatch, recent }: { clockWatch: ClockWatch; recent(tx: Db): Promise<RecentRemovals> },
): Promise<string | undefined> {
  const guard = await lockGuard(tx)
  const hasJumped = clockWatch.hasJumped(guard.now, guard.checkedAt)
  if (guard.isStopped) return (await removalStop(tx))?.reason
  const due = (await dueAccounts(tx)).filter(({ hasFiles }) => !hasFiles)
  const reason =
    hasJumped && guard.isAnyKept
      ? 'the clock of the database jumped by more than a day since the last run, or no run took place for a day'
      : due.length > 0
        ? await reasonToStop(tx, due, await recent(tx))
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
