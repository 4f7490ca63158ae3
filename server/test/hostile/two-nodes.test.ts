import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../harness.ts'
import { connectLive } from '../live-client.ts'
import { startServerProcess } from '../server-process.ts'
import { makeUser, upload, type TestUser } from '../test-data.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  address = await server.listen()
})
afterAll(() => server.close())

test('another node sees and announces what happens at this one, and drains before it stops', async () => {
  const node = await startServerProcess(onTestFinished, {
    database: server.database,
    dir: server.dir,
    command: ['serve', '--no-work'],
    env: { DRAIN_SECONDS: '8' },
  })
  const ask = (path: string, { token }: TestUser): Promise<Response> =>
    fetch(`${node.address}${path}`, { headers: { authorization: `Bearer ${token}`, host: 'photos.test' } })
  const [owner, leaving] = [await makeUser(server), await makeUser(server)]

  // A socket there, a photo here; a ticket here, a socket there.
  const { ticket } = (await server.request({ method: 'POST', url: '/ws/ticket', token: owner.token })).json<{
    ticket: string
  }>()
  const live = await connectLive(node.address, ticket)
  const { id } = (await upload(server, owner, await jpeg())).json<Photo>()
  expect(await live.next(({ action }) => action === 'new_photo')).toMatchObject({ photo: { id } })
  expect((await ask(`/photos/${id}`, owner)).status).toBe(200)

  // What a node has cached ends when another one says so, not only after 30 s.
  expect((await ask('/user/me', leaving)).status).toBe(200)
  await server.request({ method: 'POST', url: '/logout', token: leaving.token })
  await expect.poll(async () => (await ask('/user/me', leaving)).status, { timeout: 20_000 }).toBe(401)
  await expect.poll(async () => (await fetch(`${address}/ready`)).status).toBe(200)

  node.child.kill('SIGTERM')
  // At once, because on a slow machine the node may drain for hardly longer than these calls take.
  const statuses = () =>
    Promise.all(['/ready', '/health', '/photos'].map(async (path) => (await ask(path, owner)).status))
  await expect.poll(statuses, { interval: 20 }).toEqual([503, 200, 200])
  expect(live.socket.readyState).toBe(live.socket.OPEN)
  expect((await live.closed).code).toBe(1012)
  expect(await node.ended).toBe(0)
})
