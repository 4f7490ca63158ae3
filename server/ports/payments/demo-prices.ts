import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { demoPrices } from './payment-settings.ts'
import type { Price } from './payments.ts'

/** A price of demo payments: one fixed amount per interval. */
export type DemoPrice = Price & { unitAmountCents: number; interval: 'month' | 'year' }

const prices = new Map(
  planIds.flatMap((plan): [string, DemoPrice][] => {
    if (plan === 'free') return []
    const { price_cents, interval_type } = plans[plan]
    const id = demoPrices[plan]
    return [
      [
        id,
        { id, currency: 'usd', unitAmountCents: price_cents, interval: interval_type, isActive: true, addsTax: false },
      ],
    ]
  }),
)

/** A price by its id; undefined when there is none. */
export const demoPriceOf = (priceId: string): DemoPrice | undefined => prices.get(priceId)
