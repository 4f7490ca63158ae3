import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../jobs/queue.ts'
import { demoPrices, type PaymentsConfig } from '../../ports/payments/payment-settings.ts'

type Provider = 'stripe' | 'demo'

/** The provider whose subscriptions count: that of the node that started last. Null where plans are not sold. */
export async function registeredProvider(db: Db): Promise<Provider | null> {
  const row = await db.selectFrom('payment_settings').select('provider').executeTakeFirst()
  return (row?.provider ?? null) as Provider | null // the values that the column's constraint allows
}

/** Earlier prices stay, because subscriptions may still have them. */
async function writePrices(tx: Db, provider: Provider, prices: { pro_monthly: string; pro_yearly: string }) {
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
