import { expect, test } from 'vitest'
import { supportLimits } from '@keepsnap/contract/limits.ts'
import { serverForThisTest } from '../../test/harness.ts'
import { addSupportMessage } from '../../test/support-messages.ts'
import { cleanUpSupport } from './clean-up.ts'

test('messages are kept for as long as the limits say, and clients for a day', async () => {
  const server = await serverForThisTest()
  const { answeredDays, suspectedDays, openDays } = supportLimits
  const kept = [
    await addSupportMessage(server),
    await addSupportMessage(server, { days: openDays - 1 }),
    await addSupportMessage(server, { state: 'answered', days: answeredDays - 1 }),
    await addSupportMessage(server, { state: 'suspected', days: suspectedDays - 1 }),
  ]
  await addSupportMessage(server, { days: openDays + 1 })
  await addSupportMessage(server, { state: 'answered', days: answeredDays + 1 })
  const spam = await addSupportMessage(server, { state: 'suspected', days: suspectedDays + 1 })
  const { pool } = server.app.deps
  await pool.query(
    `insert into emails (id, kind, recipient, recipient_key, payload, due_at, give_up_at)
     values ($1, 'support-message', 'help@example.com', 'help@example.com', '{}', now(), now() + interval '1 day')`,
    [spam],
  )
  // One that was sent long ago and answered only now stays.
  const answeredNow = await addSupportMessage(server, { state: 'answered', days: openDays + 1 })
  await pool.query('update support_messages set answered_at = now() where id = $1', [answeredNow])
  await cleanUpSupport(server.db)
  const { rows } = await pool.query<{ id: string; client: string | null }>('select id, client from support_messages')
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...kept, answeredNow].toSorted())
  expect(rows.filter(({ client }) => client !== null)).toMatchObject([{ id: kept[0] }])
  expect((await pool.query('select 1 from emails where id = $1', [spam])).rowCount).toBe(0)
})
