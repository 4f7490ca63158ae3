import type { StripeDouble } from '../../../test/stripe-double/stripe-double.ts'
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
