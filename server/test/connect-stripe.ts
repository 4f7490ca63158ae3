import type { StripeDouble } from './stripe-double.ts'
import { readPaymentSettings } from '../ports/payments/payment-settings.ts'
import type { Payments } from '../ports/payments/payments.ts'
import { stripePayments } from '../ports/payments/stripe.ts'

/** Connects to a Stripe double with its settings, as the program does; other values replace some of them. */
export async function connectStripe({ env }: StripeDouble, changes: Record<string, string> = {}): Promise<Payments> {
  const problems: string[] = []
  const settings = { ...env, ...changes }
  const { payments } = readPaymentSettings((name) => settings[name], 'https://photos.test', problems)
  if (payments.kind !== 'stripe' || problems.length) throw new Error(problems.join(' '))
  return stripePayments(payments)
}
