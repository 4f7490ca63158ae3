import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../../platform/db/connect.ts'
import type { PaymentsConfig } from '../../ports/payments/payment-settings.ts'
import { createLog } from '../../platform/process/log.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import { registeredProvider, registerProvider } from './prices.ts'

let database: Database
let dropDatabase: () => Promise<void>
const lines: string[] = []
const log = createLog('info', { write: (line: string) => lines.push(line) })
beforeAll(async () => {
  const cloned = await cloneDatabase()
  dropDatabase = cloned.drop
  database = connect(cloned.database, log, 4)
})
afterAll(async () => {
  await database.close()
  await dropDatabase()
})
beforeEach(() => lines.splice(0))

const stripe = (month: string, year: string): PaymentsConfig => ({
  kind: 'stripe',
  secretKey: 'sk_test_1',
  webhookSecret: 'whsec_1',
  prices: { pro_monthly: month, pro_yearly: year },
  apiBase: undefined,
})
const start = (payments: PaymentsConfig): Promise<void> => registerProvider({ db: database.db, log }, payments)
const prices = async (provider: 'stripe' | 'demo') =>
  (
    await database.pool.query(
      `select plan || ' ' || price_id || case when is_current then '' else ' earlier' end as price
       from plan_prices where provider = $1 order by plan, price_id`,
      [provider],
    )
  ).rows.map(({ price }) => price)

test('the provider and its prices are registered at startup; a change of the provider is logged once', async () => {
  expect(await registeredProvider(database.db)).toBeNull()
  expect([await prices('demo'), await prices('stripe')]).toEqual([[], []])
  await start({ kind: 'demo' })
  await start({ kind: 'demo' })
  expect(await registeredProvider(database.db)).toBe('demo')
  expect(await prices('demo')).toEqual(['pro_monthly demo_pro_monthly', 'pro_yearly demo_pro_yearly'])
  expect(lines).toEqual([])

  await database.pool.query('update payment_settings set events_read_until = now()')
  await start(stripe('price_m1', 'price_y1'))
  expect(await registeredProvider(database.db)).toBe('stripe')
  const changed =
    'payments are stripe, and were demo at the last start: of the plans that were paid, only those paid by stripe count'
  expect(lines).toEqual([expect.stringContaining(changed)])
  const { rows } = await database.pool.query('select events_read_until from payment_settings')
  expect(rows).toEqual([{ events_read_until: null }])
  await start({ kind: 'off' })
  expect(lines[1]).toContain('payments are off, and were stripe at the last start: plans that were paid do not count')
  expect(await registeredProvider(database.db)).toBeNull()
})

test('earlier prices stay, and plans may exchange their prices', async () => {
  const stripePrices = async (month: string, year: string) => {
    await start(stripe(month, year))
    return prices('stripe')
  }
  await stripePrices('price_m1', 'price_y1')
  const first = 'pro_monthly price_m1 earlier'
  expect(await stripePrices('price_m2', 'price_y1')).toEqual([first, 'pro_monthly price_m2', 'pro_yearly price_y1'])
  expect(await stripePrices('price_y1', 'price_m2')).toEqual([first, 'pro_monthly price_y1', 'pro_yearly price_m2'])
  expect(await stripePrices('price_m1', 'price_m2')).toEqual([
    'pro_monthly price_m1',
    'pro_monthly price_y1 earlier',
    'pro_yearly price_m2',
  ])
})

test('nodes may start at the same time', async () => {
  await Promise.all(
    Array.from({ length: 6 }, (_, at) => start(at % 2 ? stripe('price_m3', 'price_y3') : { kind: 'demo' })),
  )
  await start(stripe('price_m3', 'price_y3'))
  expect(await prices('stripe')).toContain('pro_monthly price_m3')
  expect(await registeredProvider(database.db)).toBe('stripe')
})
