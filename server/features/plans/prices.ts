import { sql } from 'kysely'
import type { Logger } from 'pino'
import { isPlanId, type Plan, type PlanId, plans, planIds } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import { type Payments, PaymentsDown, type Price } from '../../ports/payments/payments.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { demoPrices, type PaymentsConfig } from '../../ports/payments/payment-settings.ts'
import { listPlans } from '@keepsnap/contract/subscriptions.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Provider } from './customers.ts'

const currency = 'usd'

/** The plans with the provider's current prices, the cheapest first. */
export function priceRoutes(serve: Serve, { db, payments }: Dependencies): void {
  serve(listPlans, async () => {
    const prices = payments ? await currentPrices(db, payments.kind) : {}
    if (await canSell(db)) return planIds.map((id) => ({ ...plans[id], stripe_price_id: prices[id] ?? null }))
    return planIds.map((id) => ({ ...plans[id], stripe_price_id: null, ...(prices[id] && { is_paused: true }) }))
  })
}

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
function priceProblem(price: Price | null, plan: Plan): string | undefined {
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
async function currentPrices(db: Db, provider: Provider): Promise<Partial<Record<PlanId, string>>> {
  const rows = await db
    .selectFrom('plan_prices')
    .select(['plan', 'price_id'])
    .where('provider', '=', provider)
    .where('is_current', '=', true)
    .execute()
  return Object.fromEntries(rows.map(({ plan, price_id: price }) => [plan, price]))
}

/** Why plans cannot be sold, and what else an operator should correct. */
async function findProblems(db: Db, payments: Payments): Promise<{ refused: string[]; warnings: string[] }> {
  const missing = await payments.missingPermissions()
  const namesOf = (isNeeded: boolean): string =>
    missing.flatMap(({ name, isNeededToSell }) => (isNeededToSell === isNeeded ? [name] : [])).join(', ')
  const [needed, other] = [namesOf(true), namesOf(false)]
  const refused = needed ? [`the key of the payment provider lacks permissions: ${needed}`] : []
  const warnings = other
    ? [`the key of the payment provider lacks permissions for disputes and previews: ${other}`]
    : []
  // Prices cannot be read without their permission, which is the problem to solve first.
  if (needed) return { refused, warnings }
  for (const [id, priceId] of Object.entries(await currentPrices(db, payments.kind))) {
    const plan = plans[id as PlanId] // the keys are ids of plans
    const problem = priceProblem(await payments.price(priceId), plan)
    if (problem) refused.push(`the price of ${plan.name} (${priceId}) is wrong: ${problem}`)
  }
  return { refused, warnings }
}

/**
 * Checks the key, its permissions and the prices. While they are refused, plans are not sold. A provider that cannot be
 * reached leaves that as it was: a checkout then says so itself. Runs when a node starts and every hour.
 */
export async function checkPayments({
  db,
  log,
  payments,
}: Pick<Dependencies, 'db' | 'log' | 'payments'>): Promise<void> {
  if (!payments) return
  try {
    const { refused, warnings } = await findProblems(db, payments)
    const reason = refused.length ? refused.join('; ') : null
    await saveCheck(db, payments.kind, { refused: reason, warning: warnings.length ? warnings.join('; ') : null })
    if (reason !== null) log.error({ kind: 'refused' }, `plans are not sold: ${reason}`)
    for (const warning of warnings) log.warn(warning)
  } catch (error) {
    if (!(error instanceof PaymentsDown)) throw error
    log.error(
      { err: error, kind: error.kind },
      `the payment provider is ${error.kind === 'refused' ? 'refusing the key: plans are not sold' : 'unreachable'}`,
    )
    if (error.kind === 'refused')
      return saveCheck(db, payments.kind, {
        refused: `the payment provider refuses the key: ${error.message}`,
        warning: null,
      })
    await sql`
      update payment_settings set unreachable_because = ${error.message} where provider = ${payments.kind}`.execute(db)
  }
}

async function saveCheck(
  db: Db,
  provider: Provider,
  { refused, warning }: { refused: string | null; warning: string | null },
): Promise<void> {
  // Not when another node has switched to another provider meanwhile.
  await sql`
    update payment_settings set checked_at = now(), refused_because = ${refused}, check_warning = ${warning}, unreachable_because = null
    where provider = ${provider}`.execute(db)
}

/** Whether this site can take payments, as far as the last check knows. */
async function canSell(db: Db): Promise<boolean> {
  const row = await db.selectFrom('payment_settings').select('refused_because').executeTakeFirst()
  return row?.refused_because == null
}

/** Throws `unavailable` while the payment provider refuses the settings. */
export async function requireSales(db: Db): Promise<void> {
  if (!(await canSell(db)))
    throw new Fault('unavailable', 'This site cannot take payments at the moment. Please try again later.', 3_600)
}

/** The provider whose subscriptions count: that of the node that started last. Null where plans are not sold. */
export async function registeredProvider(db: Db): Promise<Provider | null> {
  const row = await db.selectFrom('payment_settings').select('provider').executeTakeFirst()
  return (row?.provider ?? null) as Provider | null // the values that the column's constraint allows
}

/** Earlier prices stay, because subscriptions may still have them. */
async function writePrices(tx: Db, provider: Provider, prices: Record<Exclude<PlanId, 'free'>, string>) {
  const rows = Object.entries(prices).map(([plan, priceId]) => sql`(${provider}, ${priceId}, ${plan}, true)`)
  // Clear first: each plan has one current price (a unique index), and two plans may have swapped theirs.
  await sql`
    update plan_prices set is_current = false
    where provider = ${provider} and is_current and (provider, price_id, plan, true) not in (${sql.join(rows)})`.execute(
    tx,
  )
  await sql`
    insert into plan_prices (provider, price_id, plan, is_current) values ${sql.join(rows)}
    on conflict (provider, price_id) do update set plan = excluded.plan, is_current = true
    where (plan_prices.plan, plan_prices.is_current) is distinct from (excluded.plan, true)`.execute(tx)
}

/**
 * Makes the provider of the settings the one whose subscriptions count, and its prices those that are sold. Every node
 * calls it when it starts.
 */
export async function registerProvider({ db, log }: { db: Db; log: Logger }, payments: PaymentsConfig): Promise<void> {
  const provider = payments.kind === 'off' ? null : payments.kind
  const { earlier, hadPrices } = await db.transaction().execute(async (tx) => {
    const settings = await tx.selectFrom('payment_settings').select('provider').forUpdate().executeTakeFirstOrThrow()
    const price = await tx.selectFrom('plan_prices').select('price_id').limit(1).executeTakeFirst()
    if (settings.provider !== provider)
      await tx
        .updateTable('payment_settings')
        .set({
          provider,
          events_read_until: null,
          checked_at: null,
          refused_because: null,
          check_warning: null,
          unreachable_because: null,
        })
        .execute()
    if (payments.kind === 'stripe') await writePrices(tx, 'stripe', payments.prices)
    // In the background: Keepsnap starts also when the payment provider does not answer.
    if (payments.kind === 'stripe')
      await enqueue(tx, { name: 'check-payments', payload: {}, key: 'check-payments at start' })
    if (payments.kind === 'demo') await writePrices(tx, 'demo', demoPrices)
    return { earlier: settings.provider, hadPrices: price !== undefined }
  })
  // Without prices, this is the first start.
  if (earlier !== provider && hadPrices)
    log.warn(
      `payments are ${provider ?? 'off'}, and were ${earlier ?? 'off'} at the last start: ` +
        (provider
          ? `of the plans that were paid, only those paid by ${provider} count`
          : 'plans that were paid do not count'),
    )
}
