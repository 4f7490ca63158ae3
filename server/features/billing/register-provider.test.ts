import { beforeAll, afterAll, beforeEach, expect, test } from 'vitest'
import type { PaymentsConfig } from '../../ports/payments/payment-settings.ts'
import { createLog } from '../../runtime/log.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { registerProvider, registeredProvider } from './register-provider.ts'

let server: TestServer
const lines: string[] = []
const log = createLog('info', { write: (line: string) => lines.push(line) })
beforeAll(async () => {
  server = await startServer({ PAYMENTS: 'off' })
})
afterAll(() => server.close())
beforeEach(() => lines.splice(0))

const stripe = (month: string, year: string): PaymentsConfig => ({
  kind: 'stripe',
  secretKey: 'sk_test_1',
  webhookSecret: 'whsec_1',
  prices: { pro_monthly: month, pro_yearly: year },
  apiBase: undefined,
})
const start = (payments: PaymentsConfig): Promise<void> => registerProvider({ db: server.db, log }, payments)
const prices = async (provider: 'stripe' | 'demo') =>
  (
    await server.db
      .selectFrom('plan_prices')
      .selectAll()
      .where('provider', '=', provider)
      .orderBy('plan')
      .orderBy('price_id')
      .execute()
  ).map(({ plan, price_id: price, is_current: isCurrent }) => `${plan} ${price}${isCurrent ? '' : ' earlier'}`)

test('the provider and its prices are registered at startup; a change of the provider is logged once', async () => {
  expect(await registeredProvider(server.db)).toBeNull()
  expect(await server.db.selectFrom('plan_prices').selectAll().execute()).toEqual([])
  await start({ kind: 'demo' })
  await start({ kind: 'demo' })
  expect(await registeredProvider(server.db)).toBe('demo')
  expect(await prices('demo')).toEqual(['pro_monthly demo_pro_monthly', 'pro_yearly demo_pro_yearly'])
  expect(lines).toEqual([])

  await server.db.updateTable('payment_settings').set({ events_read_until: new Date() }).execute()
  await start(stripe('price_m1', 'price_y1'))
  expect(await registeredProvider(server.db)).toBe('stripe')
  expect(lines).toEqual([
    expect.stringContaining(
      'payments are stripe, and were demo at the last start: of the plans that were paid, only those paid by stripe count',
    ),
  ])
  const { events_read_until: readUntil } = await server.db
    .selectFrom('payment_settings')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(readUntil).toBeNull()
  await start({ kind: 'off' })
  expect(lines[1]).toContain('payments are off, and were stripe at the last start: plans that were paid do not count')
  expect(await registeredProvider(server.db)).toBeNull()
})

test('earlier prices stay, and plans may exchange their prices', async () => {
  await start(stripe('price_m1', 'price_y1'))
  await start(stripe('price_m2', 'price_y1'))
  expect(await prices('stripe')).toEqual([
    'pro_monthly price_m1 earlier',
    'pro_monthly price_m2',
    'pro_yearly price_y1',
  ])
  await start(stripe('price_y1', 'price_m2'))
  expect(await prices('stripe')).toEqual([
    'pro_monthly price_m1 earlier',
    'pro_monthly price_y1',
    'pro_yearly price_m2',
  ])
  await start(stripe('price_m1', 'price_m2'))
  expect(await prices('stripe')).toEqual([
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
  expect(await registeredProvider(server.db)).toBe('stripe')
})
