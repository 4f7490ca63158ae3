import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { apiKeyLimits } from '@keepsnap/contract/limits.ts'
import { isApiKey } from '../../lib/api-keys.ts'
import { hashOf, newId } from '../../lib/ids.ts'
import { createKey, getByKey, makeApiUser, makeUserWithKey } from '../../test/api-keys.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { grantPlan, makeUser, validPassword, type TestUser } from '../../test/test-data.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const list = async ({ token }: TestUser): Promise<ApiKey[]> =>
  (await server.request({ method: 'GET', url: '/api/keys', token })).json<ApiKey[]>()
const create = ({ token }: TestUser, body: object) => server.request({ method: 'POST', url: '/api/keys', token, body })
const remove = ({ token }: TestUser, id: string) => server.request({ method: 'DELETE', url: `/api/keys/${id}`, token })
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)

describe('an API key', () => {
  test('is shown in full once, then by its prefix and last four characters, newest first', async () => {
    const user = await makeApiUser(server)
    expect(await list(user)).toEqual([])
    const first = await createKey(server, user, { name: '  Booth   in the hall ' })
    expect(first).toMatchObject({ name: 'Booth in the hall', last_used_at: null, expires_at: null })
    expect(isApiKey('customer', first.key)).toBe(true)
    const second = await createKey(server, user, { name: 'Website', expires_in_days: 30 })
    const [newer, older] = await list(user)
    expect(older).toEqual({ ...first, key: `ksnap_...${first.key.slice(-4)}` })
    expect(newer).toEqual({ ...second, key: `ksnap_...${second.key.slice(-4)}` })
    expect(Date.parse(newer!.expires_at!) - Date.parse(newer!.created_at)).toBe(30 * 86_400_000)
  })

  test('is stored as a hash, and nothing in the table contains it', async () => {
    const { key, keyId } = await makeUserWithKey(server)
    const { rows } = await query('select *, api_keys::text as text from api_keys where id = $1', [keyId])
    expect(rows[0].key_hash.equals(hashOf(key))).toBe(true)
    expect(rows[0].text).not.toContain(key.slice(6, 40))
  })

  test.each([
    ['nothing', '', 'Please enter a name for your API key'],
    ['blanks', '   ', 'Please enter a name for your API key'],
    ['61 characters', 'x'.repeat(61), 'Please use at most 60 characters'],
    ['a line break', 'a\nb', 'The name contains line breaks or invisible characters. Please type it again'],
  ])('is not created with %s for a name', async (_, name, msg) => {
    const user = await makeApiUser(server)
    const answer = await create(user, { name })
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', 'name'], msg }] },
    ])
    expect(await list(user)).toEqual([])
  })

  test.each([0, -1, 1.5, apiKeyLimits.expiryDaysMax + 1])('is not created for %d days', async (days) => {
    const user = await makeApiUser(server)
    expect((await create(user, { name: 'x', expires_in_days: days })).statusCode).toBe(422)
  })

  test('is only created on a plan with API access', async () => {
    const user = await makeUser(server)
    for (const plan of ['free', 'pro_monthly'] as const) {
      await grantPlan(server, user, plan)
      const answer = await create(user, { name: 'Booth' })
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { code: 'forbidden', detail: 'API access not available with your current subscription' },
      ])
    }
    expect(await list(user)).toEqual([])
  })

  test('is one of 50 at most, also when many are created at once', async () => {
    const user = await makeApiUser(server)
    await query(
      `insert into api_keys (id, user_id, name, key_hash, last_four)
       select $1 || n, $2, 'x', sha256(($1 || n)::bytea), 'abcd' from generate_series(1, $3::integer) n`,
      [newId(), user.id, apiKeyLimits.keysMax - 2],
    )
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(user, { name: 'Booth' })))
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([201, 201, 409, 409, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toEqual({
      code: 'conflict',
      detail: 'You have 50 API keys, the most there can be. Please delete one first.',
    })
    const keys = await list(user)
    expect(keys).toHaveLength(apiKeyLimits.keysMax)
    expect((await remove(user, keys[0]!.id)).statusCode).toBe(204)
    expect((await create(user, { name: 'Booth' })).statusCode).toBe(201)
  })

  test('can be deleted once, also after the plan with API access has ended', async () => {
    const { user, key, keyId } = await makeUserWithKey(server)
    await grantPlan(server, user, 'free')
    expect(await list(user)).toHaveLength(1)
    const answers = await Promise.all([remove(user, keyId), remove(user, keyId)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([204, 404])
    expect((await remove(user, keyId)).json()).toEqual({ code: 'not_found', detail: 'This API key does not exist.' })
    expect(await list(user)).toEqual([])
    await grantPlan(server, user, 'pro_yearly')
    expect((await getByKey(server, key, '/user/me')).statusCode).toBe(401)
  })
})

test('open pages are notified when a key is created or deleted', async () => {
  const address = await server.listen()
  const user = await makeApiUser(server)
  const live = await connectLive(address, user.token)
  const messages = (): number => live.received.filter(({ action }) => action === 'api_keys_changed').length
  const { id } = await createKey(server, user)
  await expect.poll(messages).toBe(1)
  await remove(user, id)
  await expect.poll(messages).toBe(2)
  live.socket.close()
})

test('deleting the account ends its keys at once, and no row is left', async () => {
  const { user, key } = await makeUserWithKey(server)
  expect((await getByKey(server, key, '/api/photos')).statusCode).toBe(200)
  const body = { password: validPassword }
  expect((await server.request({ method: 'DELETE', url: '/user', token: user.token, body })).statusCode).toBe(204)
  expect((await getByKey(server, key, '/api/photos')).statusCode).toBe(401)
  expect((await query('select 1 from api_keys where user_id = $1', [user.id])).rowCount).toBe(0)
})
