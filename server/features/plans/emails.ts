import { sql } from 'kysely'
import { pages } from '@keepsnap/contract/site.ts'
import type { PlanEmail, WithdrawalEmail } from '@keepsnap/contract/emails.ts'
import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import { withdrawalLimits } from '@keepsnap/contract/limits.ts'
import { planIds, storageBytes } from '@keepsnap/contract/plans.ts'
import type { WithdrawalState } from '@keepsnap/contract/operator-withdrawals.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Db } from '../../platform/db/connect.ts'
import { type Composer, emailContextOf, isActiveUser } from '../emails/compose.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { planOf } from './plans.ts'
import { archiveMinDays, pendingRemovalOf, restorablePhotosOf } from './over-limit-photos.ts'
import type { UsagePayload } from './usage.ts'
import { isSampleSupportEmail } from '../../ports/mail/mail-settings.ts'
import {
  decidedState,
  lastSecondBefore,
  readWithdrawal,
  type ReceiptPayload,
  withdrawalLink,
  type WithdrawalRow,
} from './withdrawals.ts'
import { withdrawalEnd } from './withdrawal-refunds.ts'

/** The emails about plans, payments and storage. They contain no promotion. */
export const planEmails = (deps: Dependencies) => ({
  'plan-started': planComposer(deps, 'plan-started'),
  'payment-failed': planComposer(deps, 'payment-failed'),
  'first-payment-failed': planComposer(deps, 'first-payment-failed'),
  'plan-changed': planComposer(deps, 'plan-changed'),
  'plan-cancelled': planComposer(deps, 'plan-cancelled'),
  'plan-resumed': planComposer(deps, 'plan-resumed'),
  'plan-ended': planComposer(deps, 'plan-ended'),
  'payment-refunded': planComposer(deps, 'payment-refunded'),
  'payment-disputed': disputeComposer(deps),
  usage: usageComposer(deps),
  removal: removalComposer(deps),
  removed: removedComposer(deps),
  'withdrawal-received': withdrawalComposer(deps),
})

/** To an operator, in the language of that account; not when the customer is deleted. */
const disputeComposer = ({ config, guestRenderer }: Dependencies): Composer => ({
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

/** The receipt of a withdrawal, to its address, in the language of the page; with what is known when it is sent. */
const withdrawalComposer = ({ config, guestRenderer, tokens }: Dependencies): Composer => ({
  async compose({ payload, recipient }, tx) {
    const { withdrawalId, isFirst } = payload as unknown as ReceiptPayload // only `queueReceipt` writes it
    const stored = await readWithdrawal(tx, withdrawalId)
    // Another receipt says more.
    if (!stored || (isFirst && stored.state !== 'received')) return 'obsolete'
    // An operator may have found the contract of another address meanwhile, which this one must not learn about, nor end.
    const row: typeof stored = (await isOfAnother(tx, stored, recipient))
      ? { ...stored, state: 'unmatched', invoiceId: null, plan: null, concludedAt: null }
      : stored
    const found = foundOf((await decidedState(tx, row)).state)
    const plan = row.plan === null ? null : planOf({ plan: row.plan })
    const urls = { link: withdrawalLink({ config, tokens }, row), late: `${config.publicUrl}${pages.settings}` }
    const email = guestRenderer.renderEmail(
      {
        kind: 'withdrawal-received',
        name: row.name,
        address: row.email,
        contract: row.contract,
        at: row.madeAt.toISOString(),
        found,
        planName: plan?.name ?? null,
        concludedAt: row.concludedAt?.toISOString() ?? null,
        until: row.concludedAt && lastSecondBefore(withdrawalEnd(row.concludedAt)),
        decideBy: new Date(row.madeAt.getTime() + withdrawalLimits.decideDays * 86_400_000).toISOString(),
        url: found === 'link' || found === 'late' ? urls[found] : `${config.publicUrl}${pages.support}`,
        isDemo: config.payments.kind === 'demo',
      },
      // The time in which the law counts.
      { ...(await emailContextOf(tx, null, config)), language: row.language, timeZone: 'Europe/Brussels' },
    )
    return { ...email, ...(!isSampleSupportEmail(config) && { replyTo: { address: config.supportEmail } }) }
  },
})

/** Whether a withdrawal without a session is from the contract of an account with another address than this one. */
async function isOfAnother(
  tx: Db,
  { userId, sessionInvoiceId }: Pick<WithdrawalRow, 'userId' | 'sessionInvoiceId'>,
  address: string,
): Promise<boolean> {
  if (userId === null || sessionInvoiceId !== null) return false
  const user = await tx.selectFrom('users').select('email_key').where('id', '=', userId).executeTakeFirst()
  return user !== undefined && user.email_key !== normalizeEmail(address)
}

function foundOf(state: WithdrawalState): WithdrawalEmail['found'] {
  if (state === 'accepted' || state === 'done') return 'accepted'
  const others = { received: 'looking', waiting: 'link', dismissed: 'closed' } as const
  return state === 'unmatched' || state === 'late' ? state : others[state]
}

interface PlanPayload {
  plan: string
  at: string | null
  amountCents: number | null
}

/** A plan that has started, changed, ended, or whose payment failed or was refunded. */
const planComposer = ({ config, guestRenderer }: Dependencies, kind: PlanEmail['kind']): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    // Only applyEffects writes it.
    const { plan: id, at, amountCents } = payload as unknown as PlanPayload
    const { name: planName, price_cents: priceCents, interval_type: interval } = planOf({ plan: id })
    const url = `${config.publicUrl}${kind === 'plan-ended' || kind === 'first-payment-failed' ? pages.pricing : pages.settings}`
    const isDemo = config.payments.kind === 'demo'
    // A complimentary plan that includes more than this one and counts instead.
    const { rows: better } = await sql<{ name: string }>`
      select better.name from users join plans better on better.id = granted_plan and better.id = current_plan(users)
        join plans paid on paid.id = ${id} and paid.position < better.position
      where users.id = ${userId}`.execute(tx)
    const coveredBy = better[0]?.name ?? null
    const email: PlanEmail = { kind, planName, priceCents, interval, at, coveredBy, amountCents, url, isDemo }
    return guestRenderer.renderEmail(email, await emailContextOf(tx, userId, config))
  },
})

/** How long an email waits for the archive that it links to; after that it is sent without the link. */
const archiveWaitHours = 6

/** Announces a removal with what would be removed at the time of sending. Not sent when nothing would be. */
const removalComposer = ({ config, guestRenderer, tokens, urls }: Dependencies): Composer => ({
  async compose({ id: emailId, user_id: userId }, tx) {
    if (userId === null || !(await isActiveUser(tx, userId))) return 'obsolete'
    const pending = await pendingRemovalOf(tx, userId)
    if (!pending) return 'obsolete'
    // The archive that the email may link to, which expires late enough, or whether it is worth waiting for one.
    const { rows } = await sql<{ id: string; secretHash: Buffer | null; expiresAt: Date | null; isAwaited: boolean }>`
      select archives.id, archives.secret_hash as "secretHash",
        case when archives.state = 'ready' and archives.expires_at > now() + make_interval(days => ${archiveMinDays})
          then archives.expires_at end as "expiresAt",
        emails.created_at > now() - make_interval(hours => ${archiveWaitHours})
          and not (coalesce(archives.state = 'failed', false) and archives.requested_at >= emails.created_at) as "isAwaited"
      from emails left join archives on archives.user_id = emails.user_id
      where emails.id = ${emailId} and emails.user_id = ${userId}`.execute(tx)
    const [archive] = rows
    if (!archive?.expiresAt && archive?.isAwaited) return 'not ready'
    const plan = planOf(pending)
    return guestRenderer.renderEmail(
      {
        kind: 'removal',
        photos: pending.photos,
        bytes: pending.bytes,
        storedBytes: pending.storedBytes,
        planName: plan.name,
        planBytes: storageBytes(plan),
        removeAt: pending.removeAt.toISOString(),
        archive: archive?.expiresAt
          ? {
              url: urls.archiveDownload(tokens.account('archive', archive.id, archive.secretHash ?? undefined)),
              expiresAt: archive.expiresAt.toISOString(),
            }
          : null,
      },
      await emailContextOf(tx, userId, config),
    )
  },
  async onStatusChange(tx, { state, user_id: userId }) {
    // The next email may be due as well, or the removal.
    if (state !== 'sent' || userId === null) return
    await enqueue(tx, { name: 'check-kept-photos', payload: {}, key: 'check-kept-photos' })
  },
})

/** Says what was removed and until when it can be restored. Not sent once it has been restored. */
const removedComposer = ({ config, guestRenderer }: Dependencies): Composer => ({
  async compose({ user_id: userId }, tx) {
    if (userId === null || !(await isActiveUser(tx, userId))) return 'obsolete'
    const removed = await restorablePhotosOf(tx, userId)
    if (!removed) return 'obsolete'
    const plan = planOf(removed)
    return guestRenderer.renderEmail(
      {
        kind: 'removed',
        photos: removed.photos,
        bytes: removed.bytes,
        planName: plan.name,
        planBytes: storageBytes(plan),
        restorableUntil: removed.until.toISOString(),
      },
      await emailContextOf(tx, userId, config),
    )
  },
})

/** A threshold of a plan. Not sent to a deactivated account, nor once its month is over. */
const usageComposer = ({ config, guestRenderer }: Dependencies): Composer => ({
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

/** Queues the emails about a disputed payment to the operators, once. */
export async function tellOfDispute({ config, db }: Dependencies, disputeId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('disputes')
      .set({ told_at: sql<Date>`now()` })
      .where('id', '=', disputeId)
      .where('told_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    const admins = await tx
      .selectFrom('users')
      .select(['id as userId', 'email as recipient'])
      .where('is_admin', '=', true)
      .where('is_active', '=', true)
      .execute()
    // Who reads /admin; without such an account, the operator of the settings.
    for (const to of admins.length > 0 ? admins : [{ recipient: config.operator.email }])
      await queueEmail(tx, { ...to, id: newId(), kind: 'payment-disputed', payload: { disputeId } })
  })
}
