import { createHmac } from 'node:crypto'
import type { StripeEvent } from './objects.ts'

/** A webhook as Stripe sends it. */
interface SignedWebhook {
  body: Buffer
  headers: { 'content-type': string; 'stripe-signature': string }
}

/** Receives a webhook as our server does; resolves with the status of the answer. */
type WebhookHandler = (webhook: SignedWebhook) => Promise<number>

/** Signs as Stripe does: `t` is the time of signing, `v1` the HMAC-SHA256 over `t.body`. */
function signatureHeader(body: Buffer, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
}

export function createDeliveries(webhookSecret: string) {
  let held: StripeEvent[] = []
  let isHeld = true
  let receive: WebhookHandler | undefined
  let running: Promise<unknown> = Promise.resolve()

  /** Signs an event, or other bytes, at a time in seconds. */
  const webhook = (
    event: StripeEvent | Buffer,
    options: { secret?: string; signedAt?: number } = {},
  ): SignedWebhook => {
    const body = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event, null, 2))
    const { secret = webhookSecret, signedAt = Math.floor(Date.now() / 1000) } = options
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureHeader(body, secret, signedAt),
    }
    return { body, headers }
  }
  async function deliverOne(event: StripeEvent): Promise<number> {
    if (!receive) throw new Error('webhooks go nowhere yet: call `receiver`')
    const status = await receive(webhook(event))
    if (status === 200) held = held.filter(({ id }) => id !== event.id)
    return status
  }
  return {
    webhook,
    /** Events that were not delivered successfully, in the order in which they happened. */
    held: () => [...held],
    /** From now on, events are delivered when they happen (`idle` waits for that), or held until `deliver`. */
    hold(value: boolean): void {
      isHeld = value
    },
    /** Delivers events now, one after the other; the statuses of the answers. Without a list: those that are held. */
    async deliver(events: readonly StripeEvent[] = held): Promise<number[]> {
      const statuses: number[] = []
      for (const event of events) statuses.push(await deliverOne(event))
      return statuses
    },
    /** Delivers them at the same time. */
    deliverAtOnce: (events: readonly StripeEvent[]) => Promise.all(events.map(deliverOne)),
    /** Forgets what is held: it is never delivered. */
    drop(): void {
      held = []
    },
    /** Where webhooks go. */
    receiver(receiver: WebhookHandler): void {
      receive = receiver
    },
    /** Waits for the deliveries that have begun. */
    idle: async () => void (await running),
    onEvent(event: StripeEvent): void {
      held.push(event)
      if (isHeld) return
      running = running.then(() => deliverOne(event))
      // `idle` reports a failure.
      running.catch(() => {})
    },
  }
}
