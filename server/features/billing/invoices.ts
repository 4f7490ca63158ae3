import type { Invoice } from '@keepsnap/contract/billing.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { isUnknownCustomer } from '../../ports/payments/payments.ts'
import { customerOfUser } from './customers.ts'
import { withoutTakenBack } from './disputes.ts'
import { requirePayments } from './prices.ts'

const nothingPaid = 'You have not paid for a plan, so there are no invoices.'

/** What a user paid, newest first. */
export async function invoicesOf(
  { db, payments }: Pick<Dependencies, 'db' | 'payments'>,
  userId: string,
): Promise<Invoice[]> {
  if (!payments) return []
  const customerId = await customerOfUser(db, userId, payments.kind)
  if (customerId === undefined) return []
  const paid = await payments.paymentsOf(customerId).catch((error: unknown) => {
    if (isUnknownCustomer(error)) return []
    throw error
  })
  const refundable = new Set((await withoutTakenBack(db, customerId, paid)).map(({ id }) => id))
  return paid.slice(0, billingLimits.invoicesMax).map((payment) => ({
    id: payment.id,
    paid_at: payment.paidAt.toISOString(),
    amount_cents: payment.amountCents,
    refunded_cents: payment.refundedCents,
    ...(!refundable.has(payment.id) && { is_disputed: true }),
    url: payment.invoiceUrl,
  }))
}

/** The provider's page for a user's card and invoices. */
export async function portalUrlOf(
  { config, db, payments: sold }: Pick<Dependencies, 'config' | 'db' | 'payments'>,
  userId: string,
): Promise<string> {
  const payments = requirePayments(sold)
  const customerId = await customerOfUser(db, userId, payments.kind)
  if (customerId === undefined) throw new Fault('conflict', nothingPaid)
  const url = await payments.portalUrl(customerId, `${config.publicUrl}${pages.settings}`).catch((error: unknown) => {
    if (isUnknownCustomer(error)) throw new Fault('conflict', nothingPaid)
    throw error
  })
  if (url === null) throw new Fault('conflict', 'These payments are a demonstration: there is no card to manage.')
  return url
}
