import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, validPassword, type TestUser } from '../../test/test-data.ts'
import { changeAccount } from './operator-changes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const fetchUser = (user: TestUser) => server.request({ method: 'GET', url: '/user/me', token: user.token })
const signIn = (user: TestUser) =>
  server.request({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: user.email, password: validPassword }).toString(),
  })

test('deactivating an account ends its sessions at once and prevents sign-in; activating it again restores it', async () => {
  const user = await makeUser(server)
  expect((await fetchUser(user)).statusCode).toBe(200)
  expect(await changeAccount(server.db, user.email.toUpperCase(), { is_active: false })).toEqual({
    endsPayments: false,
  })
  await expect.poll(async () => (await fetchUser(user)).statusCode, { timeout: 20_000 }).toBe(401)
  expect((await signIn(user)).statusCode).toBe(401)
  await changeAccount(server.db, user.email, { is_active: true })
  expect((await signIn(user)).statusCode).toBe(200)
})

test('admin rights and plans can be granted', async () => {
  const user = await makeUser(server)
  await changeAccount(server.db, user.email, { is_admin: true })
  await changeAccount(server.db, user.email, { granted_plan: 'pro_yearly', granted_until: null })
  expect((await fetchUser(user)).json()).toMatchObject({ is_admin: true, subscription_tier: 'pro' })
  await changeAccount(server.db, user.email, {
    granted_plan: 'pro_monthly',
    granted_until: new Date(Date.now() - 1000),
  })
  expect((await fetchUser(user)).json()).toMatchObject({ subscription_tier: 'free' })
  expect(await changeAccount(server.db, 'nobody@example.com', { is_admin: true })).toBeUndefined()
})
