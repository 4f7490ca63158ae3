import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../test/harness.ts'
import { makeUser } from '../test/test-data.ts'
import { codeOf, exchange, rawRequest } from './test/raw-requests.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

describe('a refused WebSocket upgrade is answered with the reason', () => {
  const upgrade = (path: string, ...more: string[]): string =>
    rawRequest(`GET ${path} HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket', ...more)
  const validHeaders = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']

  test.each([
    ['without a token', upgrade('/ws', ...validHeaders), 401, 'unauthorized'],
    [
      'from a page of another origin',
      upgrade('/ws?token=x', 'Origin: https://evil.example', ...validHeaders),
      403,
      'forbidden',
    ],
    ['on another path', upgrade('//', ...validHeaders), 404, 'not_found'],
  ])('%s', async (_, bytes, status, code) => {
    const answer = await exchange(address, bytes)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })

  test('with an invalid handshake', async () => {
    const { token } = await makeUser(server)
    const answer = await exchange(
      address,
      upgrade(`/ws?token=${token}`, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: short'),
    )
    expect([answer.status, codeOf(answer)]).toEqual([400, 'bad_request'])
  })
})
