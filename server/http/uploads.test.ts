import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../test/harness.ts'
import { makeUser, type TestUser } from '../test/makers.ts'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startServer()
  user = await makeUser(server)
})
afterAll(() => server.close())

const part = (name: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\n${content}`

describe('a form that breaks off is refused, and the program lives on', () => {
  // Its parser complains more than once, also about parts that nobody listens to any more.
  test.each([
    ['in a file that is no photo', part('file', 'x'.repeat(500)), 400],
    ['in a file of another field', part('photo', 'x'.repeat(500)), 400],
    ['in a second file', `${part('file', 'x')}\r\n${part('file', 'x')}`, 422],
    ['in a file of another field after a bad one', `${part('file', 'x'.repeat(500))}\r\n${part('photo', 'x')}`, 400],
    ['in the headers of a part', '--b\r\nContent-Disposition: form-da', 400],
    ['before its first part', '--', 400],
  ])('%s', async (_, body, status) => {
    const answer = await server.request({
      method: 'POST',
      url: '/photos/upload',
      token: user.token,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    })
    expect(answer.statusCode).toBe(status)
    // What is thrown after the answer, Vitest reports as a failure of the run.
    await new Promise((resolve) => setImmediate(resolve))
    expect((await server.request({ method: 'GET', url: '/user/me', token: user.token })).statusCode).toBe(200)
  })
})
