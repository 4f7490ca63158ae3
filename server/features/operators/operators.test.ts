import { beforeAll, describe, expect, test } from 'vitest'
import type {
  AdminStats,
  AdminUser,
  AdminUserDetail,
  AuditEntry,
  OperatorHealth,
  OperatorOverview,
  OperatorUser,
  OperatorUserDetail,
} from '@keepsnap/contract/operators.ts'
import { deleteOldAuditEntries, recordAction } from './audit-log.ts'
import { addPhotos, callOperator, grantPlan, makeOperator, makeUser, type TestUser } from '../../test/test-data.ts'
import { removeJobs, useServer } from '../../test/harness.ts'
import { callBilling, subscribe } from '../../test/subscriptions.ts'
import { createAdminKey, revokeAdminKey } from './admin-keys.ts'
import { cacheSlowReads } from './statistics.ts'

let operator: TestUser
let paying: TestUser
let pastDue: TestUser
let given: TestUser
let inactive: TestUser
let adminKey: string
let adminKeyId: string
const server = useServer({ LOG_LEVEL: 'silent' })
beforeAll(async () => {
  operator = await makeOperator(server, { isConfirmed: false })
  ;[paying, pastDue] = [await makeUser(server, 'studio@wedding.example'), await makeUser(server, 'hall@venue.example')]
  ;[given, inactive] = [await makeUser(server, 'fair@venue.example'), await makeUser(server)]
  await subscribe(server, paying, 'pro_yearly')
  await subscribe(server, pastDue)
  await query(`update paid_plans set status = 'past_due' where user_id = $1`, [pastDue.id])
  await grantPlan(server, given, 'pro_monthly')
  await query('update users set is_active = false where id = $1', [inactive.id])
  ;({ key: adminKey, id: adminKeyId } = await newAdminKey('reports'))
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const get = async <T>(path: string): Promise<T> => (await callOperator(server, operator, path)).json<T>()
type UserList = { users: OperatorUser[]; total: number; skip: number; limit: number }
const list = (parameters: Record<string, string>) =>
  get<UserList>(`users?${new URLSearchParams(parameters).toString()}`)
const idsOf = async (parameters: Record<string, string>): Promise<string[]> =>
  (await list(parameters)).users.map(({ id }) => id)
describe('accounts', () => {
  test('are listed with plan and usage, the newest first, by pages', async () => {
    await addPhotos(server, paying, { count: 2, bytes: 1_000 })
    const all = await list({})
    expect(all).toMatchObject({ total: 5, skip: 0, limit: 50 })
    expect(all.users.map(({ id }) => id)).toEqual([inactive, given, pastDue, paying, operator].map(({ id }) => id))
    expect(all.users[3]).toEqual({
      id: paying.id,
      username: 'studio',
      email: 'studio@wedding.example',
      is_active: true,
      is_admin: false,
      plan: 'pro_yearly',
      is_complimentary: false,
      plan_until: null,
      is_past_due: false,
      photos_this_month: 2,
      photos_per_month: 1000,
      storage_used_bytes: 2_000,
      storage_bytes: 50 * 1024 ** 3,
      created_at: expect.stringMatching(/Z$/),
    })
    expect(await list({ skip: '1', limit: '2' })).toMatchObject({
      users: [{ id: given.id }, { id: pastDue.id }],
      total: 5,
    })
  })

  test('are filtered by plan, missing payment and state', async () => {
    expect(await idsOf({ filter: 'pro' })).toEqual([given.id, pastDue.id, paying.id])
    expect(await idsOf({ filter: 'past_due' })).toEqual([pastDue.id])
    expect(await idsOf({ filter: 'deactivated' })).toEqual([inactive.id])
    expect(await list({ filter: 'pro', limit: '1' })).toMatchObject({ total: 3 })
    expect((await list({ filter: 'pro' })).users.map(({ is_complimentary: isGiven }) => isGiven)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('are found by id, and by parts of the name and the address in any case', async () => {
    expect(await idsOf({ search: paying.id })).toEqual([paying.id])
    expect(await idsOf({ search: ' VENUE.example ' })).toEqual([given.id, pastDue.id])
    expect(await idsOf({ search: 'STUDIO' })).toEqual([paying.id])
    expect(await idsOf({ search: 'venue.', filter: 'past_due' })).toEqual([pastDue.id])
    expect(await list({ search: 'venue.', limit: '1' })).toMatchObject({ total: 2 })
    await query(`update users set username = 'Zaal Élodie 100%_\\ 写真' where id = $1`, [inactive.id])
    for (const search of ['élodie', 'ÉLODIE', '100%_\\', '写真'])
      expect([search, await idsOf({ search })]).toEqual([search, [inactive.id]])
  })

  test('are found only if they contain what is searched for', async () => {
    await query(`update users set username = 'plain' where id = $1`, [inactive.id])
    const odd = ['%', '_', "' or '1'='1", '$1', '\\', '(.*)+$', '🎉', 'x'.repeat(254), '\u202e']
    for (const search of odd) expect(await list({ search })).toMatchObject({ users: [], total: 0 })
  })

  test('one account has what an operator needs to decide, and no secrets', async () => {
    const answer = await callOperator(server, operator, `users/${paying.id}`)
    expect(answer.json<OperatorUserDetail>()).toMatchObject({
      user: { id: paying.id, plan: 'pro_yearly' },
      account: { id: paying.id, subscription: { plan_name: 'Pro Yearly', status: 'active' } },
      sessions: { count: 1, last_used_at: expect.stringMatching(/Z$/) },
      api_keys: 0,
      refundable_until: expect.stringMatching(/Z$/),
    })
    // Names of fields: random ids may contain "hash".
    expect(answer.body).not.toMatch(/argon2|hash\w*":|demo_cus|demo_sub|price(_|\w*":)/)
    for (const id of ['0'.repeat(22), "'", '%F0%9F%98%80'])
      expect((await callOperator(server, operator, `users/${id}`)).statusCode).toBe(404)
  })
})

test('the overview counts accounts, subscribers, photos and bytes', async () => {
  const before = await get<OperatorOverview>('overview')
  await addPhotos(server, given, { count: 3, bytes: 500 })
  await addPhotos(server, given, { count: 1, daysAgo: 28, bytes: 500 })
  await addPhotos(server, given, { count: 1, daysAgo: 40, bytes: 500 })
  const after = await get<OperatorOverview>('overview')
  expect(after).toMatchObject({
    users: { total: 5, active: 4, deactivated: 1, new_7d: 5 },
    subscribers: { monthly: 1, yearly: 1, complimentary: 1 },
    photos: { total: before.photos.total + 5, new_30d: before.photos.new_30d + 4 },
    storage_used_bytes: before.storage_used_bytes + 2_500,
  })
  const days = after.photos_per_day
  expect([days.length, days.at(-1)?.day]).toEqual([30, after.as_of.slice(0, 10)])
  expect(days.reduce((sum, { photos }) => sum + photos, 0)).toBe(after.photos.new_30d)
  expect(days.at(-1)?.photos).toBe(after.photos.today)
})

describe('the audit log', () => {
  const entry = (action: string, kind: 'operator' | 'command' | 'admin key' = 'operator') =>
    recordAction(server.db, {
      by: kind === 'command' ? { kind, id: null, name: 'x' } : { kind, id: 'x', name: 'x' },
      action,
      subject: { kind: 'user', id: given.id, name: 'fair', userId: given.id },
      outcome: 'done',
    })
  const log = (parameters: Record<string, string>) =>
    get<{ entries: AuditEntry[]; has_more: boolean }>(`audit?${new URLSearchParams(parameters).toString()}`)
  const actionsOf = async (parameters: Record<string, string>) =>
    (await log(parameters)).entries.map(({ action }) => action)

  test('is read by pages, the newest first, for one account or one kind of actor', async () => {
    await query('delete from audit_log')
    for (const action of ['one', 'two', 'three']) await entry(action)
    await entry('four', 'admin key')
    await recordAction(server.db, { by: { kind: 'admin key', id: 'x', name: 'x' }, action: 'five', outcome: 'done' })
    const first = await log({ limit: '2' })
    expect(first).toMatchObject({ entries: [{ action: 'five', subject: null }, { action: 'four' }], has_more: true })
    const next = await log({ limit: '3', before: first.entries[1]?.id ?? '' })
    expect(next).toMatchObject({
      entries: [{ action: 'three' }, { action: 'two' }, { action: 'one' }],
      has_more: false,
    })
    expect(next.entries[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      by: { kind: 'operator', name: 'x' },
      action: 'three',
      subject: { kind: 'user', id: given.id, name: 'fair' },
      reason: null,
      outcome: 'done',
      detail: null,
    })
    expect(await actionsOf({ user_id: given.id })).toEqual(['four', 'three', 'two', 'one'])
    expect(await actionsOf({ user_id: given.id, by: 'admin key' })).toEqual(['four'])
    expect(await actionsOf({ by: 'operator', limit: '1' })).toEqual(['three'])
    expect(await actionsOf({ user_id: paying.id })).toEqual([])
    for (const id of ["'", '0'.repeat(22), 'x'.repeat(128)]) expect(await actionsOf({ before: id })).toEqual([])
  })

  test('keeps actions for a year, and calls with admin keys for 90 days', async () => {
    await query('delete from audit_log')
    for (const days of [89, 91, 364, 366]) {
      await entry(`action ${days}`, days === 364 ? 'command' : 'operator')
      await entry(`call ${days}`, 'admin key')
      await query(`update audit_log set at = now() - make_interval(days => $1) where action like $2`, [
        days,
        `% ${days}`,
      ])
    }
    await deleteOldAuditEntries(server.db)
    expect((await actionsOf({})).toSorted()).toEqual(['action 364', 'action 89', 'action 91', 'call 89'])
  })
})

test('health reports the state of queues, emails, payments, the store and the program', async () => {
  await removeJobs(server.app.deps.pool)
  await query('delete from emails')
  await query(`insert into emails (id, kind, recipient, recipient_key, state, created_at, due_at, give_up_at, failure) values
    ('e1', 'photo', 'a@b.co', 'a@b.co', 'queued', now() - interval '2 hours', now() + interval '1 hour', now() + interval '1 day', 'The mail server requires authentication.'),
    ('e2', 'photo', 'a@b.co', 'a@b.co', 'queued', now() - interval '1 hour', now(), now() + interval '1 day', null),
    ('e3', 'photo', 'a@b.co', 'a@b.co', 'queued', now(), now() + interval '1 hour', now() + interval '1 day', null),
    ('e4', 'photo', 'a@b.co', 'a@b.co', 'sent', now(), now(), now() + interval '1 day', null),
    ('e5', 'photo', 'a@b.co', 'a@b.co', 'failed', now(), now(), now() + interval '1 day', 'refused'),
    ('e6', 'photo', 'a@b.co', 'a@b.co', 'sent', now() - interval '2 days', now() - interval '2 days', now(), null)`)
  await query(`insert into storage_checks (objects, missing, unknown) values (10, 1, 2)`)
  const health = await get<OperatorHealth>('health')
  expect(health.email).toEqual({
    kind: 'outbox',
    waiting: 2,
    waiting_since: expect.stringMatching(/Z$/),
    sent_today: 1,
    failed_today: 1,
    last_error: 'The mail server requires authentication.',
  })
  await query("delete from emails where state = 'queued'")
  expect((await get<OperatorHealth>('health')).email).toMatchObject({ waiting: 0, last_error: 'refused' })
  expect(health.billing).toEqual({
    payments: 'demo',
    refused_because: null,
    check_warning: null,
    unreachable_because: null,
    open_disputes: 0,
    compared_at: null,
    mismatches: null,
    last_webhook_at: null,
    unprocessed_events: expect.any(Number),
    past_due: 1,
    open_refunds: 0,
  })
  expect(health.integrity).toMatchObject({
    checked_at: expect.stringMatching(/Z$/),
    objects: 10,
    missing: 1,
    unknown: 2,
  })
  expect(health.backup).toEqual({ finished_at: null, seconds: null, since: expect.stringMatching(/Z$/), damaged: 0 })
  expect(health.operator.is_public).toBe(false)
  expect(health.operator.sample_settings).toContain('OPERATOR_NAME')
  expect(health.processing).toMatchObject({ photos: expect.any(Number), median_seconds: 2, slowest_seconds: 2 })
  expect(health.queues.length).toBeGreaterThan(7)
  for (const queue of health.queues)
    expect(queue).toEqual({ name: queue.name, waiting: 0, running: 0, failed: 0, oldest_waiting_seconds: null })
})

describe('by an admin key', () => {
  const get = (url: string, key = adminKey) => server.request({ method: 'GET', url, headers: { 'api-key': key } })
  const userFields =
    'id username email subscription_tier logo_url background_image_url use_logo_as_watermark ask_email_to_receive_photo allow_marketing_emails allow_promotional_emails is_admin is_active created_at became_subscriber_at photo_count'
      .split(' ')
      .toSorted()
  test('accounts are listed by pages, the newest first, with the fields of the specification and no others', async () => {
    const [older, newer] = [await makeUser(server), await makeUser(server)]
    type Page = { users: AdminUser[]; total: number; skip: number; limit: number }
    const page = async (search = '') => (await get(`/api/admin/users${search}`)).json<Page>()
    const all = await page()
    expect(all.users.slice(0, 2).map(({ id }) => id)).toEqual([newer.id, older.id])
    expect(all).toMatchObject({ total: all.users.length, skip: 0, limit: 50 })
    for (const user of all.users) expect(Object.keys(user).toSorted()).toEqual(userFields)
    expect(await page('?skip=1&limit=1')).toEqual({ users: [all.users[1]], total: all.total, skip: 1, limit: 1 })
    expect(await page('?skip=1000')).toMatchObject({ users: [], total: all.total })
  })

  test('numbers of accounts, plans and photos', async () => {
    const before = (await get('/api/admin/stats')).json<AdminStats>()
    const [user, other] = [await makeUser(server), await makeUser(server)]
    await query('update users set is_active = false where id = $1', [other.id])
    await grantPlan(server, user, 'pro_yearly')
    await addPhotos(server, user, { count: 2 })
    await addPhotos(server, user, { count: 1, daysAgo: 31 })
    await addPhotos(server, user, { count: 1, state: 'receiving' })
    await addPhotos(server, user, { count: 1, isDeleted: true })
    // A plan that is paid and given at the same time counts once.
    await grantPlan(server, paying, 'pro_monthly')
    const { free, pro } = before.subscription_breakdown
    expect((await get('/api/admin/stats')).json()).toEqual({
      total_users: before.total_users + 2,
      active_users: before.active_users + 1,
      total_photos: before.total_photos + 3,
      subscription_breakdown: { free: free + 1, pro: pro + 1 },
      recent_activity: { new_photos_30d: before.recent_activity.new_photos_30d + 2 },
    })
    await grantPlan(server, paying, 'free')
  })

  test('one account with its subscription and usage; a complimentary plan is no subscription', async () => {
    const detailOf = async ({ id }: TestUser) => (await get(`/api/admin/users/${id}`)).json<AdminUserDetail>()
    const before = await detailOf(paying)
    await addPhotos(server, paying, { count: 3, bytes: 524_288 })
    const detail = await detailOf(paying)
    expect(Object.keys(detail).toSorted()).toEqual([...userFields, 'subscription', 'usage'].toSorted())
    expect(detail).toMatchObject({
      id: paying.id,
      email: paying.email,
      subscription_tier: 'pro',
      became_subscriber_at: expect.stringMatching(/^20\d\d-/),
      photo_count: before.photo_count + 3,
      usage: { photos_this_month: before.usage.photos_this_month + 3 },
    })
    expect(detail.usage.storage_used_mb - before.usage.storage_used_mb).toBeCloseTo(1.5, 1)
    const period = { current_period_end: expect.stringMatching(/T.*Z$/) }
    expect(detail.subscription).toEqual({ plan_name: 'Pro Yearly', status: 'active', ...period })
    await callBilling(server, paying, 'cancel')
    expect((await detailOf(paying)).subscription?.status).toBe('active')
    expect((await detailOf(await makeUser(server))).subscription).toBeNull()
    expect(await detailOf(given)).toMatchObject({ subscription: null, subscription_tier: 'pro' })
  })

  test('no answer has a hash, a token or an id of the payment provider', async () => {
    const { rows } = await query(
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

  test('each call has an entry in the audit log', async () => {
    await query('delete from audit_log')
    for (const path of ['users?limit=1', 'stats', `users/${given.id}`]) await get(`/api/admin/${path}`)
    const entries = async () =>
      (
        await query(
          `select actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, outcome, detail
           from audit_log where actor_kind = 'admin key' order by at desc, id limit 3`,
        )
      ).rows
    const by = { actor_kind: 'admin key', actor_id: adminKeyId, actor_name: 'reports', outcome: 'done', detail: null }
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

  test('a revoked key is refused at the next call, and use is remembered', async () => {
    const { id, key } = await newAdminKey('other')
    expect((await get('/api/admin/stats', key)).statusCode).toBe(200)
    const recent = "select from admin_keys where last_used_at > now() - interval '1 minute' and id = $1"
    expect((await query(recent, [id])).rowCount).toBe(1)
    await revokeAdminKey(server.db, id)
    expect((await get('/api/admin/stats', key)).statusCode).toBe(401)
  })
})

async function newAdminKey(name: string) {
  const created = await createAdminKey(server.db, name)
  if (!created) throw new Error('there are too many admin keys')
  return created
}

describe('a read of these pages', () => {
  let nowMs = 0
  let reads = 0
  let tookMs = 0
  const readNumber = cacheSlowReads(
    async () => {
      nowMs += tookMs
      reads += 1
      return reads
    },
    250,
    { now: () => nowMs },
  )
  test('that is quick is not cached', async () => {
    tookMs = 249
    expect([await readNumber(), await readNumber()]).toEqual([1, 2])
  })

  test('that was slow is cached for 20 times its duration', async () => {
    tookMs = 1_000
    expect(await readNumber()).toBe(3)
    nowMs += 19_999
    expect(await readNumber()).toBe(3)
    nowMs += 1
    expect(await readNumber()).toBe(4)
  })

  test('is shared by concurrent calls, and a failure is not cached', async () => {
    const answers = [new Error('down'), 'up']
    const read = cacheSlowReads(async () => {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return answer
    })
    const both = await Promise.allSettled([read(), read()])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await read()).toBe('up')
  })
})

test('reads of a person’s data are in the audit log, once an hour for an operator, a person and what is read', async () => {
  const [first, second] = [await makeOperator(server), await makeOperator(server)]
  const user = await makeUser(server)
  const paths = [`users/${user.id}`, `emails?address=${user.email}`, `users?search=${user.email}`, 'users']
  for (const operator of [first, second, first])
    for (const path of paths) expect((await callOperator(server, operator, path)).statusCode).toBe(200)
  expect((await callOperator(server, first, `users/${first.id}`)).statusCode).toBe(200)
  const { rows } = await server.app.deps.pool.query<Record<string, unknown>>(
    `select actor_id, action, subject_id, outcome from audit_log where actor_id = any($1) order by at, id`,
    [[first.id, second.id]],
  )
  const reads = (operator: { id: string }) =>
    [
      ['read account', user.id],
      ['look up emails to an address', null],
      ['search accounts', null],
      ['list accounts', null],
    ].map(([action, subject]) => ({ actor_id: operator.id, action, subject_id: subject, outcome: 'done' }))
  expect(rows).toEqual([
    ...reads(first),
    ...reads(second),
    { actor_id: first.id, action: 'read account', subject_id: first.id, outcome: 'done' },
  ])
  // Nothing names a guest.
  const { rows: whole } = await server.app.deps.pool.query<{ text: string }>(
    'select audit_log::text as text from audit_log where actor_id = $1 and subject_id is null',
    [first.id],
  )
  expect(whole.filter(({ text }) => text.includes(user.email))).toEqual([])
})
