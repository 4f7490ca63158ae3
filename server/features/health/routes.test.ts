import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serverForThisTest, type TestServer } from '../../test/harness.ts'

const get = async (server: TestServer, url: string, host = 'photos.test') => {
  const { statusCode, body } = await server.request({ method: 'GET', url, headers: { host } })
  return [statusCode, JSON.parse(body)]
}
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

test('a healthy server is ready for requests', async () => {
  const server = await serverForThisTest()
  expect(await get(server, '/health')).toEqual([200, { status: 'ok', timestamp }])
  expect(await get(server, '/ready')).toEqual([200, { status: 'ready', mail: 'on', timestamp }])
})

test('a server whose store is unavailable is degraded and not ready', async () => {
  const server = await serverForThisTest()
  await rename(join(server.dir, 'files'), join(server.dir, 'moved'))
  expect(await get(server, '/health')).toEqual([200, { status: 'degraded', timestamp }])
  expect(await get(server, '/ready')).toMatchObject([503, { code: 'unavailable' }])
})

test('a server on the internet without a mail server says that mail is off', async () => {
  const server = await serverForThisTest({ PUBLIC_URL: 'https://photos.example.com' })
  expect(await get(server, '/ready', 'photos.example.com')).toMatchObject([200, { mail: 'off' }])
})
