import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { TestCode } from '@keepsnap/contract/readiness.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

const isOpened = ({ action }: ServerMessage): boolean => action === 'test_code_opened'
const get = (url: string) => server.request({ method: 'GET', url })
async function codeOf({ token }: TestUser): Promise<string> {
  const answer = await server.request({ method: 'POST', url: '/user/test-code', token })
  expect(answer.statusCode).toBe(201)
  const { image_url, expires_at } = answer.json<TestCode>()
  expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(14 * 60_000)
  return new URL(image_url).pathname.slice('/qr/t/'.length, -'.svg'.length)
}

test('a test code has a picture; opening it tells the pages of its owner only, and shows a sample picture', async () => {
  const [user, other] = [await makeUser(server), await makeUser(server)]
  const [live, stranger] = [await connectLive(address, user.token), await connectLive(address, other.token)]
  const code = await codeOf(user)
  const picture = await get(`/qr/t/${code}.svg`)
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(live.received.some(isOpened)).toBe(false)
  const opened = await get(`/test-code/${code}`)
  expect([opened.statusCode, opened.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(opened.body).toContain('topper')
  await live.next(isOpened)
  stranger.socket.send('{"action":"ping"}')
  await stranger.next(({ action }) => action === 'pong')
  expect(stranger.received.some(isOpened)).toBe(false)
  for (const { socket } of [live, stranger]) socket.close()
})

test('a code that is altered, expired, or of an account that is gone shows that it does not work', async () => {
  const user = await makeUser(server)
  const code = await codeOf(user)
  const expired = server.app.deps.tokens.testCodes.token(user.id, Math.floor(Date.now() / 1000) - 1)
  await server.app.deps.pool.query('update users set is_active = false where id = $1', [user.id])
  for (const token of [`${code}x`, 'x', expired, code]) {
    const answer = await get(`/test-code/${token}`)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  }
  expect((await get('/qr/t/x.svg')).statusCode).toBe(404)
})
