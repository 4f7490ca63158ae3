import { sql } from 'kysely'
import { pages } from '@keepsnap/contract/site.ts'
import type { PlanEmail } from '@keepsnap/contract/emails.ts'
import { planIds, storageBytes } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Db } from '../../platform/db/connect.ts'
import { type Composer, emailContextOf, type EmailRow } from '../emails/compose.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { isActiveUser } from '../photos/queries.ts'
import { planOf } from './plans.ts'
import { archiveMinDays, pendingRemovalOf, restorablePhotosOf } from './over-limit-photos.ts'
import type { UsagePayload } from './usage.ts'

/** Who reads /admin; without such an account, the operator of the settings. */
async function operatorsToTell(tx: Db, ownAddress: string): Promise<{ userId?: string; recipient: string }[]> {
  const admins = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('is_admin', '=', true)
    .where('is_active', '=', true)
    .execute()
  return admins.length > 0
    ? admins.map(({ id, email }) => ({ userId: id, recipient: email }))
    : [{ recipient: ownAddress }]
}

/** Queues the emails about a disputed payment to the operators, once. */
export async function tellOfDispute(
  { config, db }: Pick<Dependencies, 'config' | 'db'>,
  disputeId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('disputes')
      .set({ told_at: sql<Date>`now()` })
      .where('id', '=', disputeId)
      .where('told_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    for (const to of await operatorsToTell(tx, config.operator.email))
      await queueEmail(tx, { ...to, id: newId(), kind: 'payment-disputed', payload: { disputeId } })
  })
}

/** Composes the email to an operator, in the language of that account; not when the customer is deleted. */
export const disputeEmailComposer = ({
  config,
  guestRenderer,
}: Pick<Dependencies, 'config' | 'guestRenderer'>): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    const { disputeId } = payload as unknown as { disputeId: string } // only tellOfDispute writes it
    const dispute = await tx
      .selectFrom('disputes')
      .innerJoin('billing_customers', 'billing_customers.customer_id', 'disputes.customer_id')
      .innerJoin('users', 'users.id', 'billing_customers.user_id')
      .select(['users.id as userId', 'users.email', 'amount_cents', 'reason', 'opened_at', 'respond_by'])
      .where('disputes.id', '=', disputeId)
      .executeTakeFirst()
    if (!dispute) return 'obsolete'
    return guestRenderer.renderEmail(
      {
        kind: 'payment-disputed',
        account: dispute.email,
        amountCents: dispute.amount_cents,
        reason: dispute.reason,
        at: dispute.opened_at.toISOString(),
        respondBy: dispute.respond_by?.toISOString() ?? null,
        url: `${config.publicUrl}${pages.admin}?user=${dispute.userId}`,
      },
      await emailContextOf(tx, userId, config),
    )
  },
})

type EmailDependencies = Pick<Dependencies, 'config' | 'guestRenderer'>

/** What `applyEffects` stored. */
const planPayload = ({ payload }: EmailRow) =>
  payload as unknown as { plan: string; at: string | null; amountCents: number | null } // only applyEffects writes it

/** The name of a complimentary plan that includes more than this one and counts instead; null without one. */
async function betterPlan(tx: Db, userId: string, than: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select better.name from users join plans better on better.id = granted_plan and better.id = current_plan(users)
      join plans paid on paid.id = ${than} and paid.position < better.position
    where users.id = ${userId}`.execute(tx)
  return rows[0]?.name ?? null
}

const planComposer = ({ config, guestRenderer }: EmailDependencies, kind: PlanEmail['kind']): Composer => ({
  async compose(row, tx) {
    const { plan: id, at, amountCents } = planPayload(row)
    const { name: planName, price_cents: priceCents, interval_type: interval } = planOf({ plan: id })
    const { payments } = config
    const url = `${config.publicUrl}${kind === 'plan-ended' || kind === 'first-payment-failed' ? pages.pricing : pages.settings}`
    const isDemo = payments.kind === 'demo'
    const coveredBy = row.user_id === null ? null : await betterPlan(tx, row.user_id, id)
    const email: PlanEmail = { kind, planName, priceCents, interval, at, coveredBy, amountCents, url, isDemo }
    return guestRenderer.renderEmail(email, await emailContextOf(tx, row.user_id, config))
  },
})

/** The emails about plans and payments. They contain no promotion. */
export const planEmailComposers = (deps: EmailDependencies): Record<PlanEmail['kind'], Composer> => ({
  'plan-started': planComposer(deps, 'plan-started'),
  'payment-failed': planComposer(deps, 'payment-failed'),
  'first-payment-failed': planComposer(deps, 'first-payment-failed'),
  'plan-changed': planComposer(deps, 'plan-changed'),
  'plan-cancelled': planComposer(deps, 'plan-cancelled'),
  'plan-resumed': planComposer(deps, 'plan-resumed'),
  'plan-ended': planComposer(deps, 'plan-ended'),
  'payment-refunded': planComposer(deps, 'payment-refunded'),
})

type KeepingEmailDependencies = Pick<Dependencies, 'urls' | 'tokens' | 'guestRenderer' | 'config'>

/** How long an email waits for the archive that it links to; after that it is sent without the link. */
const archiveWaitHours = 6

interface ArchiveState {
  /** Null while it is not ready. */
  expiresAt: Date | null
  id: string | null
  /** The hash of the token in its download link. */
  secretHash: Buffer | null
  isAwaited: boolean
}

/** The archive that an email may link to, or whether it is worth waiting for one. */
async function archiveFor(tx: Db, { id: emailId, user_id: userId }: EmailRow): Promise<ArchiveState | undefined> {
  const { rows } = await sql<ArchiveState>`
    select archives.id, archives.secret_hash as "secretHash",
      case when archives.state = 'ready' and archives.expires_at > now() + make_interval(days => ${archiveMinDays})
        then archives.expires_at end as "expiresAt",
      emails.created_at > now() - make_interval(hours => ${archiveWaitHours})
        and not (coalesce(archives.state = 'failed', false) and archives.requested_at >= emails.created_at) as "isAwaited"
    from emails left join archives on archives.user_id = emails.user_id
    where emails.id = ${emailId} and emails.user_id = ${userId}`.execute(tx)
  return rows[0]
}

async function isUserActiveTwo(tx: Db, userId: string): Promise<boolean> {
  const user = await tx.selectFrom('users').select('is_active').where('id', '=', userId).executeTakeFirst()
  return user?.is_active === true
}

/** Announces a removal with what would be removed at the time of sending. Not sent when nothing would be. */
const removalComposer = (deps: KeepingEmailDependencies): Composer => ({
  async compose(row, tx) {
    const { user_id: userId } = row
    if (userId === null || !(await isUserActiveTwo(tx, userId))) return 'obsolete'
    const pending = await pendingRemovalOf(tx, userId)
    if (!pending) return 'obsolete'
    const archive = await archiveFor(tx, row)
    if (!archive?.expiresAt && archive?.isAwaited) return 'not ready'
    const plan = planOf(pending)
    return deps.guestRenderer.renderEmail(
      {
        kind: 'removal',
        photos: pending.photos,
        bytes: pending.bytes,
        storedBytes: pending.storedBytes,
        planName: plan.name,
        planBytes: storageBytes(plan),
        removeAt: pending.removeAt.toISOString(),
        archive:
          (archive?.expiresAt &&
            archive.id !== null && {
              url: deps.urls.archiveDownload(
                deps.tokens.account('archive', archive.id, archive.secretHash ?? undefined),
              ),
              expiresAt: archive.expiresAt.toISOString(),
            }) ||
          null,
      },
      await emailContextOf(tx, userId, deps.config),
    )
  },
  async onStatusChange(tx, { state, user_id: userId }) {
    // The next email may be due as well, or the removal.
    if (state !== 'sent' || userId === null) return
    await enqueue(tx, { name: 'check-kept-photos', payload: {}, key: 'check-kept-photos' })
  },
})

/** Says what was removed and until when it can be restored. Not sent once it has been restored. */
const removedComposer = (deps: KeepingEmailDependencies): Composer => ({
  async compose({ user_id: userId }, tx) {
    if (userId === null || !(await isUserActiveTwo(tx, userId))) return 'obsolete'
    const removed = await restorablePhotosOf(tx, userId)
    if (!removed) return 'obsolete'
    const plan = planOf(removed)
    return deps.guestRenderer.renderEmail(
      {
        kind: 'removed',
        photos: removed.photos,
        bytes: removed.bytes,
        planName: plan.name,
        planBytes: storageBytes(plan),
        restorableUntil: removed.until.toISOString(),
      },
      await emailContextOf(tx, userId, deps.config),
    )
  },
})

/** The emails about photos that do not fit into a plan. */
export const keepingEmailComposers = (deps: KeepingEmailDependencies) => ({
  removal: removalComposer(deps),
  removed: removedComposer(deps),
})

/** Composes the email about a threshold of a plan. It is not sent to a deactivated account, nor once its month is over. */
export const usageEmailComposer = ({
  guestRenderer,
  config,
}: Pick<Dependencies, 'guestRenderer' | 'config'>): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    // Only `queueUsageWarning` writes it.
    const { subject, percent, used, plan: planId, monthEndsAt } = payload as unknown as UsagePayload
    if (userId === null || !(await isActiveUser(tx, userId))) return 'obsolete'
    if (monthEndsAt !== null && Date.parse(monthEndsAt) < Date.now()) return 'obsolete'
    const plan = planOf({ plan: planId })
    const limit = subject === 'photos' ? plan.features.max_photos : storageBytes(plan)
    return guestRenderer.renderEmail(
      {
        kind: 'usage',
        subject,
        isFull: percent >= 100,
        used,
        limit,
        planName: plan.name,
        isLargestPlan: plan.id === planIds.at(-1),
        monthEndsAt,
      },
      await emailContextOf(tx, userId, config),
    )
  },
})
