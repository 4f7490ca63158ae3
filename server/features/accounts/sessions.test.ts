import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Session } from '@keepsnap/contract/security.ts'
import { jpeg } from '../../images/test/pictures.ts'
import { connectLive } from '../../test/live-client.ts'
import { newClient, startServer, type TestServer } from '../../test/harness.ts'
import { goodPassword, makeUser, upload, type TestUser } from '../../test/makers.ts'
import { startNode } from '../../test/node.ts'
import { lettersTo } from '../../test/outbox.ts'

const newPassword = 'Better.Battery.7'
let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

const signIn = async (user: TestUser, agent: string, password = goodPassword) => {
  const answer = await server.request({
    method: 'POST',
    url: '/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': agent },
    body: new URLSearchParams({ username: user.email, password }).toString(),
  })
  return { status: answer.statusCode, token: answer.json<{ access_token: string }>().access_token }
}
const listed = async (token: string) =>
  (await server.request({ method: 'GET', url: '/user/sessions', token })).json<{ sessions: Session[] }>().sessions
const me = async (token: string) => (await server.request({ method: 'GET', url: '/user/me', token })).statusCode
const change = (token: string, current_password: string, new_password = newPassword) =>
  server.request({ method: 'POST', url: '/user/password', token, body: { current_password, new_password } })

describe('sessions', () => {
  test('are shown without anything that opens one', async () => {
    const user = await makeUser(server)
    const { token } = await signIn(user, 'Firefox on a phone')
    const sessions = await listed(token)
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

  test('end one by one: dead within a second on calls, within five on the socket, the others live on', async () => {
    const user = await makeUser(server)
    const other = await signIn(user, 'Old laptop')
    const live = await connectLive(address, other.token)
    const staying = await connectLive(address, user.token)
    expect(await me(other.token)).toBe(200)
    const { id } = (await listed(user.token)).find(({ user_agent: agent }) => agent === 'Old laptop')!
    const end = () => server.request({ method: 'DELETE', url: `/user/sessions/${id}`, token: user.token })
    expect((await end()).statusCode).toBe(204)
    expect(await me(other.token)).toBe(401)
    expect((await live.closed).code).toBe(4401)
    expect(await me(user.token)).toBe(200)
    expect(staying.socket.readyState).toBe(staying.socket.OPEN)
    expect((await end()).statusCode).toBe(404)
    staying.socket.terminate()
  })

  test('of another user do not exist', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    const [{ id }] = (await listed(other.token)) as [Session]
    const answer = await server.request({ method: 'DELETE', url: `/user/sessions/${id}`, token: user.token })
    expect(answer.statusCode).toBe(404)
    expect(await me(other.token)).toBe(200)
  })

  test('end all at once, here as well, and addresses of full-size images are void', async () => {
    const user = await makeUser(server)
    const other = await signIn(user, 'Old laptop')
    const { id } = (await upload(server, user, await jpeg({ width: 640, height: 480 }))).json<{ id: string }>()
    await server.work()
    const photo = await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })
    const full = new URL(photo.json<{ b2_url: string }>().b2_url)
    const look = async () =>
      (await server.request({ method: 'GET', url: full.pathname + full.search, from: newClient() })).statusCode
    expect(await look()).toBe(200)
    const ended = await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })
    expect(ended.statusCode).toBe(204)
    expect([await me(user.token), await me(other.token), await look()]).toEqual([401, 401, 404])
  })

  test('that end on one node are dead on the other, calls and sockets', async () => {
    const user = await makeUser(server)
    const options = { database: server.database, dir: server.dir, command: ['serve', '--no-work'] }
    const node = await startNode(onTestFinished, options)
    const headers = { host: 'photos.test', authorization: `Bearer ${user.token}` }
    const there = async () => (await fetch(`${node.address}/user/me`, { headers })).status
    const live = await connectLive(node.address, user.token)
    expect(await there()).toBe(200)
    await server.request({ method: 'DELETE', url: '/user/sessions', token: user.token })
    const began = Date.now()
    await expect.poll(there, { timeout: 5_000, interval: 50 }).toBe(401)
    expect((await live.closed).code).toBe(4401)
    expect(Date.now() - began).toBeLessThan(10_000)
  })

  test('that ended unheard, as between the handshake and the welcome, lose their socket as well', async () => {
    const user = await makeUser(server)
    const live = await connectLive(address, user.token)
    // As if the news had been lost: the row goes without an event.
    await server.app.deps.pool.query('delete from sessions where user_id = $1', [user.id])
    const began = Date.now()
    expect((await live.closed).code).toBe(4401)
    expect(Date.now() - began).toBeLessThan(10_000)
  })
})

describe('a changed password', () => {
  test('ends every session but the one it opens, and a letter tells of it', async () => {
    const user = await makeUser(server)
    const other = await signIn(user, 'Old laptop')
    const live = await connectLive(address, user.token)
    const answer = await change(user.token, goodPassword)
    expect(answer.statusCode).toBe(200)
    const { access_token: token } = answer.json<{ access_token: string }>()
    expect([await me(user.token), await me(other.token), await me(token)]).toEqual([401, 401, 200])
    expect((await live.closed).code).toBe(4401)
    expect((await signIn(user, 'x')).status).toBe(401)
    expect((await signIn(user, 'x', newPassword)).status).toBe(200)
    await server.work()
    // Two go side by side, in either order.
    const subjects = (await lettersTo(server, user.email)).map(({ subject }) => subject)
    expect(subjects).toContainEqual(expect.stringMatching(/password/i))
  })

  test('takes the current one, and wrong ones have to wait longer and longer', async () => {
    const user = await makeUser(server)
    const codes: number[] = []
    for (let n = 0; n < 7; n++) codes.push((await change(user.token, 'Wrong.Password.1')).statusCode)
    expect(codes.slice(0, 5)).toEqual([403, 403, 403, 403, 403])
    expect(codes).toContain(429)
    expect(await me(user.token)).toBe(200)
  })

  test('follows the rules', async () => {
    const user = await makeUser(server)
    const answer = await change(user.token, goodPassword, 'weak')
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      [{ loc: ['body', 'new_password'], msg: 'Password must be at least 8 characters long' }],
    ])
  })

  test('at twenty at once is changed once', async () => {
    const user = await makeUser(server)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => change(user.token, goodPassword, `Parallel.${n}.Horse`)),
    )
    const won = answers.flatMap(({ statusCode }, n) => (statusCode === 200 ? [n] : []))
    expect(won).toHaveLength(1)
    expect((await signIn(user, 'x', `Parallel.${won[0]}.Horse`)).status).toBe(200)
  })
})
