import { expect, test } from 'vitest'
import { Stripe } from 'stripe'
import { startStripeDouble } from './stripe-double.ts'

test('what the double does not know is refused, and fails the test at its end: parameters, versions of the API, endpoints', async () => {
  let end = async (): Promise<unknown> => undefined
  const { url, secretKey } = await startStripeDouble((action) => void (end = async () => action()))
  const { port } = new URL(url)
  const stripe = new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
  await expect(stripe.customers.create({ phone: '1' })).rejects.toMatchObject({ statusCode: 400 })
  const otherVersion = stripe.prices.retrieve('price_1', {}, { apiVersion: '2020-01-01' })
  await expect(otherVersion).rejects.toMatchObject({ statusCode: 400 })
  await expect(stripe.coupons.retrieve('x')).rejects.toMatchObject({ statusCode: 404 })
  const violations = [
    'POST /v1/customers: The double does not heed phone',
    'Stripe-Version is 2020-01-01',
    'GET /v1/coupons/x: the double does not know this endpoint',
  ]
  await expect(end()).rejects.toThrow(`Stripe would refuse this: ${violations.join('; ')}`)
})
