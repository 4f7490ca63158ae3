import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../../db/connect.ts'
import { createTokens } from '../../domain/tokens.ts'
import { createLog } from '../../runtime/log.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import {
  deleteObsoleteLinks,
  deleteOldLinks,
  isLinkValid,
  redeemLink,
  sendLink,
  startLinkLifetime,
  type LinkKind,
} from './email-links.ts'
import { addUser } from './queries.ts'
import { singleKey } from '../../lib/secret-keys.ts'

const tokens = createTokens(singleKey('a secret of the tests'))
const email = 'ann@example.com'
let database: Database
let dropDatabase: () => Promise<void>
beforeAll(async () => {
  const cloned = await cloneDatabase()
  dropDatabase = cloned.drop
  database = connect(cloned.database, createLog('silent'), 4)
  await addUser(database.db, { id: 'ann', email, username: 'ann', passwordHash: 'x' })
})
afterAll(async () => {
  await database.close()
  await dropDatabase()
})
beforeEach(async () => {
  await database.pool.query('delete from email_links; delete from emails')
})

/** Creates a link; its id and token. */
async function createLink(kind: LinkKind, recipient = email): Promise<{ id: string; token: string }> {
  expect(await sendLink(database.db, tokens, { kind, userId: 'ann', email: recipient })).toBe(true)
  const { id } = await database.db
    .selectFrom('email_links')
    .select('id')
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return { id, token: tokens.account(kind, id) }
}
const redeem = (kind: LinkKind, token: string) => database.db.transaction().execute((tx) => redeemLink(tx, kind, token))
const ageBy = (interval: string) =>
  database.pool.query(
    `update email_links set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval`,
    [interval],
  )

test('a link is queued as an email without its token, and works once for what it is about', async () => {
  const { id, token } = await createLink('reset')
  const { rows } = await database.pool.query('select payload, recipient from emails')
  expect(rows).toEqual([{ payload: { linkId: id, changed: false }, recipient: email }])
  expect(await redeem('verify', token)).toBeUndefined()
  const uses = await Promise.all([redeem('reset', token), redeem('reset', token), redeem('reset', token)])
  expect(uses.filter((used) => used !== undefined)).toMatchObject([{ email, user: { id: 'ann' } }])
  expect(await isLinkValid(database.db, 'reset', token)).toBe(false)
})

test('a newer link of the same kind replaces it, and a link of the other kind does not', async () => {
  const older = await createLink('reset')
  const other = await createLink('verify')
  const newer = await createLink('reset')
  const valid = (kind: LinkKind, token: string) => isLinkValid(database.db, kind, token)
  expect([
    await valid('reset', older.token),
    await valid('reset', newer.token),
    await valid('verify', other.token),
  ]).toEqual([false, true, true])
})

test('the lifetime of a link starts when its email is sent; two hours later it is no longer sent', async () => {
  const { id, token } = await createLink('reset')
  await ageBy('1 hour')
  expect(await isLinkValid(database.db, 'reset', token)).toBe(false)
  const { expiresAt } = (await startLinkLifetime(database.db, 'reset', id)) ?? {}
  expect(((expiresAt?.getTime() ?? 0) - Date.now()) / 60_000).toBeCloseTo(30, 0)
  expect(await isLinkValid(database.db, 'reset', token)).toBe(true)
  await ageBy('61 minutes')
  expect(await startLinkLifetime(database.db, 'reset', id)).toBeUndefined()
})

test('links to other addresses and links that reset a password become obsolete together', async () => {
  await createLink('reset')
  const current = await createLink('verify')
  await deleteObsoleteLinks(database.db, 'ann')
  const { rows } = await database.pool.query<{ id: string }>('select id from email_links')
  expect(rows).toEqual([{ id: current.id }])
  await createLink('verify', 'new@example.com')
  await deleteObsoleteLinks(database.db, 'ann')
  expect((await database.pool.query('select id from email_links')).rows).toEqual([])
})

test('links are deleted a week after they expired', async () => {
  await createLink('reset')
  await ageBy('7 days')
  await deleteOldLinks(database.db)
  expect((await database.pool.query('select id from email_links')).rowCount).toBe(1)
  await ageBy('1 hour')
  await deleteOldLinks(database.db)
  expect((await database.pool.query('select id from email_links')).rowCount).toBe(0)
})

test.each(['', 'x', 'A'.repeat(43)])('the token %j belongs to no link', async (token) => {
  expect(await isLinkValid(database.db, 'reset', token)).toBe(false)
  expect(await redeem('reset', token)).toBeUndefined()
})
