import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SessionDetails } from '@keepsnap/contract/security.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { connectLive } from '../../test/live-client.ts'
import { newClientAddress, startServer, type TestServer } from '../../test/harness.ts'
import { validPassword, makeUser, upload, type TestUser } from '../../test/test-data.ts'
import { startServerProcess } from '../../test/server-process.ts'
import { lengthenDelay } from '../../test/sign-in-delays.ts'
import { emailsTo } from '../../test/outbox.ts'

const newPassword = 'Better.Battery.7'
let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

const signIn = async (user: TestUser, agent: string, password = validPassword) => {
  const response = await server.request({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': agent },
    body: new URLSearchParams({ username: user.email, password }).toString(),
  })
  return { status: response.statusCode, token: response.json<{ access_token: string }>().access_token }
}
const listSessions = async (token: string) =>
  (await server.request({ method: 'GET', url: '/user/sessions', token })).json<{ sessions: SessionDetails[] }>()
    .sessions
const statusOfSession = async (token: string) =>
  (await server.request({ method: 'GET', url: '/user/me', token })).statusCode
const changePassword = (token: string, current_password: string, new_password = newPassword) =>
  server.request({ method: 'POST', url: '/user/password', token, body: { current_password, new_password } })

describe('sessions', () => {
  test('are listed without their tokens', async () => {
    const user = await makeUser(server)
    const { token } = await signIn(user, 'Firefox on a phone')
    const sessions = await listSessions(token)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }) => current)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        user_agent: 'Firefox on a phone',
        created_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
        current: true,
      },
    ])
    expect(JSON.stringify(sessions)).not.toContain(token)
  })

  test('can be ended one by one, with their sockets; the others stay', async () => {
    const user = await makeUser(server)
    const other = await signIn(user, 'Old laptop')
    const liveSocket = await connectLive(address, other.token)
    const staying = await connectLive(address, user.token)
    expect(await statusOfSession(other.token)).toBe(200)
    const { id } = (await listSessions(user.token)).find(({ user_agent: agent }) => agent === 'Old laptop')!
    const end = () => server.request({ method: 'DELETE', url: `/user/sessions/${id}`, token: user.token })
    expect((await end()).statusCode).toBe(204)
    expect(await statusOfSession(other.token)).toBe(401)
    expect((await liveSocket.closed).code).toBe(4401)
    expect(await statusOfSession(user.token)).toBe(200)
    expect(staying.socket.readyState).toBe(staying.socket.OPEN)
    expect((await end()).statusCode).toBe(404)
    staying.socket.terminate()
  })

  test('of another user are not found', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const [{ id }] = (await listSessions(other.token)) as [SessionDetails]
    const response = await server.request({ method: 'DELETE', url: `/user/sessions/${id}`, token: user.token })
    expect(response.statusCode).toBe(404)
    expect(await statusOfSession(other.token)).toBe(200)
  })

  test('can all be ended at once, which invalidates the URLs of full-size images', async () => {
    const user = await makeUser(server)
    const other = await signIn(user, 'Old laptop')
    const { id } = (await upload(server, user, await jpeg({ width: 640, height: 480 }))).json<{ id: string }>()
    await server.work()
    const photo = await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })
    const full = new URL(photo.json<{ b2_url: string }>().b2_url)
    const statusOfImage = async () =>
      (await server.request({ method: 'GET', url: full.pathname + full.search, from: newClientAddress() })).statusCode
    expect(await statusOfImage()).toBe(200)
    const ended = await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })
    expect(ended.statusCode).toBe(204)
    expect([await statusOfSession(user.token), await statusOfSession(other.token), await statusOfImage()]).toEqual([
      401, 401, 404,
    ])
  })

  test('that end on one node also end on other nodes, with their sockets', async () => {
    const user = await makeUser(server)
    const options = { database: server.database, dir: server.dir, command: ['serve', '--no-work'] }
    const node = await startServerProcess(onTestFinished, options)
    const headers = { host: 'photos.test', authorization: `Bearer ${user.token}` }
    const statusOnNode = async () => (await fetch(`${node.address}/user/me`, { headers })).status
    const liveSocket = await connectLive(node.address, user.token)
    expect(await statusOnNode()).toBe(200)
    await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })
    const began = Date.now()
    await expect.poll(statusOnNode, { timeout: 20_000, interval: 50 }).toBe(401)
    expect((await liveSocket.closed).code).toBe(4401)
    expect(Date.now() - began).toBeLessThan(20_000)
  })

  test('that were deleted without a bus event also have their sockets closed', async () => {
    const user = await makeUser(server)
    const liveSocket = await connectLive(address, user.token)
    await server.app.deps.pool.query('delete from sessions where user_id = $1', [user.id])
    const began = Date.now()
    expect((await liveSocket.closed).code).toBe(4401)
    expect(Date.now() - began).toBeLessThan(20_000)
  })
})

describe('a changed password', () => {
  test('ends every session, opens a new one, and is reported by email', async () => {
    const user = await makeUser(server)
    const other = await signIn(user, 'Old laptop')
    const liveSocket = await connectLive(address, user.token)
    const response = await changePassword(user.token, validPassword)
    expect(response.statusCode).toBe(200)
    const { access_token: token } = response.json<{ access_token: string }>()
    expect([
      await statusOfSession(user.token),
      await statusOfSession(other.token),
      await statusOfSession(token),
    ]).toEqual([401, 401, 200])
    expect((await liveSocket.closed).code).toBe(4401)
    expect((await signIn(user, 'x')).status).toBe(401)
    expect((await signIn(user, 'x', newPassword)).status).toBe(200)
    await server.work()
    // Two emails are sent at the same time, in either order.
    const subjects = (await emailsTo(server, user.email)).map(({ subject }) => subject)
    expect(subjects).toContainEqual(expect.stringMatching(/password/i))
  })

  test('requires the current password, with a growing delay after wrong ones', async () => {
    const user = await makeUser(server)
    const codes: number[] = []
    const enterWrongPassword = async () =>
      void codes.push((await changePassword(user.token, 'Wrong.Password.1')).statusCode)
    for (let n = 0; n < 5; n++) await enterWrongPassword()
    await lengthenDelay(server, user.email)
    await enterWrongPassword()
    expect(codes).toEqual([403, 403, 403, 403, 403, 429])
    expect(await statusOfSession(user.token)).toBe(200)
  })

  test('is refused if it breaks a rule', async () => {
    const user = await makeUser(server)
    const response = await changePassword(user.token, validPassword, 'weak')
    expect([response.statusCode, response.json().detail]).toEqual([
      422,
      [{ loc: ['body', 'new_password'], msg: 'Password must be at least 8 characters long' }],
    ])
  })

  test('is changed once by twenty concurrent requests', async () => {
    const user = await makeUser(server)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => changePassword(user.token, validPassword, `Parallel.${n}.Horse`)),
    )
    const won = responses.flatMap(({ statusCode }, n) => (statusCode === 200 ? [n] : []))
    expect(won).toHaveLength(1)
    // The others may have counted as wrong passwords.
    await server.app.deps.pool.query('delete from sign_in_delays')
    expect((await signIn(user, 'x', `Parallel.${won[0]}.Horse`)).status).toBe(200)
  })
})
