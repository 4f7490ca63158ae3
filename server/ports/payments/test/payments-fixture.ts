import { randomUUID } from 'node:crypto'
import type { Checkout, Payments } from '../payments.ts'

/** An implementation of the port, and what only the customer, the bank or time can do. */
export interface PaymentsUnderTest {
  payments: Payments
  /** Two active prices in one currency, per month and per year; the amounts are read through the port. */
  prices: { month: string; year: string }
  /**
   * The customer pays in an open checkout; resolves with the address to which the provider's page then leads. Undefined
   * where nobody can.
   */
  pay?: (checkoutId: string) => Promise<string>
  /** Lets a subscription begin without a checkout, where `pay` is undefined; resolves with its id. */
  subscribe?: (customerId: string, priceId: string) => Promise<string>
  /** Moves the provider's clock, and lets it do what is due until then. Undefined where nobody can. */
  advance?: (days: number) => Promise<void>
  /** From now on, payments of the customer are declined, or not any more. */
  declinePayments?: (customerId: string, declines: boolean) => Promise<void>
}

/** Opens the implementation for a test; all tests may share one. */
export type OpenPaymentsUnderTest = () => Promise<PaymentsUnderTest>

/** The provider that a test uses, with what several tests do. */
export interface PaymentsFixture extends PaymentsUnderTest {
  newKey(): string
  newCustomer(): Promise<string>
  openCheckout(customerId: string, priceId?: string): Promise<Checkout>
  /** Pays for a new subscription; its id. */
  subscribeTo(customerId: string, priceId?: string): Promise<string>
}

export const dayMs = 24 * 60 * 60 * 1000
export const returnUrls = {
  successUrl: 'https://photos.test/done?id={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://photos.test/no',
}

export function createPaymentsFixture(subject: PaymentsUnderTest): PaymentsFixture {
  const { payments, prices } = subject
  const newKey = (): string => randomUUID()
  const openCheckout: PaymentsFixture['openCheckout'] = (customerId, priceId = prices.month) =>
    payments.openCheckout({ customerId, priceId, reference: `user of ${customerId}`, ...returnUrls }, newKey())
  return {
    ...subject,
    newKey,
    newCustomer: () => payments.createCustomer({ reference: newKey(), email: 'ada@example.com' }, newKey()),
    openCheckout,
    async subscribeTo(customerId, priceId = prices.month) {
      if (!subject.pay) return (await subject.subscribe?.(customerId, priceId)) ?? ''
      const { id } = await openCheckout(customerId, priceId)
      await subject.pay(id)
      return (await payments.checkout(id))?.subscriptionId ?? ''
    },
  }
}
