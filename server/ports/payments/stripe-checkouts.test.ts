import { expect, test } from 'vitest'
import { PaymentRefused } from './payments.ts'
import { createPaymentsFixture } from './test/payments-fixture.ts'
import { useStripe } from './test/connect-stripe.ts'

const { double, payments } = useStripe()

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

test('a checkout whose payment is still being processed is open, and leads nowhere', async () => {
  const { newCustomer, openCheckout } = fixture()
  const customerId = await newCustomer()
  const { id } = await openCheckout(customerId)
  double.payCheckout(id)
  const session = double.store.sessions.get(id)
  session!.payment_status = 'unpaid' // as with a debit that takes days
  expect(await payments.checkout(id)).toMatchObject({ state: 'open', url: null, subscriptionId: null })
  await payments.expireCheckout(id)
  session!.payment_status = 'no_payment_required' // it was just read
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
