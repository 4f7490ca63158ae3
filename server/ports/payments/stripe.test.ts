import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startStripeDouble, type StripeDouble } from '../../test/stripe-double/stripe-double.ts'
import { readPaymentSettings } from './payment-settings.ts'
import type { Payments } from './payments.ts'
import { stripePayments } from './stripe.ts'
import type { PaymentsUnderTest } from './test/payments-scene.ts'
import { testPaidCheckouts, testPayments } from './test/payments-suite.ts'
import { testRenewals } from './test/payments-over-time.ts'

async function connect(double: StripeDouble): Promise<Payments> {
  const problems: string[] = []
  const { payments } = readPaymentSettings((name) => double.env[name], 'https://photos.test', problems)
  if (payments.kind !== 'stripe' || problems.length) throw new Error(problems.join(' '))
  return stripePayments(payments)
}

let double: StripeDouble
let payments: Payments
beforeAll(async () => {
  double = await startStripeDouble(afterAll)
  payments = await connect(double)
})

const open = async (): Promise<PaymentsUnderTest> => ({
  payments,
  prices: { month: double.prices.pro_monthly, year: double.prices.pro_yearly },
  pay: async (checkoutId) => double.payCheckout(checkoutId),
  advance: async (days) => double.advance(days),
  declinePayments: async (customerId, declines) => double.declinePayments(customerId, declines || 0),
})

describe('Stripe', () => {
  testPayments(open)
  testPaidCheckouts(open)
  testRenewals(open)

  test('no request had a parameter that Stripe does not know', () => {
    expect(double.violations).toEqual([])
  })
})
