import { afterAll, beforeAll, expect, test } from 'vitest'
import { Stripe } from 'stripe'
import { startStripeDouble, type StripeDouble } from './stripe-double.ts'

let double: StripeDouble
let stripe: Stripe
beforeAll(async () => {
  double = await startStripeDouble(afterAll)
  stripe = connect(double)
})

const connect = ({ url, secretKey }: StripeDouble): Stripe =>
  new Stripe(secretKey, { host: '127.0.0.1', port: new URL(url).port, protocol: 'http', maxNetworkRetries: 0 })

const newCustomer = () => stripe.customers.create({ email: 'ada@example.com' })
const sessionOf = (customer: string, price = double.prices.pro_monthly) =>
  stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'https://photos.test/?id={CHECKOUT_SESSION_ID}',
  })

async function subscribe(): Promise<{ customer: string; id: string }> {
  const { id: customer } = await newCustomer()
  double.payCheckout((await sessionOf(customer)).id)
  return { customer, id: double.subscriptionsOf(customer)[0]?.id ?? '' }
}

/** What was recorded during a request that is refused; otherwise the file would fail at its end. */
const violationsOf = (action: () => Promise<unknown>) => async (): Promise<string[]> => {
  await expect(action()).rejects.toMatchObject({ statusCode: 400 })
  return double.violations.splice(0)
}

test('what the double does not know is refused and recorded: parameters, versions of the API, endpoints', async () => {
  const parameter = violationsOf(() => stripe.customers.create({ phone: '1' }))
  expect(await parameter()).toEqual(['POST /v1/customers: The double does not heed phone'])
  const version = violationsOf(() => stripe.prices.retrieve('price_1', {}, { apiVersion: '2020-01-01' }))
  expect(await version()).toEqual(['Stripe-Version is 2020-01-01'])
  await expect(stripe.coupons.retrieve('x')).rejects.toMatchObject({ statusCode: 404 })
  expect(double.violations.splice(0)).toEqual(['GET /v1/coupons/x: the double does not know this endpoint'])
})

test('the same key and the same request give the same answer, also of a refusal; another request is refused', async () => {
  const { customer, id } = await subscribe()
  const change = (price: string, idempotencyKey: string) =>
    stripe.subscriptions.update(
      id,
      {
        items: [{ id: double.subscriptionsOf(customer)[0]!.items.data[0]!.id, price }],
        payment_behavior: 'error_if_incomplete',
      }, // it was just made
      { idempotencyKey },
    )
  double.declinePayments(customer)
  await expect(change(double.prices.pro_yearly, 'k1')).rejects.toMatchObject({ code: 'card_declined' })
  await expect(change(double.prices.pro_yearly, 'k1')).rejects.toMatchObject({ code: 'card_declined' })
  const changed = await change(double.prices.pro_yearly, 'k2')
  expect((await change(double.prices.pro_yearly, 'k2')).items.data).toEqual(changed.items.data)
  expect(double.chargesOf(customer)).toHaveLength(2)
  const violations = await violationsOf(() => change(double.prices.pro_monthly, 'k2'))()
  expect(violations[0]).toContain('the idempotency key k2 was used for another request')
})

test('lists come in pages, the newest first', async () => {
  const ids = []
  for (let n = 0; n < 25; n += 1) ids.push((await newCustomer()).id)
  const own = new Set(ids)
  const pages = []
  for await (const event of stripe.events.list({ limit: 10, types: ['customer.created'] }))
    if ('id' in event.data.object && own.has(event.data.object.id)) pages.push(event.data.object.id)
  expect(pages).toEqual(ids.toReversed())
  await expect(stripe.events.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
})

test('subscriptions that have ended are listed only when asked for', async () => {
  const { customer, id } = await subscribe()
  await stripe.subscriptions.cancel(id)
  expect((await stripe.subscriptions.list({ customer })).data).toEqual([])
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toMatchObject([{ id }])
  await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ code: 'resource_missing', statusCode: 404 })
})

test('payments of invoices come only when they are expanded', async () => {
  const { customer } = await subscribe()
  expect((await stripe.invoices.list({ customer })).data[0]).not.toHaveProperty('payments')
  const [invoice] = (await stripe.invoices.list({ customer, expand: ['data.payments'] })).data
  expect(invoice?.payments?.data).toMatchObject([{ payment: { type: 'payment_intent' } }])
  await expect(stripe.invoices.list({ customer, expand: ['data.charge'] })).rejects.toThrow('cannot be expanded')
})

test('renewals come at the same day of the month, or its last', async () => {
  const own = await startStripeDouble(afterAll, { startsAt: new Date('2027-01-31T10:00:00Z') })
  const { id: customer } = await connect(own).customers.create({ email: 'a@example.com' })
  const session = await connect(own).checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: own.prices.pro_monthly, quantity: 1 }],
  })
  own.payCheckout(session.id)
  own.advance(100)
  const starts = [...own.store.invoices.values()].map((one) =>
    new Date(one.period_start * 1000).toISOString().slice(0, 10),
  )
  expect(starts).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'])
})

test('a declined payment is tried again three times in 15 days, then the subscription ends', async () => {
  const { customer } = await subscribe()
  double.declinePayments(customer, true)
  double.advance(80)
  const [subscription] = double.subscriptionsOf(customer)
  const item = subscription!.items.data[0]! // it was just made
  expect(subscription!.ended_at! - item.current_period_start).toBe(15 * 86_400) // it has ended
  const types = double.eventsOf(customer).map(({ type }) => type)
  expect(types.filter((type) => type === 'invoice.payment_failed')).toHaveLength(4)
  expect(types.at(-1)).toBe('customer.subscription.deleted')
})

test('webhooks are held, delivered, delivered twice or dropped, as the test says', async () => {
  const { webhooks } = await startStripeDouble(afterAll).then(async (own) => {
    await connect(own).customers.create({ email: 'a@example.com' })
    await connect(own).customers.create({ email: 'b@example.com' })
    return own
  })
  const received: string[] = []
  let status = 500
  webhooks.receiver(async ({ body, headers }) => {
    received.push(Stripe.webhooks.constructEvent(body, headers['stripe-signature'], 'whsec_double').id)
    return status
  })
  const [first, second] = webhooks.held()
  expect(await webhooks.deliver()).toEqual([500, 500])
  expect(webhooks.held()).toHaveLength(2)
  status = 200
  expect(await webhooks.deliver([second!, second!])).toEqual([200, 200]) // two are held
  expect(webhooks.held()).toEqual([first])
  webhooks.drop()
  expect(await webhooks.deliver()).toEqual([])
  expect(received).toEqual([first?.id, second?.id, second?.id, second?.id])
})

test('a test that sent a wrong request fails at its end', async () => {
  let end = async (): Promise<unknown> => undefined
  const own = await startStripeDouble((action) => void (end = async () => action()))
  await expect(connect(own).customers.create({ phone: '1' })).rejects.toThrow('does not heed phone')
  await expect(end()).rejects.toThrow('POST /v1/customers: The double does not heed phone')
})
