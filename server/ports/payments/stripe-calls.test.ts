import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Stripe } from 'stripe'
import { startStripeDouble, type StripeDouble } from '../../test/stripe-double/stripe-double.ts'
import { PaymentRefused, PaymentsDown, type Payments } from './payments.ts'
import { createStripeCalls, stripeTimes } from './stripe-calls.ts'
import { connectStripe } from './test/connect-stripe.ts'

let double: StripeDouble
let payments: Payments
beforeAll(async () => {
  double = await startStripeDouble(afterAll)
  payments = await connectStripe(double)
})

const customer = { reference: 'ada', email: 'ada@example.com' }
const countCustomers = (): number => double.store.customers.size
let keys = 0
const newKey = (): string => `key ${(keys += 1)}`

describe('what fails at Stripe', () => {
  test('too many requests mean that the call may be repeated', async () => {
    double.failNext(429)
    await expect(payments.createCustomer(customer, newKey())).rejects.toBeInstanceOf(PaymentsDown)
  })

  test('after an error of Stripe, or a broken connection, the call is retried', async () => {
    const failures = [500, 503, 'reset before', 'reset after'] as const
    for (const failure of failures) double.failNext(failure)
    const before = countCustomers()
    await Promise.all(failures.map(() => payments.createCustomer(customer, newKey())))
    expect(countCustomers()).toBe(before + failures.length)
  })

  test('a connection that breaks each time means that it is down; what was done then is not done again', async () => {
    const key = newKey()
    const before = countCustomers()
    double.failNext('reset after', { times: stripeTimes.retries + 1 })
    await expect(payments.createCustomer(customer, key)).rejects.toBeInstanceOf(PaymentsDown)
    expect(countCustomers()).toBe(before + 1)
    const id = await payments.createCustomer(customer, key)
    expect(double.store.customers.has(id)).toBe(true)
    expect(countCustomers()).toBe(before + 1)
  })

  test('nothing listens there', async () => {
    const elsewhere = await connectStripe(double, { STRIPE_API_BASE: 'http://127.0.0.1:1' })
    await expect(elsewhere.price('price_1')).rejects.toBeInstanceOf(PaymentsDown)
  })

  test('a key that Stripe does not accept is the fault of the settings, not of the call', async () => {
    const stranger = await connectStripe(double, { STRIPE_SECRET_KEY: 'sk_test_other' })
    await expect(stranger.price('price_1')).rejects.toBeInstanceOf(PaymentsDown)
    await expect(stranger.checkout('cs_test_1')).rejects.toBeInstanceOf(PaymentsDown)
  })

  test('a refusal names Stripe’s reason', async () => {
    const refused = payments.refund('ch_unknown', newKey())
    await expect(refused).rejects.toBeInstanceOf(PaymentRefused)
    await expect(refused).rejects.toThrow("No such charge: 'ch_unknown'")
  })
})

describe('time', () => {
  test('a request without an answer ends after ten seconds', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { send } = createStripeCalls(Stripe.errors)
    const sent = send(() => new Promise(() => {}))
    const failure = sent.catch((error: unknown) => error)
    vi.advanceTimersByTime(stripeTimes.requestMs)
    expect(await failure).toBeInstanceOf(PaymentsDown)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('an answer in time leaves no timer behind', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { send } = createStripeCalls(Stripe.errors)
    expect(await send(async () => 1)).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('what is not an error of Stripe stays as it is', async () => {
    const bug = new TypeError('x is not a function')
    await expect(createStripeCalls(Stripe.errors).send(() => Promise.reject(bug))).rejects.toBe(bug)
  })
})
