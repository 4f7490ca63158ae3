import { beforeAll, beforeEach, expect, test } from 'vitest'
import { Fault } from '../../faults.ts'
import { hashOf } from '../../lib/ids.ts'
import { countLockWaits, useDatabase } from '../../test/cloned-database.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { actAsOperator, anonymizeAuditEntries, type OperatorAction, recordAction } from './audit-log.ts'

const database = useDatabase({ connections: 3 })
let admin: TestUser
let user: TestUser
beforeAll(async () => {
  ;[admin, user] = [await makeUser(database, 'admin@example.com'), await makeUser(database)]
  await database.pool.query('update users set is_admin = true where id = $1', [admin.id])
})
beforeEach(async () => {
  await database.pool.query('delete from operator_confirmations')
  await database.pool.query('delete from audit_log')
})

const confirm = (minutesAgo: number, { token } = admin) =>
  database.pool.query(
    'insert into operator_confirmations (session_hash, confirmed_at) values ($1, now() - make_interval(mins => $2))',
    [hashOf(token), minutesAgo],
  )
const actionOf = (who: TestUser, reason = ' spam '): OperatorAction => ({
  operator: { userId: who.id, sessionHash: hashOf(who.token) },
  action: 'rename account',
  subject: { kind: 'user', id: user.id, name: 'anna', userId: user.id },
  reason,
})
const rename = (who: TestUser, to: string, reason?: string) =>
  actAsOperator(database.db, actionOf(who, reason), async (tx) => {
    await tx.updateTable('users').set({ username: to }).where('id', '=', user.id).execute()
    if (to === '') throw new Fault('conflict', 'A name is needed.')
    return to
  })
const username = async (): Promise<string> =>
  (await database.pool.query<{ username: string }>('select username from users where id = $1', [user.id])).rows[0]!
    .username // the account exists
const entries = async (): Promise<object[]> =>
  (await database.pool.query<object>('select actor_kind, actor_name, action, reason, outcome, detail from audit_log'))
    .rows

test('an action is done with its entry in the log, for 10 minutes after the password was entered', async () => {
  await confirm(9)
  expect(await rename(admin, 'one')).toBe('one')
  expect(await username()).toBe('one')
  const entry = { actor_kind: 'operator', actor_name: 'admin@example.com', action: 'rename account', reason: 'spam' }
  expect(await entries()).toEqual([{ ...entry, outcome: 'done', detail: null }])
})

test('without the password nothing is done', async () => {
  await expect(rename(admin, 'two')).rejects.toMatchObject({ code: 'password_required' })
  await confirm(10)
  await expect(rename(admin, 'two')).rejects.toMatchObject({ code: 'password_required' })
  expect([await username(), await entries()]).toEqual(['one', []])
})

test('the password of a non-admin, or one entered in another session, allows nothing', async () => {
  await confirm(0, user)
  await expect(rename(user, 'three')).rejects.toMatchObject({ code: 'password_required' })
  const mixed = { ...actionOf(admin), operator: { userId: admin.id, sessionHash: hashOf(user.token) } }
  await expect(actAsOperator(database.db, mixed, async () => 'done')).rejects.toMatchObject({
    code: 'password_required',
  })
})

test('an action needs a reason', async () => {
  await confirm(0)
  for (const reason of ['', ' \n ', '\u200b', '\u202e.', '\u2800'])
    await expect(rename(admin, 'four', reason)).rejects.toMatchObject({ code: 'invalid' })
  expect([await username(), await entries()]).toEqual(['one', []])
})

test('a refused action changes nothing, and is logged', async () => {
  await confirm(0)
  await expect(rename(admin, '')).rejects.toMatchObject({ code: 'conflict' })
  expect(await username()).toBe('one')
  expect(await entries()).toMatchObject([{ outcome: 'refused', detail: 'A name is needed.', reason: 'spam' }])
})

test('an entry that is added while its account is being deleted does not name the account', async () => {
  const { db, pool } = database
  const leaving = await makeUser(database)
  const by = { kind: 'operator', id: admin.id, name: 'admin@example.com' } as const
  const subject = { kind: 'user', id: leaving.id, name: 'anna', userId: leaving.id } as const
  const recording = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', leaving.id).forUpdate().execute()
    await anonymizeAuditEntries(tx, leaving.id)
    await tx.deleteFrom('users').where('id', '=', leaving.id).execute()
    const entry = { by, subject, action: 'refund', reason: 'anna asked', outcome: { refused: 'Nothing was paid.' } }
    const added = recordAction(db, entry)
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    return { added }
  })
  await recording.added
  const { rows } = await pool.query(
    'select action, subject_kind, subject_id, subject_name, user_id, reason from audit_log',
  )
  expect(rows).toEqual([
    { action: 'refund', subject_kind: null, subject_id: null, subject_name: null, user_id: null, reason: null },
  ])
})
