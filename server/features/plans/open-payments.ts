import type { Config } from '../../config.ts'
import type { Db } from '../../platform/db/connect.ts'
import { demoPayments, type DemoPayments } from '../../ports/payments/demo.ts'
import type { PaymentEvent, Payments } from '../../ports/payments/payments.ts'
import { storePaymentEvent } from './payment-events.ts'

/**
 * The payment provider of the settings, also as `demo` when payments are a demonstration; both undefined where plans are not sold.
 * Stripe's client is large, so it is loaded only when it is used.
 */
export async function openPayments(
  { payments, publicUrl }: Pick<Config, 'payments' | 'publicUrl'>,
  db: Db,
): Promise<{ payments: Payments | undefined; demo: DemoPayments | undefined }> {
  if (payments.kind === 'off') return { payments: undefined, demo: undefined }
  if (payments.kind === 'stripe') {
    const { stripePayments } = await import('../../ports/payments/stripe.ts')
    return { payments: await stripePayments(payments), demo: undefined }
  }
  // An event is a hint to ask for the customer's state, as a webhook would be.
  const onEvent = async (tx: Db, event: PaymentEvent): Promise<void> =>
    void (await storePaymentEvent(tx, 'demo', event))
  const demo = demoPayments({ db, publicUrl, onEvent })
  return { payments: demo, demo }
}
