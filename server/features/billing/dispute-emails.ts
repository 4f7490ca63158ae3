import { sql } from 'kysely'
import { pages } from '@keepsnap/contract/pages.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Db } from '../../db/connect.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Composer } from '../../emails/composers.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'

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
