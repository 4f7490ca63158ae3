import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../process/log.ts'
import { cloneDatabase } from '../../../test/cloned-database.ts'
import { connect } from '../connect.ts'
import { up } from './0039_refund_amounts.ts'

test('amounts of refunds that included earlier ones become their own', async () => {
  const { database, drop } = await cloneDatabase()
  onTestFinished(drop)
  const { db, close } = connect(database, createLog('silent'), 2)
  onTestFinished(close)
  await sql`alter table refunds drop column payments`.execute(db)
  await sql`drop index billing_customers_of_users`.execute(db)
  await sql`insert into billing_customers (customer_id, provider) values ('several', 'demo'), ('one', 'demo')`.execute(
    db,
  )
  await sql`
    insert into refunds (id, customer_id, reason, subscription_id, amount_cents, tried_at, done_at) values
      ('1 second', 'several', 'second subscription', 'sub', 14999, now(), '2026-01-01'),
      ('2 all', 'several', 'customer', null, 16498, now(), '2026-01-02'),
      ('3 second', 'several', 'second subscription', 'other', 1499, now(), '2026-01-03'),
      ('4 all', 'several', 'operator', null, 19496, now(), '2026-01-04'),
      ('5 begun', 'several', 'operator', null, null, now(), null),
      ('6 one', 'one', 'customer', null, 1499, now(), '2026-01-01'),
      ('7 stored', 'one', 'operator', null, null, null, null)`.execute(db)
  await up(db as unknown as Kysely<unknown>) // a migration knows no tables
  const { rows } = await sql<{ id: string; amount: number | null; payments: unknown }>`
    select id, amount_cents as amount, payments from refunds order by id`.execute(db)
  expect(rows.map(({ id, amount }) => [id, amount])).toEqual([
    ['1 second', 14_999],
    ['2 all', 1_499],
    ['3 second', 1_499],
    ['4 all', 1_499],
    ['5 begun', null],
    ['6 one', 1_499],
    ['7 stored', null],
  ])
  expect(rows.every(({ payments }) => Array.isArray(payments) && payments.length === 0)).toBe(true)
})
