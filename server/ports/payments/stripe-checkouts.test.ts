import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startStripeDouble, type StripeDouble } from '../../test/stripe-double/stripe-double.ts'
import { PaymentRefused, type Payments } from './payments.ts'
import { connectStripe } from './test/connect-stripe.ts'
import { createPaymentsFixture } from './test/payments-fixture.ts'

let double: StripeDouble
let payments: Payments
beforeAll(async () => {
  double = await startStripeDouble(afterAll)
  payments = await connectStripe(double)
})

const fixture = () =>
  createPaymentsFixture({ payments, prices: { month: double.prices.pro_monthly, year: double.prices.pro_yearly } })
const lastSession = () =>
  double.requests.findLast(({ endpoint, status }) => endpoint === 'POST /v1/checkout/sessions' && status === 200)
    ?.params

test('taxes are calculated when the account of Stripe is set up for them', async () => {
  const { newCustomer, openCheckout } = fixture()
  const customerId = await newCustomer()
  await openCheckout(customerId)
  expect(lastSession()).not.toHaveProperty('automatic_tax')
  double.account.hasTax = true
  await openCheckout(customerId)
  double.account.hasTax = false
  expect(lastSession()).toMatchObject({ automatic_tax: { enabled: 'true' }, customer_update: { address: 'auto' } })
})

test('the address of success goes to Stripe with its placeholder', async () => {
  const { newCustomer, openCheckout } = fixture()
  await openCheckout(await newCustomer())
  expect(lastSession()).toMatchObject({ success_url: 'https://photos.test/done?id={CHECKOUT_SESSION_ID}' })
})

test.each([
  ['has another interval', { interval: 'week' as const }, { interval: null, unitAmountCents: 100 }],
  ['is paid once', { interval: null }, { interval: null, unitAmountCents: null }],
  ['has another currency', { currency: 'eur' }, { currency: 'eur', interval: 'month' }],
  ['has no fixed amount', { unit_amount: null }, { unitAmountCents: null }],
])('a price that %s is reported as such', async (name, changes, told) => {
  const id = `price_${name.replaceAll(' ', '_')}`
  double.addPrice({ id, unit_amount: 100, ...changes })
  expect(await payments.price(id)).toMatchObject({ id, isActive: true, ...told })
})

test.each([
  [true, 'exclusive', null, true],
  [true, 'inclusive', null, false],
  [true, 'unspecified', 'inclusive', false],
  [true, 'unspecified', 'inferred_by_currency', true],
  [false, 'exclusive', 'exclusive', false],
] as const)(
  'with taxes %s, a price that is %s of tax, in an account of prices that are %s: tax is added %s',
  async (hasTax, tax_behavior, taxBehavior, addsTax) => {
    const id = `price_${String(hasTax)}_${tax_behavior}_${taxBehavior}`
    double.addPrice({ id, unit_amount: 100, tax_behavior })
    Object.assign(double.account, { hasTax, taxBehavior })
    onTestFinished(() => void Object.assign(double.account, { hasTax: false, taxBehavior: null }))
    expect(await payments.price(id)).toMatchObject({ addsTax })
  },
)

test('a price of every second month is not one of a month, and a metered one has no amount', async () => {
  const { recurring } = double.addPrice({ id: 'price_second', unit_amount: 100 })
  Object.assign(recurring!, { interval_count: 2, usage_type: 'metered' })
  expect(await payments.price('price_second')).toMatchObject({ interval: null, unitAmountCents: null })
})

test('an archived price is reported as such, and cannot be bought', async () => {
  const { newCustomer, openCheckout } = fixture()
  double.addPrice({ id: 'price_old', unit_amount: 100 })
  double.archivePrice('price_old')
  expect(await payments.price('price_old')).toMatchObject({ isActive: false })
  await expect(openCheckout(await newCustomer(), 'price_old')).rejects.toBeInstanceOf(PaymentRefused)
})

/** A checkout that was completed with a payment that takes days. */
async function delayedCheckout(status?: 'active' | 'incomplete') {
  const { newCustomer, openCheckout } = fixture()
  const customerId = await newCustomer()
  const { id } = await openCheckout(customerId)
  double.payLater(id, status)
  return { customerId, id }
}

test.each(['active', 'incomplete'] as const)(
  'a payment that takes days is pending while Stripe calls its subscription %s, and pays for nothing before it arrives',
  async (status) => {
    const { customerId, id } = await delayedCheckout(status)
    const [subscription] = await payments.subscriptionsOf(customerId)
    expect(subscription).toMatchObject({ state: 'incomplete' })
    expect(await payments.checkout(id)).toMatchObject({ state: 'pending', url: null, subscriptionId: subscription!.id })
    await payments.expireCheckout(id)
    double.settleCheckout(id, true)
    expect(await payments.checkout(id)).toMatchObject({ state: 'paid' })
    expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ state: 'active' }])
  },
)

test('its invoice decides: it may be paid before the session says so', async () => {
  const { id } = await delayedCheckout()
  double.settleCheckout(id, true)
  double.store.sessions.get(id)!.payment_status = 'unpaid' // it was just made
  expect(await payments.checkout(id)).toMatchObject({ state: 'paid' })
})

test('its failure is told, although its session stays complete and unpaid; its subscription was never paid', async () => {
  const { customerId, id } = await delayedCheckout()
  double.settleCheckout(id, false)
  expect(double.store.sessions.get(id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
  expect(await payments.checkout(id)).toMatchObject({ state: 'failed' })
  expect(double.subscriptionsOf(customerId)).toMatchObject([{ status: 'past_due' }])
  expect(await payments.subscriptionsOf(customerId)).toMatchObject([{ state: 'incomplete' }])
})

test('a checkout that needs no payment is paid', async () => {
  const { newCustomer, openCheckout } = fixture()
  const { id } = await openCheckout(await newCustomer())
  double.payCheckout(id)
  double.store.sessions.get(id)!.payment_status = 'no_payment_required' // it was just made
  expect(await payments.checkout(id)).toMatchObject({ state: 'paid' })
})

test('a checkout that Stripe fails to expire is reported', async () => {
  const { newCustomer, openCheckout } = fixture()
  const { id } = await openCheckout(await newCustomer())
  double.failNext(429, { endpoint: 'POST /v1/checkout/sessions/{id}/expire' })
  await expect(payments.expireCheckout(id)).rejects.toThrow('Too many requests')
  expect(await payments.checkout(id)).toMatchObject({ state: 'open' })
  await payments.expireCheckout('cs_test_unknown')
})

test('there is no portal until it has been set up; other refusals are reported', async () => {
  const { newCustomer } = fixture()
  const customerId = await newCustomer()
  expect(await payments.portalUrl(customerId, 'https://photos.test/')).toMatch(/^https:/)
  double.account.hasPortal = false
  expect(await payments.portalUrl(customerId, 'https://photos.test/')).toBeNull()
  double.account.hasPortal = true
  await expect(payments.portalUrl('cus_unknown', 'https://photos.test/')).rejects.toBeInstanceOf(PaymentRefused)
})
