import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../test/harness.ts'
import { makeUser, type TestUser } from '../test/test-data.ts'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startServer()
  user = await makeUser(server)
})
afterAll(() => server.close())

const part = (name: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\n${content}`

describe('an incomplete form is refused, and the server goes on', () => {
  // The parser may emit more than one error, also for parts that have no listener any more.
  test.each([
    ['cut off in a file that is not a photo', part('file', 'x'.repeat(500)), 400],
    ['cut off in a file of another field', part('photo', 'x'.repeat(500)), 400],
    ['cut off in a second file', `${part('file', 'x')}\r\n${part('file', 'x')}`, 422],
    [
      'cut off in a file of another field, after a file that is not a photo',
      `${part('file', 'x'.repeat(500))}\r\n${part('photo', 'x')}`,
      400,
    ],
    ['cut off in the headers of a part', '--b\r\nContent-Disposition: form-da', 400],
    ['cut off before the first part', '--', 400],
  ])('%s', async (_, body, status) => {
    const answer = await server.request({
      method: 'POST',
      url: '/photos/upload',
      token: user.token,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    })
    expect(answer.statusCode).toBe(status)
    // Vitest reports an error that is thrown after the response as a failure of the run.
    await new Promise((resolve) => setImmediate(resolve))
    expect((await server.request({ method: 'GET', url: '/user/me', token: user.token })).statusCode).toBe(200)
  })
})
