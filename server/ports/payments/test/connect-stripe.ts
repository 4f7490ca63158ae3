import { afterAll, beforeAll } from 'vitest'
import { startStripeDouble, type StripeDouble } from '../../../test/stripe-double/stripe-double.ts'
import { readPaymentSettings } from '../payment-settings.ts'
import type { Payments } from '../payments.ts'
import { stripePayments } from '../stripe.ts'

/** Connects to a Stripe double with its settings, as the program does; other values replace some of them. */
export async function connectStripe({ env }: StripeDouble, changes: Record<string, string> = {}): Promise<Payments> {
  const problems: string[] = []
  const settings = { ...env, ...changes }
  const { payments } = readPaymentSettings((name) => settings[name], 'https://photos.test', problems)
  if (payments.kind !== 'stripe' || problems.length) throw new Error(problems.join(' '))
  return stripePayments(payments)
}

/** A Stripe double for the tests of the file, and the port that is connected to it. */
export function useStripe(): { double: StripeDouble; payments: Payments } {
  let double: StripeDouble
  let payments: Payments
  beforeAll(async () => {
    double = await startStripeDouble(afterAll)
    payments = await connectStripe(double)
  })
  return {
    double: new Proxy({} as StripeDouble, { get: (_, name: keyof StripeDouble) => double[name] }), // of the running tests
    payments: new Proxy({} as Payments, { get: (_, name: keyof Payments) => payments[name] }),
  }
}
