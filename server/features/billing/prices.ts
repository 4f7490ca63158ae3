import { isPlanId, plans, type Plan, type PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { Payments, Price } from '../../ports/payments/payments.ts'

const currency = 'usd'

/** The provider, where plans are sold. */
export function requirePayments(payments: Payments | undefined): Payments {
  if (!payments) throw new Fault('conflict', 'This site does not sell plans.')
  return payments
}

/** The plan that is sold at a price now. Throws 422 for any other price. */
export async function planForSale(db: Db, payments: Payments, priceId: string): Promise<Plan> {
  const row = await db
    .selectFrom('plan_prices')
    .select('plan')
    .where('provider', '=', payments.kind)
    .where('price_id', '=', priceId)
    .where('is_current', '=', true)
    .executeTakeFirst()
  if (!row || !isPlanId(row.plan)) throw invalidField('price_id', 'No plan is sold at this price')
  return plans[row.plan]
}

/** What is wrong with the provider's price of a plan, for the operator. */
export function priceProblem(price: Price | null, plan: Plan): string | undefined {
  if (!price) return 'it does not exist'
  if (!price.isActive) return 'it is archived'
  if (price.interval !== plan.interval_type) return `it is not charged each ${plan.interval_type}`
  if (price.currency !== currency) return `its currency is ${price.currency}, not ${currency}`
  if (price.unitAmountCents !== plan.price_cents)
    return `it is ${price.unitAmountCents} cents, not ${plan.price_cents} as the plan says`
  if (price.addsTax)
    return 'tax is added to it, although the plan says that its price is all that is paid; set its tax behavior to inclusive'
  return undefined
}

/** The refusal of a plan whose price at the provider is wrong. */
export class WrongPrice extends Fault {
  constructor() {
    super('invalid', [{ loc: ['body', 'price_id'], msg: 'This plan cannot be bought right now' }])
  }
}

/** Checks that the provider's price matches the plan; otherwise logs what the operator must fix and throws 422. */
export async function checkPrice(
  { log, payments }: Pick<Dependencies, 'log'> & { payments: Payments },
  plan: Plan,
  priceId: string,
): Promise<void> {
  const problem = priceProblem(await payments.price(priceId), plan)
  if (problem === undefined) return
  log.error(
    { price: priceId, plan: plan.id },
    `${plan.name} cannot be sold: its price at the payment provider is wrong: ${problem}; correct the price or the setting STRIPE_PRICE_${plan.id.toUpperCase()}`,
  )
  throw new WrongPrice()
}

/** The prices of the plans that are sold, by plan. */
export async function currentPrices(db: Db, provider: Payments['kind']): Promise<Partial<Record<PlanId, string>>> {
  const rows = await db
    .selectFrom('plan_prices')
    .select(['plan', 'price_id'])
    .where('provider', '=', provider)
    .where('is_current', '=', true)
    .execute()
  return Object.fromEntries(rows.map(({ plan, price_id: price }) => [plan, price]))
}
