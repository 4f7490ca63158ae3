import { billingLimits } from '@keepsnap/contract/limits.ts'
import { refundUser } from '@keepsnap/contract/operator-users.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Db } from '../../db/connect.ts'
import { actAsOperator, requireConfirmedOperator, userSubject } from '../../domain/operator-actions.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { PaymentRefused } from '../../ports/payments/payments.ts'
import { customerOfUser } from './customers.ts'
import { refundableUntil } from './entitlement.ts'
import { addOperatorRefund, finishOperatorRefund, refundableCents } from './refunds.ts'
import { hasFullRefund, unfinishedFullRefund } from './refund-queries.ts'
import { syncIfKnown } from './sync-customer.ts'
import { lockCustomer } from './sync-queries.ts'

const nothingPaid = (): Fault => new Fault('conflict', 'This account has no payments to refund.')

type BillingOperatorDependencies = Pick<Dependencies, 'db' | 'log' | 'payments'>

/** Refunds by an operator, within the same days as refunds requested by the customer. */
export function billingOperatorRoutes(serve: Serve, deps: BillingOperatorDependencies): void {
  const { db, payments } = deps
  serve(refundUser, async ({ params: { user_id: userId }, body: { reason } }, { actor: operator }) => {
    if (!isId(userId)) throw new Fault('not_found', 'There is no such account.')
    await requireConfirmedOperator(db, operator)
    const customerId = payments && (await customerOfUser(db, userId, payments.kind))
    // A payment may have been made a moment ago.
    const isKnown = customerId !== undefined && (await syncIfKnown(deps, customerId))
    const leftCents = payments && isKnown ? await refundableCents({ db, payments }, customerId) : 0
    const subject = await userSubject(db, userId)
    await actAsOperator(db, { operator, action: 'refund', subject, reason }, async (tx) => {
      if (!subject) throw new Fault('not_found', 'There is no such account.')
      if (customerId === undefined || !isKnown) throw nothingPaid()
      await storeRefund(tx, customerId, leftCents)
    })
    return { refunded_cents: customerId === undefined ? 0 : await refundNow(deps, customerId) }
  })
}

/** Stores the intent; throws 409 when nothing can be refunded. `leftCents`: paid and not refunded. */
async function storeRefund(tx: Db, customerId: string, leftCents: number): Promise<void> {
  const customer = await lockCustomer(tx, customerId)
  if (!customer?.firstPaidAt) throw nothingPaid()
  if (await unfinishedFullRefund(tx, customerId)) return
  if (await hasFullRefund(tx, customerId))
    throw new Fault('conflict', 'This account has already had a refund. Each account can have one.')
  if (leftCents === 0) throw nothingPaid()
  if (customer.now >= refundableUntil(customer.firstPaidAt))
    throw new Fault('conflict', `The first payment was more than ${billingLimits.refundDays} days ago.`)
  await addOperatorRefund(tx, customerId)
}

async function refundNow(deps: BillingOperatorDependencies, customerId: string): Promise<number> {
  return finishOperatorRefund(deps, customerId).catch((error: unknown) => {
    if (!(error instanceof PaymentRefused)) throw error
    deps.log.error({ err: error, customer: customerId }, 'the payment provider refused to give a payment back')
    throw new Fault('unavailable', 'The refund is stored and not complete yet. It will be tried again by itself.')
  })
}
