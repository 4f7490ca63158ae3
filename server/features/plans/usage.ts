import { type RawBuilder, sql } from 'kysely'
import { type Plan, storageBytes } from '@keepsnap/contract/plans.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../platform/db/connect.ts'
import { Fault } from '../../faults.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'
import { currentMonth, currentPlan, lockUser, type PlanColumn, planOf, storedBytes } from './plans.ts'

/** A refusal that names the way out. */
const quotaRefusal = (code: 'quota_photos' | 'quota_storage', plan: Plan, sentence: string): Fault =>
  new Fault(
    code,
    `${sentence} ${plan.id === 'pro_yearly' ? 'Please contact us if you need more.' : 'Upgrade for more.'}`,
  )

/** The photo after the last one of the month. */
export const monthlyQuotaRefusal = (plan: Plan): Fault =>
  quotaRefusal(
    'quota_photos',
    plan,
    `Your plan, ${plan.name}, includes ${plan.features.max_photos} photos a month, and you've used them all. The next month starts on the 1st (UTC).`,
  )

/** The photo that would not fit into the plan's storage. */
export const storageQuotaRefusal = (plan: Plan): Fault =>
  quotaRefusal(
    'quota_storage',
    plan,
    `Your plan, ${plan.name}, includes ${plan.features.storage_gb} GB of storage, and this photo no longer fits. Delete photos you no longer need.`,
  )

export const fileTooLargeMessage = (plan: Plan): string =>
  `This file is larger than ${plan.features.max_file_size_mb} MB, the limit of your plan, ${plan.name}. Reduce its size and try again.`

/** Photos a month that a plan includes. */
export const monthlyPhotos = ({ features }: Plan): number => features.max_photos

/** What a plan limits, as its owner is told about it. */
type UsageSubject = 'photos' | 'storage'

/** The highest threshold that is reached, in percent; 0 below the first. */
export const reachedPercent = (used: number, limit: number): number =>
  Math.max(0, ...billingLimits.usageWarningPercent.filter((percent) => used * 100 >= percent * limit))

/** The threshold that the user of a row `counted` with id and plan was told about; 0 if none. Of photos, in this month. */
export const warnedPercent = (subject: UsageSubject): RawBuilder<number> => sql<number>`coalesce((
  select percent from usage_warnings where usage_warnings.user_id = counted.id and subject = ${sql.lit(subject)}
    and usage_warnings.plan = counted.plan and month is not distinct from ${subject === 'photos' ? currentMonth : sql`null`}), 0)`

/** What the payload of an email about usage has. */
export interface UsagePayload {
  [field: string]: string | number | null
  subject: UsageSubject
  percent: number
  /** Photos or bytes. */
  used: number
  plan: string
  /** When the count of photos starts again; null for storage. */
  monthEndsAt: string | null
}

interface ReachedThreshold {
  userId: string
  subject: UsageSubject
  plan: Plan
  percent: number
  used: number
}

/** Records a threshold and queues the email about it. The caller holds the user's lock, which makes it happen once. */
async function queueUsageWarning(tx: Db, { userId, subject, plan, percent, used }: ReachedThreshold): Promise<void> {
  const month = subject === 'photos' ? currentMonth : sql`null`
  const { rows } = await sql<{ email: string; monthEndsAt: Date }>`
    with recorded as (
      insert into usage_warnings (user_id, subject, plan, month, percent)
      values (${userId}, ${subject}, ${plan.id}, ${month}, ${percent})
      on conflict (user_id, subject) do update set plan = excluded.plan, month = excluded.month, percent = excluded.percent
    )
    select email, (${currentMonth} + interval '1 month') at time zone 'utc' as "monthEndsAt"
    from users where id = ${userId} and is_active`.execute(tx)
  const [user] = rows
  if (!user) return
  const monthEndsAt = subject === 'photos' ? user.monthEndsAt.toISOString() : null
  const payload: UsagePayload = { subject, percent, used, plan: plan.id, monthEndsAt }
  await queueEmail(tx, { id: newId(), kind: 'usage', userId, recipient: user.email, payload })
}

interface AcceptedUpload {
  userId: string
  plan: Plan
  /** Stored now, with this upload. */
  bytes: number
  places: number
  photosWarned: number
  storageWarned: number
}

/** Queues emails if an upload that was just accepted reached a threshold. The caller holds the user's lock. */
export async function warnAboutUpload(tx: Db, upload: AcceptedUpload): Promise<void> {
  const { userId, plan, bytes, places, photosWarned, storageWarned } = upload
  const percent = reachedPercent(bytes, storageBytes(plan))
  if (percent > storageWarned) await queueUsageWarning(tx, { userId, subject: 'storage', plan, percent, used: bytes })
  if (reachedPercent(places, plan.features.max_photos) > photosWarned) await warnAboutMonth(tx, userId)
}

/** Queues an email if the photos of the month reached a threshold. Uploads in progress may fail and do not count. */
export async function warnAboutMonth(tx: Db, userId: string): Promise<void> {
  const { rows } = await sql<PlanColumn & { photos: number; warned: number }>`
    select counted.plan, ${warnedPercent('photos')} as warned, uploads - (
      select count(*) from photos where photos.user_id = users.id and state = 'receiving' and source <> 'guest' and counted_month = ${currentMonth}
    ) as photos
    from users join usage_months on usage_months.user_id = users.id and usage_months.month = ${currentMonth},
      lateral (select users.id, ${currentPlan} as plan) counted
    where users.id = ${userId}`.execute(tx)
  const [usage] = rows
  if (!usage) return
  const plan = planOf(usage)
  const percent = reachedPercent(usage.photos, plan.features.max_photos)
  if (percent > usage.warned)
    await queueUsageWarning(tx, { userId, subject: 'photos', plan, percent, used: usage.photos })
}

interface StorageRow extends PlanColumn {
  bytes: number
  warned: number
}

/** What is stored and was told about it. Locks the account first. Undefined when it is gone. */
async function lockStorageUse(tx: Db, userId: string): Promise<StorageRow | undefined> {
  await lockUser(tx, userId)
  const { rows } = await sql<StorageRow>`
    select counted.plan, ${warnedPercent('storage')} as warned, (
      select ${storedBytes} from photos where photos.user_id = users.id and deleted_at is null and state <> 'receiving') as bytes
    from users, lateral (select users.id, ${currentPlan} as plan) counted where users.id = ${userId}`.execute(tx)
  return rows[0]
}

/** Queues an email when an upload did not fit into the storage, unless its owner knows that it is full. */
export async function warnAboutFullStorage(db: Db, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const usage = await lockStorageUse(tx, userId)
    const percent = Math.max(...billingLimits.usageWarningPercent)
    if (!usage || usage.warned >= percent) return
    await queueUsageWarning(tx, { userId, subject: 'storage', plan: planOf(usage), percent, used: usage.bytes })
  })
}

/** Whether a storage threshold is recorded, which a deletion may have to reset. */
export async function hasStorageWarning(db: Db, userId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from usage_warnings where user_id = ${userId} and subject = 'storage' and percent > 0`.execute(
      db,
    )
  return rows.length > 0
}

/** Resets thresholds that are no longer reached after a deletion, so that reaching them again sends another email. */
export async function resetStorageWarning(tx: Db, userId: string): Promise<void> {
  const usage = await lockStorageUse(tx, userId)
  if (!usage) return
  const percent = reachedPercent(usage.bytes, storageBytes(planOf(usage)))
  await sql`update usage_warnings set percent = ${percent}
    where user_id = ${userId} and subject = 'storage' and percent > ${percent}`.execute(tx)
}
