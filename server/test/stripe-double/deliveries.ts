import { createHmac } from 'node:crypto'
import type { StripeEvent } from './objects.ts'

/** A webhook as Stripe sends it. */
export interface SignedWebhook {
  body: Buffer
  headers: { 'content-type': string; 'stripe-signature': string }
}

/** Receives a webhook as our server does; resolves with the status of the answer. */
export type WebhookHandler = (webhook: SignedWebhook) => Promise<number>

export interface Deliveries {
  /** Events that were not delivered successfully, in the order in which they happened. */
  held(): StripeEvent[]
  /** From now on, events are delivered when they happen (`idle` waits for that), or held until `deliver`. */
  hold(isHeld: boolean): void
  /** Delivers events now, one after the other; the statuses of the answers. Without a list: those that are held. */
  deliver(events?: readonly StripeEvent[]): Promise<number[]>
  /** Delivers them at the same time. */
  deliverAtOnce(events: readonly StripeEvent[]): Promise<number[]>
  /** Forgets what is held: it is never delivered. */
  drop(): void
  /** Where webhooks go. */
  receiver(receive: WebhookHandler): void
  /** Waits for the deliveries that have begun. */
  idle(): Promise<void>
  /** Signs an event, or other bytes, at a time in seconds. */
  webhook(event: StripeEvent | Buffer, options?: { secret?: string; signedAt?: number }): SignedWebhook
  /** Called for each new event. */
  onEvent(event: StripeEvent): void
}

/** Signs as Stripe does: `t` is the time of signing, `v1` the HMAC-SHA256 over `t.body`. */
function signatureHeader(body: Buffer, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
}

export function createDeliveries(webhookSecret: string): Deliveries {
  let held: StripeEvent[] = []
  let isHeld = true
  let receive: WebhookHandler | undefined
  let running: Promise<unknown> = Promise.resolve()

  const webhook: Deliveries['webhook'] = (event, options = {}) => {
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
    held: () => [...held],
    hold(value) {
      isHeld = value
    },
    async deliver(events = held) {
      const statuses = []
      for (const event of events) statuses.push(await deliverOne(event))
      return statuses
    },
    deliverAtOnce: (events) => Promise.all(events.map(deliverOne)),
    drop() {
      held = []
    },
    receiver(receiver) {
      receive = receiver
    },
    idle: async () => void (await running),
    onEvent(event) {
      held.push(event)
      if (isHeld) return
      running = running.then(() => deliverOne(event))
      // `idle` reports a failure.
      running.catch(() => {})
    },
  }
}
