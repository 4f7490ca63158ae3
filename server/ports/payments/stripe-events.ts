import { isUtf8 } from 'node:buffer'
import type Stripe from 'stripe'
import { InvalidWebhook, type PaymentEvent } from './payments.ts'
import type { StripeCalls } from './stripe-calls.ts'
import { idOf } from './stripe-views.ts'

/** The events that Keepsnap needs; a webhook endpoint at Stripe is set up with these. At most 20, by Stripe's list of events. */
export const stripeEventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const

const toleranceSeconds = 300
const dayMs = 24 * 60 * 60 * 1000
/** Stripe keeps events for 30 days. */
const keptDays = 30
/** In one day; more are an error. */
const mostEventsPerDay = 100_000

/** The customer whom an event concerns: the object itself, or the one that it names. */
function customerOf(object: { object?: unknown; id?: unknown; customer?: unknown }): string | null {
  const { customer } = object
  if (object.object === 'customer') return typeof object.id === 'string' ? object.id : null
  if (typeof customer === 'string') return customer
  const isExpanded = typeof customer === 'object' && customer !== null && 'id' in customer
  return isExpanded && typeof customer.id === 'string' ? customer.id : null
}

function eventView({ id, type, created, data }: Stripe.Event): PaymentEvent {
  const event = { id, type, createdAt: new Date(created * 1000) }
  if (data.object.object === 'dispute') {
    const paymentId = idOf(data.object.charge)
    return { ...event, customerId: null, ...(paymentId !== null && { paymentId }) }
  }
  return { ...event, customerId: customerOf(data.object) }
}

/** The time in a header of signatures, in seconds; the package takes the last one too. */
const signedAt = (header: string): number =>
  Number.parseInt(
    header
      .split(',')
      .findLast((part) => /^t=\d/.test(part))
      ?.slice(2) ?? '',
    10,
  )

/** Reads webhooks that were signed with a secret, of live or of test mode; `now` in milliseconds. */
export function webhookReader({ webhooks }: Pick<Stripe, 'webhooks'>, secret: string, isLive: boolean) {
  const verify = (body: Buffer, header: string): Stripe.Event => {
    // Bytes that are not UTF-8 would be replaced before the signature is computed.
    if (!isUtf8(body)) throw new InvalidWebhook('the body is not UTF-8')
    try {
      // Without tolerance for the time, which is checked after the signature.
      return webhooks.constructEvent(body.toString(), header, secret, 0)
    } catch (error) {
      throw new InvalidWebhook(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'not verified')
    }
  }
  return (body: Buffer, header: string | undefined, now: number): PaymentEvent => {
    if (!header) throw new InvalidWebhook('there is no signature')
    const event: Partial<Stripe.Event> | null = verify(body, header)
    const ageSeconds = now / 1000 - signedAt(header)
    if (!(Math.abs(ageSeconds) <= toleranceSeconds))
      throw new InvalidWebhook(`it was signed ${Math.round(ageSeconds)} s ago`, { isTimeOff: true })
    if (!event || !isEvent(event)) throw new InvalidWebhook('the body is not an event')
    if (event.livemode !== isLive) throw new InvalidWebhook(`an event of ${isLive ? 'test' : 'live'} mode`)
    return eventView(event)
  }
}

/** What is signed is Stripe's, but not always an event of this kind. */
function isEvent(event: Partial<Stripe.Event>): event is Stripe.Event {
  const { object, id, type, created, data } = event
  const hasData = typeof data?.object === 'object' && data.object !== null
  return (
    object === 'event' && typeof id === 'string' && typeof type === 'string' && Number.isInteger(created) && hasData
  )
}

/**
 * Events of the types that Keepsnap needs, oldest first. Stripe lists the newest first, so they are read day by day from the
 * oldest. This machine's clock affects only the number of requests, not which events are read.
 */
export async function* stripeEventsSince(
  stripe: Stripe,
  { list }: StripeCalls,
  time: Date,
): AsyncGenerator<PaymentEvent> {
  const days = Math.min(keptDays, Math.max(1, Math.ceil((Date.now() - time.getTime()) / dayMs)))
  for (let day = 0; day < days; day += 1) {
    const from = Math.floor((time.getTime() + day * dayMs) / 1000)
    const created = { gte: from, ...(day + 1 < days && { lt: from + dayMs / 1000 }) }
    const events = await list(async (page) => {
      const { data, has_more } = await stripe.events.list({ created, types: [...stripeEventTypes], ...page })
      return { data: data.map(eventView), has_more }
    }, mostEventsPerDay)
    if (events.length >= mostEventsPerDay) throw new Error('Stripe lists too many events of one day')
    yield* events.toReversed()
  }
}
