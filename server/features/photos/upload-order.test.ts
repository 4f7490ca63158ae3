import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { newStorageKey } from '../../domain/stored-objects.ts'
import { newId } from '../../lib/ids.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, upload, type TestUser } from '../../test/test-data.ts'
import { reserveUpload } from './queries.ts'
import { photoActions, photoFile } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { uploaded, photoRowsOf } = photoActions(() => server)
const order = (position: number, selection = 'evening') => ({ query: `?selection=${selection}&position=${position}` })
const listed = async (user: TestUser): Promise<string[]> =>
  (await server.request({ method: 'GET', url: '/photos', token: user.token }))
    .json<Photo[]>()
    .map(({ filename }) => filename)

test('files that were chosen together are listed in the chosen order, whichever arrives first', async () => {
  const user = await makeUser(server)
  await uploaded(user, photoFile, { filename: 'before.jpg' })
  for (const position of [2, 0, 1]) await uploaded(user, photoFile, { filename: `${position}.jpg`, ...order(position) })
  await uploaded(user, photoFile, { filename: 'other.jpg', ...order(0, 'morning') })
  expect(await listed(user)).toEqual(['other.jpg', '2.jpg', '1.jpg', '0.jpg', 'before.jpg'])
})

test('fifty rows that are made at once have times in the chosen order', async () => {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_monthly')
  const positions = Array.from({ length: 50 }, (_, index) => (index * 37) % 50)
  await Promise.all(
    positions.map((position) =>
      reserveUpload(server.db, {
        id: newId(),
        userId: user.id,
        code: newId(),
        originalKey: newStorageKey('orig'),
        idempotencyKey: undefined,
        order: { selection: 'fifty', position },
      }),
    ),
  )
  const rows: { selection_position: number; created_at: Date }[] = await photoRowsOf(user)
  // As clients see them: in milliseconds.
  const times = rows
    .toSorted((a, b) => a.selection_position - b.selection_position)
    .map(({ created_at }) => created_at.getTime())
  expect(times).toHaveLength(50)
  for (const [index, time] of times.slice(1).entries()) expect(time).toBeGreaterThan(times[index]!)
})

test('after an hour the chosen order is forgotten', async () => {
  const user = await makeUser(server)
  const first = await uploaded(user, photoFile, order(5))
  await server.app.deps.pool.query("update photos set created_at = created_at - interval '2 hours' where id = $1", [
    first.id,
  ])
  const late = await uploaded(user, photoFile, order(1))
  expect(Date.parse(late.created_at)).toBeGreaterThan(Date.parse(first.created_at) - 60_000)
})

test.each(['position=-1', 'position=10000', 'position=x', 'selection='])('a wrong %s is refused', async (query) => {
  const user = await makeUser(server)
  expect((await upload(server, user, photoFile, { query: `?${query}` })).statusCode).toBe(422)
})
