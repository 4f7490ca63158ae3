import { paymentWebhook } from '@keepsnap/contract/billing.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import type { Serve } from '../../http/serve.ts'
import { InvalidWebhook, type PaymentEvent, type Payments } from '../../ports/payments/payments.ts'
import { createEventBatcher } from './event-batches.ts'
import { createWebhookRecorder, storePaymentEvents } from './payment-events.ts'

const refusal = (): Fault => new Fault('bad_request', 'This is not a valid event of the payment provider.')

function readEvent(
  payments: Payments,
  { log, metrics }: Pick<Dependencies, 'log' | 'metrics'>,
  { body, signature }: { body: Buffer; signature: string | undefined },
): PaymentEvent {
  try {
    return payments.readWebhook(body, signature)
  } catch (error) {
    if (!(error instanceof InvalidWebhook)) throw error
    metrics.count('keepsnap_payment_webhooks_total', { outcome: 'refused' })
    if (error.isTimeOff)
      log.error(
        { err: error },
        'a webhook was refused because of its time: the clock of this machine may be wrong, or an old webhook was sent again',
      )
    else log.warn({ err: error }, 'a webhook was refused')
    throw refusal()
  }
}

/** POST /payments/webhook: stores the provider's events; jobs then read the state itself. docs/security.md T25. */
export function paymentWebhookRoutes(
  serve: Serve,
  { db, log, metrics, payments }: Pick<Dependencies, 'db' | 'log' | 'metrics' | 'payments'>,
): void {
  const recordWebhook = createWebhookRecorder(db)
  const storeEvent = createEventBatcher((events) =>
    db.transaction().execute((tx) => storePaymentEvents(tx, payments?.kind ?? 'stripe', events)),
  )
  serve(paymentWebhook, async (_, { req }) => {
    if (!payments) throw refusal()
    // The endpoint is declared with raw bodies.
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
    const signature = req.headers['stripe-signature']
    const event = readEvent(
      payments,
      { log, metrics },
      { body, signature: typeof signature === 'string' ? signature : undefined },
    )
    const isNew = await storeEvent(event)
    metrics.count('keepsnap_payment_webhooks_total', { outcome: isNew ? 'new' : 'repeated' })
    await recordWebhook()
    return { received: true as const, ...(!isNew && { repeated: true }) }
  })
}
