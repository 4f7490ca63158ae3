import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { createKey, getByKey, makeApiUser, makeUserWithKey } from '../../test/api-keys.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { promisedMs } from '../../test/statistics.ts'
import { grantPlan, type TestUser } from '../../test/test-data.ts'
import { changeAccount } from '../accounts/operator-changes.ts'

/** Two nodes on one database. Changes are made through the first. */
let server: TestServer
let otherNode: TestServer
beforeAll(async () => {
  server = await startServer()
  otherNode = await startServer({}, { database: server.database })
})
afterAll(async () => {
  await otherNode.close()
  await server.close()
})

const nodes = () => [server, otherNode]
const wrongKey = [401, { code: 'unauthorized', detail: 'Invalid or missing API key' }]
const noAccess = [403, { code: 'forbidden', detail: 'API access not available with your current subscription' }]
const ok = [200, undefined]
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)

/** The answers of the nodes to a call with the key. Bodies of refusals only. */
const answersTo = (key: string): Promise<unknown[][]> =>
  Promise.all(
    nodes().map(async (node) => {
      const { statusCode, json } = await getByKey(node, key, '/api/photos?limit=1')
      return [statusCode, statusCode === 200 ? undefined : json<unknown>()]
    }),
  )
/** Waits until both nodes give this answer, for a second at most. */
async function expectWithinASecond(key: string, answer: unknown[]): Promise<void> {
  await expect.poll(() => answersTo(key), { timeout: promisedMs(1_000), interval: 20 }).toEqual([answer, answer])
}

describe('a key is refused by all nodes within a second', () => {
  test('after it was deleted; at once by the node that deleted it', async () => {
    const { user, key, keyId } = await makeUserWithKey(server)
    expect(await answersTo(key)).toEqual([ok, ok])
    await server.request({ method: 'DELETE', url: `/api/keys/${keyId}`, token: user.token })
    expect((await getByKey(server, key, '/user/me')).statusCode).toBe(401)
    await expectWithinASecond(key, wrongKey)
  })

  test('while the plan has no API access, and works again after an upgrade', async () => {
    const { user, key } = await makeUserWithKey(server)
    for (const plan of ['free', 'pro_monthly'] as const) {
      await grantPlan(server, user, plan)
      await expectWithinASecond(key, noAccess)
      await grantPlan(server, user, 'pro_yearly')
      await expectWithinASecond(key, ok)
    }
  })

  test('when the plan ends by time, without an event', async () => {
    const { user, key } = await makeUserWithKey(server)
    expect(await answersTo(key)).toEqual([ok, ok])
    await query("update users set granted_until = now() + interval '300 milliseconds' where id = $1", [user.id])
    await expect.poll(() => answersTo(key), { timeout: promisedMs(2_000), interval: 20 }).toEqual([noAccess, noAccess])
  })

  test('when it expires, without an event; it stays in the list', async () => {
    const user = await makeApiUser(server)
    const { key, id } = await createKey(server, user, { expires_in_days: 1 })
    expect(await answersTo(key)).toEqual([ok, ok])
    await query("update api_keys set expires_at = now() + interval '300 milliseconds' where id = $1", [id])
    await expect.poll(() => answersTo(key), { timeout: promisedMs(2_000), interval: 20 }).toEqual([wrongKey, wrongKey])
    const keys = (await server.request({ method: 'GET', url: '/api/keys', token: user.token })).json<ApiKey[]>()
    expect(keys.map((one) => one.id)).toEqual([id])
  })

  test('while the account is deactivated', async () => {
    const { user, key } = await makeUserWithKey(server)
    expect(await answersTo(key)).toEqual([ok, ok])
    await changeAccount(server.db, user.email, { is_active: false })
    await expectWithinASecond(key, wrongKey)
    await changeAccount(server.db, user.email, { is_active: true })
    await expectWithinASecond(key, ok)
  })
})

test('a new password and signing out everywhere leave keys as they are', async () => {
  const { user, key } = await makeUserWithKey(server)
  expect((await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })).statusCode).toBe(204)
  expect(await answersTo(key)).toEqual([ok, ok])
})

describe('the last use', () => {
  const lastUse = async (user: TestUser): Promise<string | null> =>
    (await server.request({ method: 'GET', url: '/api/keys', token: user.token })).json<ApiKey[]>()[0]!.last_used_at

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
    await expect
      .poll(async () => {
        await answersTo(key)
        return lastUse(user)
      })
      .not.toBe(old)
  })

  test('is not written by a call that was refused for the plan', async () => {
    const { user, key } = await makeUserWithKey(server)
    await grantPlan(server, user, 'free')
    await expectWithinASecond(key, noAccess)
    expect(await lastUse(user)).toBeNull()
  })
})
