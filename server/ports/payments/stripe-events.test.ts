import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Stripe } from 'stripe'
import { startStripeDouble, type StripeDouble } from '../../test/stripe-double/stripe-double.ts'
import type { StripeEvent } from '../../test/stripe-double/objects.ts'
import { InvalidWebhook, type PaymentEvent, type Payments } from './payments.ts'
import { stripeEventTypes } from './stripe-events.ts'
import { connectStripe } from './test/connect-stripe.ts'

const daySeconds = 86_400
const now = (): number => Math.floor(Date.now() / 1000)

let double: StripeDouble
let payments: Payments
beforeAll(async () => {
  double = await startStripeDouble(afterAll)
  payments = await connectStripe(double)
})

async function someEvent(): Promise<StripeEvent> {
  const checkout = { priceId: double.prices.pro_monthly, successUrl: 'https://a.test', cancelUrl: 'https://a.test' }
  const customerId = await payments.createCustomer(
    { reference: 'ada', email: 'a@example.com' },
    double.store.newId('key'),
  )
  const { id } = await payments.openCheckout({ ...checkout, customerId, reference: 'ada' }, double.store.newId('key'))
  double.payCheckout(id)
  const event = double.eventsOf(customerId).find(({ type }) => type === 'invoice.paid')
  if (!event) throw new Error('nothing was paid')
  return event
}

describe('webhooks', () => {
  let event: StripeEvent
  let signed: (options?: { secret?: string; signedAt?: number }) => { body: Buffer; signature: string }
  beforeEach(async () => {
    event = await someEvent()
    signed = (options) => {
      const { body, headers } = double.webhooks.webhook(event, options)
      return { body, signature: headers['stripe-signature'] }
    }
  })
  const read = ({ body, signature }: { body: Buffer; signature: string }) => payments.readWebhook(body, signature)
  const error = (action: () => unknown): unknown => {
    try {
      return action()
    } catch (thrown) {
      return thrown
    }
  }

  test('a signed event is read', () => {
    const customerId = 'customer' in event.data.object ? event.data.object.customer : undefined
    expect(read(signed())).toEqual({
      id: event.id,
      type: 'invoice.paid',
      createdAt: new Date(event.created * 1000),
      customerId,
    })
  })

  test('the double signs as the package does', () => {
    const { body, signature } = signed({ signedAt: 1_700_000_000 })
    const options = { payload: body.toString(), secret: double.webhookSecret, timestamp: 1_700_000_000 }
    expect(signature).toBe(Stripe.webhooks.generateTestHeaderString(options))
  })

  test('one of several signatures is enough, as while the secret is replaced', () => {
    const { body, signature } = signed()
    expect(payments.readWebhook(body, `${signature},v1=${'0'.repeat(64)},v0=x`).id).toBe(event.id)
  })

  test('every altered byte is noticed', () => {
    const { body, signature } = signed()
    for (let at = 0; at < body.length; at += 7) {
      const altered = Buffer.from(body)
      altered[at]! ^= 1 // it is within the body
      expect(() => payments.readWebhook(altered, signature)).toThrow(InvalidWebhook)
    }
    for (const altered of [
      body.subarray(1),
      body.subarray(0, -1),
      Buffer.concat([body, Buffer.from(' ')]),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
      Buffer.concat([body, Buffer.from([0xff])]),
      Buffer.alloc(0),
    ])
      expect(() => payments.readWebhook(altered, signature)).toThrow(InvalidWebhook)
  })

  test('bytes that are not UTF-8 are not taken for what replaces them', () => {
    const replaced = Buffer.from(JSON.stringify({ ...event, type: '\uFFFD' }))
    const { headers } = double.webhooks.webhook(replaced)
    const at = replaced.indexOf('\uFFFD')
    const raw = Buffer.concat([replaced.subarray(0, at), Buffer.from([0xff]), replaced.subarray(at + 3)])
    expect(() => payments.readWebhook(raw, headers['stripe-signature'])).toThrow(InvalidWebhook)
  })

  test('another secret, and the signature of another event, are refused', async () => {
    expect(() => read(signed({ secret: 'whsec_other' }))).toThrow(InvalidWebhook)
    const other = double.webhooks.webhook(await someEvent())
    expect(() => payments.readWebhook(signed().body, other.headers['stripe-signature'])).toThrow(InvalidWebhook)
  })

  // The limit is 300; until a time ahead is checked, a busy machine comes closer to it.
  test.each([-301, -86_400, 310, 86_400])('signed %i s from now: only the time is off', (seconds) => {
    const thrown = error(() => read(signed({ signedAt: now() + seconds })))
    expect(thrown).toBeInstanceOf(InvalidWebhook)
    expect(thrown).toMatchObject({ isTimeOff: true })
  })

  test.each([-290, 290])('signed %i s from now is in time', (seconds) => {
    expect(read(signed({ signedAt: now() + seconds })).id).toBe(event.id)
  })

  test('an old one with a wrong signature is not the fault of a clock', () => {
    const thrown = error(() => read(signed({ secret: 'whsec_other', signedAt: now() - 1000 })))
    expect(thrown).toMatchObject({ name: 'InvalidWebhook', isTimeOff: false })
  })

  test('an event of the other mode is refused', async () => {
    const live = await startStripeDouble(afterAll, { isLive: true })
    const livePayments = await connectStripe(live)
    const fromTest = double.webhooks.webhook(event)
    expect(() => livePayments.readWebhook(fromTest.body, fromTest.headers['stripe-signature'])).toThrow('test mode')
    const fromLive = double.webhooks.webhook({ ...event, livemode: true })
    expect(() => payments.readWebhook(fromLive.body, fromLive.headers['stripe-signature'])).toThrow('live mode')
    expect(livePayments.readWebhook(fromLive.body, fromLive.headers['stripe-signature']).id).toBe(event.id)
  })

  test.each([
    ['not JSON', 'hello'],
    ['no object', '[]'],
    ['null', 'null'],
    ['a thin event', '{"id":"evt_1","object":"v2.core.event","type":"v1.x","livemode":false}'],
    ['without an id', '{"object":"event","type":"a","created":1,"data":{"object":{}},"livemode":false}'],
    ['without a time', '{"id":"evt_1","object":"event","type":"a","data":{"object":{}},"livemode":false}'],
    ['without data', '{"id":"evt_1","object":"event","type":"a","created":1,"livemode":false}'],
  ])('what is signed but %s is refused', (_, text) => {
    const { body, headers } = double.webhooks.webhook(Buffer.from(text))
    expect(() => payments.readWebhook(body, headers['stripe-signature'])).toThrow(InvalidWebhook)
  })

  test('the customer of an event is read from its object, also when that is the customer', () => {
    const readObject = (object: object): string | null => {
      const { body, headers } = double.webhooks.webhook(Buffer.from(JSON.stringify({ ...event, data: { object } })))
      return payments.readWebhook(body, headers['stripe-signature']).customerId
    }
    expect(readObject({ object: 'customer', id: 'cus_1' })).toBe('cus_1')
    expect(readObject({ object: 'invoice', id: 'in_1', customer: { id: 'cus_2' } })).toBe('cus_2')
    expect(readObject({ object: 'price', id: 'price_1' })).toBeNull()
    expect(readObject({ object: 'invoice', customer: null })).toBeNull()
  })

  test('an event about a dispute names its payment instead', () => {
    const object = { object: 'dispute', id: 'du_1', charge: 'ch_1' }
    const { body, headers } = double.webhooks.webhook(Buffer.from(JSON.stringify({ ...event, data: { object } })))
    expect(payments.readWebhook(body, headers['stripe-signature'])).toMatchObject({
      customerId: null,
      paymentId: 'ch_1',
    })
  })
})

describe('the list of events', () => {
  const readSince = (seconds: number): Promise<PaymentEvent[]> =>
    Array.fromAsync(payments.eventsSince(new Date(seconds * 1000)))

  test('thousands of many days come once each, oldest first', async () => {
    const list = await startStripeDouble(afterAll)
    const [template] = [await someEvent()]
    const count = 2_345
    const first = now() - 10 * daySeconds
    for (let n = 0; n < count; n += 1) {
      const created = first + Math.floor((n * 10 * daySeconds) / count)
      list.store.events.push({ ...template, id: `evt_${n}`, created })
    }
    const source = await connectStripe(list)
    const ids = []
    for await (const { id } of source.eventsSince(new Date(first * 1000))) ids.push(id)
    expect(ids).toEqual(list.store.events.map(({ id }) => id))
    expect(list.requests.length).toBeLessThan(50)
    const later = []
    for await (const { id } of source.eventsSince(new Date((first + 5 * daySeconds) * 1000))) later.push(id)
    expect(later).toEqual(ids.slice(-later.length))
    expect(later.length).toBeCloseTo(count / 2, -1)
  })

  test('a time long ago, or in the future, takes few requests', async () => {
    const before = double.requests.length
    await someEvent()
    expect((await readSince(0)).length).toBeGreaterThan(0)
    expect(double.requests.length - before).toBeLessThan(40)
    expect(await readSince(now() + 1000)).toEqual([])
  })

  test('only types that matter are asked for, no more than Stripe allows', async () => {
    await readSince(now())
    const { params } = double.requests.findLast(({ endpoint }) => endpoint === 'GET /v1/events')! // it was just sent
    expect(Object.values(params['types'] ?? {})).toEqual([...stripeEventTypes])
    expect(stripeEventTypes.length).toBeLessThanOrEqual(20)
    expect(params).not.toHaveProperty('delivery_success')
  })

  test('an outage ends the list with an error, and nothing is left out unnoticed', async () => {
    await someEvent()
    double.failNext(429, { endpoint: 'GET /v1/events' })
    await expect(readSince(now() - 100)).rejects.toThrow('Too many requests')
  })
})
