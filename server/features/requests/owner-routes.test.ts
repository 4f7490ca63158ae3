import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload, type TestUser } from '../../test/test-data.ts'
import { emailsTo } from '../../test/outbox.ts'

let server: TestServer
let other: TestUser
const photoFile = await jpeg({ width: 640, height: 480 })
beforeAll(async () => {
  server = await startServer()
  other = await makeUser(server)
})
afterAll(() => server.close())

/** An owner with a photo. */
async function makeOwner(filename = 'party.jpg'): Promise<TestUser & { photoId: string }> {
  const user = await makeUser(server)
  const { id } = (await upload(server, user, photoFile, { filename })).json<Photo>()
  await server.work()
  return { ...user, photoId: id }
}
const requestPhoto = (id: string, email: string) =>
  server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email } })
const listRequests = async (user: TestUser, query = '') => {
  const response = await server.request({ method: 'GET', url: `/user/photo-requests${query}`, token: user.token })
  return {
    ...response.json<{ requests: PhotoRequest[]; total: number }>(),
    before: String(response.headers['x-next-before'] ?? ''),
  }
}

test('the list of requests has pages', async () => {
  const owner = await makeOwner()
  for (const name of ['a', 'b', 'c', 'd']) await requestPhoto(owner.photoId, `${name}@example.com`)
  const first = await listRequests(owner, '?limit=3')
  const second = await listRequests(owner, `?limit=3&before=${first.before}`)
  const addresses = [...first.requests, ...second.requests].map(({ requester_email: address }) => address[0])
  expect([first.requests.length, addresses, second.before]).toEqual([3, ['d', 'c', 'b', 'a'], ''])
})

test('the export contains every request, and no cell that a spreadsheet would run as a formula', async () => {
  const owner = await makeOwner('=HYPERLINK("http://evil.example").jpg')
  for (const name of ['=1+1', '+cmd', '-2', 'plain']) await requestPhoto(owner.photoId, `${name}@example.com`)
  const table = await server.request({ method: 'GET', url: '/user/photo-requests/export', token: owner.token })
  expect(table.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(table.headers['content-disposition']).toMatch(/^attachment; filename="photo-requests-/)
  const cells = table.body.split('\r\n').flatMap((line) => line.split('","'))
  expect(cells.filter((text) => /^"?[=+\-@]/.test(text))).toEqual([])
  expect(table.body.split('\r\n')).toHaveLength(6)
})

test('the owner, and nobody else, sees and resends a failed email', async () => {
  const owner = await makeOwner()
  await requestPhoto(owner.photoId, 'full@example.com')
  const [{ id } = { id: '' }] = (await listRequests(owner)).requests
  const resend = ({ token }: TestUser) =>
    server.request({ method: 'POST', url: `/user/photo-requests/${id}/resend`, token })
  expect((await resend(owner)).statusCode).toBe(409)
  await server.app.deps.pool.query(
    "update emails set state = 'failed', failure = 'Mailbox is full' where recipient_key = 'full@example.com'",
  )
  expect((await listRequests(owner)).requests[0]).toMatchObject({ state: 'failed', failure: 'Mailbox is full' })
  expect((await resend(other)).statusCode).toBe(404)
  const response = await resend(owner)
  expect([response.statusCode, response.json()]).toMatchObject([200, { state: 'queued' }])
  await server.work()
  expect(await emailsTo(server, 'full@example.com')).toHaveLength(1)
})

test('the list contains no requests for photos of other users or for deleted photos', async () => {
  const owner = await makeOwner()
  await requestPhoto(owner.photoId, 'mine@example.com')
  expect([(await listRequests(owner)).total, (await listRequests(other)).total]).toEqual([1, 0])
  await server.request({ method: 'DELETE', url: `/photos/${owner.photoId}`, token: owner.token })
  expect(await listRequests(owner)).toMatchObject({ requests: [], total: 0 })
})
