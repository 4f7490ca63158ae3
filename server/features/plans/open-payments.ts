import type { Config } from '../../config.ts'
import type { Db } from '../../platform/db/connect.ts'
import { storePaymentEvent } from './payment-events.ts'
import { demoPayments, type DemoPayments } from '../../ports/payments/demo.ts'
import type { PaymentEvent, Payments } from '../../ports/payments/payments.ts'

/** The payment provider of the settings; both undefined where plans are not sold. */
export interface OpenPayments {
  payments: Payments | undefined
  /** The same, when payments are a demonstration: what only that has. */
  demo: DemoPayments | undefined
}

/** An event of demo payments is a hint to ask for the customer's state, as a webhook would be. */
async function onDemoEvent(tx: Db, event: PaymentEvent): Promise<void> {
  await storePaymentEvent(tx, 'demo', event)
}

/** Opens the payment provider of the settings. Stripe's client is large, so it is loaded only when it is used. */
export async function openPayments(
  { payments, publicUrl }: Pick<Config, 'payments' | 'publicUrl'>,
  db: Db,
): Promise<OpenPayments> {
  if (payments.kind === 'off') return { payments: undefined, demo: undefined }
  if (payments.kind === 'stripe') {
    const { stripePayments } = await import('../../ports/payments/stripe.ts')
    return { payments: await stripePayments(payments), demo: undefined }
  }
  const demo = demoPayments({ db, publicUrl, onEvent: onDemoEvent })
  return { payments: demo, demo }
}
