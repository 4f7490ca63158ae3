import { sql } from 'kysely'
import { plans } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { PaymentsDown, type Payments } from '../../ports/payments/payments.ts'
import { currentPrices, priceProblem } from './prices.ts'

type CheckDependencies = Pick<Dependencies, 'db' | 'log' | 'payments'>

/** What a check found: why plans cannot be sold, and what else an operator should correct. */
interface Findings {
  refused: string[]
  warnings: string[]
}

async function findProblems(db: Db, payments: Payments): Promise<Findings> {
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
  for (const [plan, priceId] of Object.entries(await currentPrices(db, payments.kind))) {
    const problem = priceProblem(await payments.price(priceId), plans[plan as keyof typeof plans]) // the keys are ids of plans
    if (problem)
      refused.push(`the price of ${plans[plan as keyof typeof plans].name} (${priceId}) is wrong: ${problem}`)
  }
  return { refused, warnings }
}

/**
 * Checks the key, its permissions and the prices. While they are refused, plans are not sold. A provider that cannot be
 * reached leaves that as it was: a checkout then says so itself. Runs when a node starts and every hour.
 */
export async function checkPayments({ db, log, payments }: CheckDependencies): Promise<void> {
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
  provider: Payments['kind'],
  { refused, warning }: { refused: string | null; warning: string | null },
): Promise<void> {
  // Not when another node has switched to another provider meanwhile.
  await sql`
    update payment_settings set checked_at = now(), refused_because = ${refused}, check_warning = ${warning}, unreachable_because = null
    where provider = ${provider}`.execute(db)
}

/** Whether this site can take payments, as far as the last check knows. */
export async function canSell(db: Db): Promise<boolean> {
  const row = await db.selectFrom('payment_settings').select('refused_because').executeTakeFirst()
  return row?.refused_because == null
}

/** Throws `unavailable` while the payment provider refuses the settings. */
export async function requireSales(db: Db): Promise<void> {
  if (!(await canSell(db)))
    throw new Fault('unavailable', 'This site cannot take payments at the moment. Please try again later.', 3_600)
}
