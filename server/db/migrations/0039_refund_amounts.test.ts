import { sql, type Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../runtime/log.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import { connect } from '../connect.ts'
import { up } from './0039_refund_amounts.ts'

test('amounts of refunds that included earlier ones become their own', async () => {
  const { database, drop } = await cloneDatabase()
  onTestFinished(drop)
  const { db, close } = connect(database, createLog('silent'), 2)
  onTestFinished(close)
  await sql`alter table refunds drop column refunded_before_cents`.execute(db)
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
  const { rows } = await sql<{ id: string; amount: number | null; before: number | null }>`
    select id, amount_cents as amount, refunded_before_cents as before from refunds order by id`.execute(db)
  expect(rows.map(({ id, amount, before }) => [id, amount, before])).toEqual([
    ['1 second', 14_999, 0],
    ['2 all', 1_499, 14_999],
    ['3 second', 1_499, 0],
    ['4 all', 1_499, 17_997],
    ['5 begun', null, 0],
    ['6 one', 1_499, 0],
    ['7 stored', null, null],
  ])
})
