import type { Payments } from '../ports/payments/payments.ts'

type Call = {
  [Name in keyof Payments]: Payments[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
}[keyof Payments]

/** The calls of the port that change or read something at the provider. */
const calls: readonly Call[] = [
  'price',
  'createCustomer',
  'openCheckout',
  'checkout',
  'expireCheckout',
  'openCheckoutsOf',
  'subscriptionsOf',
  'changePrice',
  'setCancelAtPeriodEnd',
  'cancelNow',
  'paymentsOf',
  'refund',
  'dropCredit',
  'isCustomerGone',
]

/**
 * Lets one call of a payment provider fail: the one after `before` calls that succeed. `isLost`: it takes effect, and only
 * its answer is lost. Resolves with what `work` does, and how many calls there were.
 */
export async function failCall<T>(
  payments: Payments,
  { before, error, isLost = false }: { before: number; error: Error; isLost?: boolean },
  work: () => Promise<T>,
): Promise<{ result: T; calls: number }> {
  const originals = new Map(calls.map((name) => [name, payments[name]]))
  let count = 0
  for (const name of calls) {
    const original = payments[name] as (...args: unknown[]) => Promise<unknown> // each has arguments of its own
    const replacement = async (...args: unknown[]): Promise<unknown> => {
      count += 1
      const fails = count === before + 1
      if (fails && !isLost) throw error
      const answer = await original(...args)
      if (fails) throw error
      return answer
    }
    Object.assign(payments, { [name]: replacement })
  }
  try {
    return { result: await work(), calls: count }
  } finally {
    Object.assign(payments, Object.fromEntries(originals))
  }
}
