import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey } from '@keepsnap/contract/integrations.ts'
import { apiKeyLimits } from '@keepsnap/contract/limits.ts'
import { isApiKey } from '../../lib/api-keys.ts'
import { hashOf, newId, newSecret } from '../../lib/ids.ts'
import {
  createKey,
  getByKey,
  makeApiUser,
  makeUserWithKey,
  grantPlan,
  type TestUser,
  validPassword,
} from '../../test/test-data.ts'
import { startServer, type TestServer, useServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { promisedMs } from '../../test/statistics.ts'
import { changeAccount } from '../accounts/operator-changes.ts'
import { addSession } from '../accounts/sessions.ts'

/** Two nodes on one database. Changes are made through the first. */
const server = useServer()
let otherNode: TestServer
beforeAll(async () => {
  otherNode = await startServer({}, { database: server.database })
})
afterAll(async () => {
  await otherNode.close()
})

const list = async ({ token }: TestUser): Promise<ApiKey[]> =>
  (await server.request({ method: 'GET', url: '/api/keys', token })).json<ApiKey[]>()
const create = ({ token }: TestUser, body: object) => server.request({ method: 'POST', url: '/api/keys', token, body })
const remove = ({ token }: TestUser, id: string) => server.request({ method: 'DELETE', url: `/api/keys/${id}`, token })
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)
const wrongKey = [401, { code: 'unauthorized', detail: 'Invalid or missing API key' }]
const noAccess = [403, { code: 'forbidden', detail: 'API access not available with your current subscription' }]
const ok = [200, undefined]

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

  test('is only created with a name, and on a plan with API access', async () => {
    const user = await makeApiUser(server)
    const named = await create(user, { name: '   ' })
    const msg = 'Please enter a name for your API key'
    expect([named.statusCode, named.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', 'name'], msg }] },
    ])
    for (const plan of ['free', 'pro_monthly'] as const) {
      await grantPlan(server, user, plan)
      const answer = await create(user, { name: 'Booth' })
      expect([answer.statusCode, answer.json()]).toEqual(noAccess)
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
    const detail = 'You have 50 API keys, the most there can be. Please delete one first.'
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toEqual({ code: 'conflict', detail })
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
  const user = await makeApiUser(server)
  const live = await connectLive(await server.listen(), user.token)
  const messages = (): number => live.received.filter(({ action }) => action === 'api_keys_changed').length
  const { id } = await createKey(server, user)
  await expect.poll(messages, { interval: 10 }).toBe(1)
  await remove(user, id)
  await expect.poll(messages, { interval: 10 }).toBe(2)
  live.socket.close()
})

/** The answers of the nodes to a call with the key. Bodies of refusals only. */
const answersTo = (key: string): Promise<unknown[][]> =>
  Promise.all(
    [server, otherNode].map(async (node) => {
      const { statusCode, json } = await getByKey(node, key, '/api/photos?limit=1')
      return [statusCode, statusCode === 200 ? undefined : json<unknown>()]
    }),
  )
/** Waits until both nodes give this answer, for a second at most. */
async function expectWithinASecond(key: string, answer: unknown[]): Promise<void> {
  await expect.poll(() => answersTo(key), { timeout: promisedMs(1_000), interval: 20 }).toEqual([answer, answer])
}

describe('a key is refused by all nodes within a second', () => {
  test('while the plan has no API access, and works again after an upgrade', async () => {
    const { user, key } = await makeUserWithKey(server)
    for (const plan of ['free', 'pro_monthly'] as const) {
      await grantPlan(server, user, plan)
      await expectWithinASecond(key, noAccess)
      await grantPlan(server, user, 'pro_yearly')
      await expectWithinASecond(key, ok)
    }
  })

  test('when the plan ends or the key expires by time, without an event; the key stays in the list', async () => {
    const user = await makeApiUser(server)
    const { key, id } = await createKey(server, user, { expires_in_days: 1 })
    const soon = "now() + interval '300 milliseconds'"
    expect(await answersTo(key)).toEqual([ok, ok])
    await query(`update users set granted_until = ${soon} where id = $1`, [user.id])
    await expect.poll(() => answersTo(key), { timeout: promisedMs(2_000), interval: 20 }).toEqual([noAccess, noAccess])
    await grantPlan(server, user, 'pro_yearly')
    await expectWithinASecond(key, ok)
    await query(`update api_keys set expires_at = ${soon} where id = $1`, [id])
    await expect.poll(() => answersTo(key), { timeout: promisedMs(2_000), interval: 20 }).toEqual([wrongKey, wrongKey])
    expect((await list(user)).map((one) => one.id)).toEqual([id])
  })

  test('while the account is deactivated, and for ever when it is deleted, without a row left', async () => {
    const { user, key } = await makeUserWithKey(server)
    expect(await answersTo(key)).toEqual([ok, ok])
    await changeAccount(server.db, user.email, { is_active: false })
    await expectWithinASecond(key, wrongKey)
    await changeAccount(server.db, user.email, { is_active: true })
    await expectWithinASecond(key, ok)
    const token = newSecret()
    await addSession(server.db, { tokenHash: hashOf(token), userId: user.id, userAgent: undefined })
    const deletion = { method: 'DELETE', url: '/user', token, body: { password: validPassword } } as const
    expect((await server.request(deletion)).statusCode).toBe(204)
    expect((await getByKey(server, key, '/api/photos')).statusCode).toBe(401)
    expect((await query('select from api_keys where user_id = $1', [user.id])).rowCount).toBe(0)
  })
})

test('a new password and signing out everywhere leave keys as they are', async () => {
  const { user, key } = await makeUserWithKey(server)
  expect((await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })).statusCode).toBe(204)
  expect(await answersTo(key)).toEqual([ok, ok])
})

describe('the last use', () => {
  const lastUse = async (user: TestUser): Promise<string | null> => (await list(user))[0]!.last_used_at

  test('is written at most once a minute, by all nodes together', async () => {
    const { user, key, keyId } = await makeUserWithKey(server)
    expect(await lastUse(user)).toBeNull()
    await answersTo(key)
    const first = await lastUse(user)
    expect(first).not.toBeNull()
    await answersTo(key)
    expect(await lastUse(user)).toBe(first)
    await query("update api_keys set last_used_at = now() - interval '61 seconds' where id = $1", [keyId])
    const old = await lastUse(user)
    const afterUse = async () => {
      await answersTo(key)
      return lastUse(user)
    }
    await expect.poll(afterUse, { interval: 20 }).not.toBe(old)
  })

  test('is not written by a call that was refused for the plan', async () => {
    const { user, key } = await makeUserWithKey(server)
    await grantPlan(server, user, 'free')
    await expectWithinASecond(key, noAccess)
    expect(await lastUse(user)).toBeNull()
  })
})
