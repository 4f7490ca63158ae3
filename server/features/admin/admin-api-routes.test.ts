import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminStats, AdminUser, AdminUserDetail } from '@keepsnap/contract/admin-api.ts'
import { rates } from '@keepsnap/contract/limits.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { callBilling, subscribe } from '../../test/subscriptions.ts'
import { grantPlan, makeUser, type TestUser } from '../../test/test-data.ts'
import { addPhotos } from '../../test/add-photos.ts'
import { createAdminKey, revokeAdminKey } from './admin-keys.ts'

let server: TestServer
let key: string
let keyId: string
let paying: TestUser
let given: TestUser
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  ;({ key, id: keyId } = await newAdminKey('reports'))
  ;[paying, given] = [await makeUser(server), await makeUser(server)]
  await subscribe(server, paying, 'pro_yearly')
  await grantPlan(server, given, 'pro_monthly')
})
afterAll(() => server.close())

async function newAdminKey(name: string): Promise<{ id: string; key: string }> {
  const created = await createAdminKey(server.db, name)
  if (!created) throw new Error('there are too many admin keys')
  return created
}
const get = (url: string, headers: Record<string, string> = { 'api-key': key }) =>
  server.request({ method: 'GET', url, headers })
const entries = async (): Promise<object[]> => {
  const { rows } = await server.app.deps.pool.query<object>(
    `select actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, outcome, detail
     from audit_log where actor_kind = 'admin key' order by at desc, id limit 3`,
  )
  return rows
}

const userFields = [
  'id', 'username', 'email', 'subscription_tier', 'logo_url', 'background_image_url', 'use_logo_as_watermark',
  'ask_email_to_receive_photo', 'allow_marketing_emails', 'allow_promotional_emails', 'is_admin', 'is_active',
  'created_at', 'became_subscriber_at', 'photo_count',
] // prettier-ignore

test('accounts are listed by pages, the newest first, with the fields of the specification and no others', async () => {
  const [older, newer] = [await makeUser(server), await makeUser(server)]
  const list = (await get('/api/admin/users')).json<{
    users: AdminUser[]
    total: number
    skip: number
    limit: number
  }>()
  expect(list.users.slice(0, 2).map(({ id }) => id)).toEqual([newer.id, older.id])
  expect(list).toMatchObject({ total: list.users.length, skip: 0, limit: 50 })
  for (const user of list.users) expect(Object.keys(user).toSorted()).toEqual(userFields.toSorted())
  const second = (await get('/api/admin/users?skip=1&limit=1')).json<typeof list>()
  expect(second).toEqual({ users: [list.users[1]], total: list.total, skip: 1, limit: 1 })
  expect((await get('/api/admin/users?skip=1000')).json<typeof list>()).toMatchObject({ users: [], total: list.total })
})

test.each(['limit=0', 'limit=101', 'limit=x', 'skip=-1', 'skip=1000001', 'search=a', 'limit=1&limit=2'])(
  'a list with %s is refused',
  async (query) => {
    expect((await get(`/api/admin/users?${query}`)).statusCode).toBe(422)
  },
)

test('numbers of accounts, plans and photos', async () => {
  const before = (await get('/api/admin/stats')).json<AdminStats>()
  const [user, inactive] = [await makeUser(server), await makeUser(server)]
  await server.app.deps.pool.query('update users set is_active = false where id = $1', [inactive.id])
  await grantPlan(server, user, 'pro_yearly')
  await addPhotos(server, user, { count: 2 })
  await addPhotos(server, user, { count: 1, daysAgo: 31 })
  await addPhotos(server, user, { count: 1, state: 'receiving' })
  await addPhotos(server, user, { count: 1, isDeleted: true })
  expect((await get('/api/admin/stats')).json()).toEqual({
    total_users: before.total_users + 2,
    active_users: before.active_users + 1,
    total_photos: before.total_photos + 3,
    subscription_breakdown: {
      free: before.subscription_breakdown.free + 1,
      pro: before.subscription_breakdown.pro + 1,
    },
    recent_activity: { new_photos_30d: before.recent_activity.new_photos_30d + 2 },
  })
})

test('a plan that is paid and given at the same time counts once', async () => {
  const { subscription_breakdown: before } = (await get('/api/admin/stats')).json<AdminStats>()
  await grantPlan(server, paying, 'pro_monthly')
  expect((await get('/api/admin/stats')).json<AdminStats>().subscription_breakdown).toEqual(before)
  await grantPlan(server, paying, 'free')
})

test('one account with its subscription and usage', async () => {
  await addPhotos(server, paying, { count: 3, bytes: 524_288 })
  const detail = (await get(`/api/admin/users/${paying.id}`)).json<AdminUserDetail>()
  expect(Object.keys(detail).toSorted()).toEqual([...userFields, 'subscription', 'usage'].toSorted())
  expect(detail).toMatchObject({
    id: paying.id,
    email: paying.email,
    subscription_tier: 'pro',
    became_subscriber_at: expect.stringMatching(/^20\d\d-/),
    photo_count: 3,
    subscription: { plan_name: 'Pro Yearly', status: 'active', current_period_end: expect.stringMatching(/T.*Z$/) },
    usage: { photos_this_month: 3, storage_used_mb: 1.5 },
  })
  expect(Object.keys(detail.subscription ?? {})).toEqual(['plan_name', 'status', 'current_period_end'])
})

test('without a subscription there is none, also with a complimentary plan', async () => {
  const user = await makeUser(server)
  for (const { id } of [user, given])
    expect((await get(`/api/admin/users/${id}`)).json<AdminUserDetail>().subscription).toBeNull()
  expect((await get(`/api/admin/users/${given.id}`)).json<AdminUserDetail>().subscription_tier).toBe('pro')
  await callBilling(server, paying, 'cancel')
  expect((await get(`/api/admin/users/${paying.id}`)).json<AdminUserDetail>().subscription?.status).toBe('active')
})

test('no answer has a hash, a token or an id of the payment provider', async () => {
  const { rows } = await server.app.deps.pool.query<{ secret: string }>(
    `select password_hash as secret from users union select encode(token_hash, 'hex') from sessions
     union select customer_id from billing_customers union select id from subscriptions
     union select subscription_id from paid_plans union select encode(key_hash, 'hex') from admin_keys`,
  )
  expect(rows.length).toBeGreaterThan(8)
  for (const url of ['/api/admin/users', '/api/admin/stats', `/api/admin/users/${paying.id}`]) {
    const { body } = await get(url)
    for (const { secret } of rows) expect(body).not.toContain(secret)
    // Names of fields: random ids may contain "hash".
    expect(body).not.toMatch(/argon2|password|(token|hash|price)\w*":|customer|cus_|sub_|stripe|price_/i)
  }
})

test('an account that does not exist is not found, whatever its id looks like', async () => {
  for (const id of ['0'.repeat(22), 'x', "'%20or%201=1--", '%F0%9F%98%80', 'null', '-1', `${paying.id}0`]) {
    const answer = await get(`/api/admin/users/${id}`)
    expect([id, answer.statusCode, answer.json()]).toEqual([
      id,
      404,
      { code: 'not_found', detail: 'There is no such account.' },
    ])
  }
})

test('each call has an entry in the audit log', async () => {
  await server.app.deps.pool.query('delete from audit_log')
  await get('/api/admin/users?limit=1')
  await get('/api/admin/stats')
  await get(`/api/admin/users/${given.id}`)
  const by = { actor_kind: 'admin key', actor_id: keyId, actor_name: 'reports', outcome: 'done', detail: null }
  const nobody = { subject_kind: null, subject_id: null, subject_name: null }
  const subject = { subject_kind: 'user', subject_id: given.id, subject_name: given.email.split('@')[0] }
  expect(await entries()).toEqual([
    { ...by, action: 'read account', ...subject },
    { ...by, action: 'read statistics', ...nobody },
    { ...by, action: 'list accounts', ...nobody },
  ])
  await get(`/api/admin/users/${'0'.repeat(22)}`)
  expect((await entries())[0]).toMatchObject({ outcome: 'refused', detail: 'There is no such account.' })
})

test('nothing but an admin key opens it', async () => {
  const admin = await makeUser(server)
  await server.app.deps.pool.query('update users set is_admin = true where id = $1', [admin.id])
  const strangers: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${paying.token}` },
    { authorization: `Bearer ${admin.token}` },
    { 'api-key': admin.token },
    { authorization: `Bearer ${key}` },
    { 'api-key': newApiKey('admin') },
    { 'x-api-key': newApiKey('customer') },
    { 'api-key': key, 'x-api-key': newApiKey('admin') },
    { 'api-key': key.slice(0, -1) },
  ]
  for (const url of ['/api/admin/users', '/api/admin/stats', `/api/admin/users/${paying.id}`]) {
    for (const headers of strangers) {
      const answer = await get(url, headers)
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { code: 'unauthorized', detail: 'Invalid or missing API key' },
      ])
    }
    expect((await get(url, { 'X-API-Key': key })).statusCode).toBe(200)
  }
  for (const url of ['/user/me', '/photos', '/api/operator/overview'])
    expect((await get(url, { 'api-key': key })).statusCode).not.toBe(200)
})

test('a revoked key is refused at the next call, and use is remembered', async () => {
  const other = await newAdminKey('other')
  expect((await get('/api/admin/stats', { 'api-key': other.key })).statusCode).toBe(200)
  const { rows } = await server.app.deps.pool.query<{ id: string }>(
    `select id from admin_keys where last_used_at > now() - interval '1 minute' and id = $1`,
    [other.id],
  )
  expect(rows).toHaveLength(1)
  await revokeAdminKey(server.db, other.id)
  expect((await get('/api/admin/stats', { 'api-key': other.key })).statusCode).toBe(401)
})

test('calls are limited per key', async () => {
  const [one, two] = [await newAdminKey('one'), await newAdminKey('two')]
  const url = `/api/admin/users/${'0'.repeat(22)}`
  for (let at = 0; at < rates.admin.perMinute; at += 1)
    expect((await get(url, { 'api-key': one.key })).statusCode).toBe(404)
  const refused = await get(url, { 'api-key': one.key })
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await get(url, { 'api-key': two.key })).statusCode).toBe(404)
})
