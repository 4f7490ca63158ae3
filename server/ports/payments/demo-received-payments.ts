import { billingLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { lockDemoCustomer } from './demo-customer.ts'
import type { DemoStore } from './demo-store.ts'
import { PaymentRefused, type Payment } from './payments.ts'

/** Refunds the rest of a payment; the same key again returns the same cents. */
export async function refund(store: DemoStore, paymentId: string, idempotencyKey: string): Promise<number> {
  const select = (db: Db) => db.selectFrom('demo_payments').selectAll().where('id', '=', paymentId)
  const found = await select(store.db).executeTakeFirst()
  if (!found) throw new PaymentRefused(`there is no payment ${paymentId}`)
  return lockDemoCustomer(store, found.customer_id, async ({ tx, record }) => {
    const {
      refund_key: key,
      refunded_cents: refunded,
      amount_cents: amount,
    } = await select(tx).executeTakeFirstOrThrow()
    if (key !== null) return key === idempotencyKey ? refunded : 0
    await tx
      .updateTable('demo_payments')
      .set({ refunded_cents: amount, refund_key: idempotencyKey })
      .where('id', '=', paymentId)
      .execute()
    await record('charge.refunded')
    return amount
  })
}

/** The refunded cents of a payment. */
export async function refundedCents({ db }: DemoStore, paymentId: string): Promise<number> {
  const row = await db
    .selectFrom('demo_payments')
    .select('refunded_cents')
    .where('id', '=', paymentId)
    .executeTakeFirst()
  return row?.refunded_cents ?? 0
}

/** Payments of a customer, newest first. */
export async function paymentsOf(store: DemoStore, customerId: string): Promise<Payment[]> {
  const rows = await lockDemoCustomer(store, customerId, ({ tx }) =>
    tx
      .selectFrom('demo_payments')
      .selectAll()
      .where('customer_id', '=', customerId)
      .orderBy('paid_at', 'desc')
      .orderBy('id')
      .limit(billingLimits.invoicesMax)
      .execute(),
  )
  return rows.map((row) => ({
    id: row.id,
    subscriptionId: row.subscription_id,
    paidAt: row.paid_at,
    amountCents: row.amount_cents,
    refundedCents: row.refunded_cents,
    isDisputed: false,
    currency: 'usd',
    invoiceUrl: null,
  }))
}
