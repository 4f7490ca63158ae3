/** What closes or opens a photo of an event, against guests who read it: its file, everything as one file, and the live list. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventPath } from '@keepsnap/contract/event-guests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { forEachConcurrently } from '../../lib/concurrency.ts'
import { eventActions } from '../event-guests.ts'
import { useServer } from '../harness.ts'
import { connectLive } from '../live-client.ts'
import { logWithSeed, repetitions, seededRandom } from '../statistics.ts'
import { makeUser, type TestUser } from '../test-data.ts'
import { entriesOf, longBytes, zipDownloads } from '../zip-downloads.ts'

const server = useServer({ LOG_LEVEL: 'silent' })
const { query, photosOf, lengthen, download, begin } = zipDownloads(server)
const { call, codeOf, createEvent, decide } = eventActions(() => server)
const rounds = repetitions(1, 200)
const files = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => ({ name, bytes: randomBytes(5_000) }))

interface Scene {
  user: TestUser
  event: Event
  /** The oldest photo comes first in the file of all, the one that races second. */
  ids: [string, string, string]
  id: string
  gallery: string
  photoUrl: string
}

/** An event with three photos. The second one is a guest's; if it is shown, it is longer than all buffers on the way. */
async function makeScene(review: 'waiting' | 'approved'): Promise<Scene> {
  const user = await makeUser(server)
  const event = await createEvent(user, { gallery: 'link', guest_archive: true })
  const ids = (await photosOf(user, files)) as [string, string, string] // as many as files
  const [, id] = ids
  if (review === 'approved') await lengthen(id)
  await query('update stored_objects set crc32 = 1 where photo_id = any($1)', [ids])
  await query(`update photos set event_id = $2, thumb_key = 'thumb/' || id, thumb_bytes = 4 where id = any($1)`, [
    ids,
    event.id,
  ])
  await query(`update photos set source = 'guest', review = $2 where id = $1`, [id, review])
  server.app.deps.mediaCache.invalidateUser(user.id)
  const code = codeOf(event)
  const token = server.app.deps.tokens.galleryPhotos(code).encrypt(id)
  return { user, event, ids, id, gallery: `/e/${code}`, photoUrl: `${eventPath(code, token)}/download` }
}

/** What guests are shown, in order; none when the gallery is closed. */
async function listed({ event, gallery }: Scene): Promise<(string | undefined)[]> {
  const answer = await download(`${gallery}/photos`)
  if (answer.statusCode === 404) return []
  const tokens = server.app.deps.tokens.galleryPhotos(codeOf(event))
  return answer.json<{ photos: { token: string }[] }>().photos.map(({ token }) => tokens.decrypt(token))
}

/** How much of an answer comes: some of it before `until`, and the rest after; whether that was all. */
async function readOn(answer: IncomingMessage, until: Promise<unknown>): Promise<{ read: number; isWhole: boolean }> {
  let read = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      read += chunk.length
      await until
    }
  } catch {
    // It was cut off.
  }
  return { read, isWhole: read === Number(answer.headers['content-length']) }
}

const done = { statusCode: 200 }
type Act = (scene: Scene) => Promise<{ statusCode: number }>
const closings: Record<string, Act> = {
  'its approval is taken back': async ({ user, event, id }) => {
    const answer = await decide(user, event, [id], ['approved', 'waiting'])
    expect(answer.json()).toMatchObject({ results: [{ outcome: 'done' }] })
    return done
  },
  'it is hidden': ({ user, id }) => call(user, 'PUT', `/photos/${id}`, { hidden: true }),
  'it is moved': ({ user, id }) => call(user, 'POST', '/photos/move', { ids: [id], event_id: null }),
  'it is deleted': ({ user, id }) => call(user, 'DELETE', `/photos/${id}`),
  'its event is closed': ({ user, event }) =>
    call(user, 'PUT', `/user/events/${event.id}`, { closes_at: '2026-01-01T00:00:00Z' }),
}

/** Repeats a race of an act with readers that begin at random moments; `check` is called when the act has been answered. */
async function race(
  name: string,
  state: 'waiting' | 'approved',
  act: Act,
  check: (scene: Scene, raced: Raced) => Promise<void>,
) {
  const random = seededRandom(name)
  const counts = { whole: 0, cut: 0, refused: 0 }
  // Most of the time of each is that of waiting: the list of the file of all is made once a second.
  await forEachConcurrently([...Array(rounds).keys()], 8, async () => {
    await query('delete from rate_hits')
    const scene = await makeScene(state)
    const live = await connectLive(await server.listen(), scene.user.token)
    await live.next(({ action }) => action === 'latest_photo')
    const answered = Promise.withResolvers<void>()
    const moment = () => delay(random.next() * 30)
    const readers = [scene.photoUrl, scene.photoUrl, `${scene.gallery}/archive`, `${scene.gallery}/archive`].map(
      async (url) => {
        await moment()
        // It may be cut off before it begins.
        const answer = await begin(url).catch(() => undefined)
        if (!answer) return { url, status: 0, read: 0, isWhole: false }
        return { url, status: answer.statusCode, ...(await readOn(answer, answered.promise)) }
      },
    )
    const lists = [moment(), moment()].map((wait) => wait.then(() => listed(scene)))
    await moment()
    expect((await act(scene)).statusCode).toBeLessThan(300)
    answered.resolve()
    const outcomes = await Promise.all(readers)
    expect([0, 200, 404]).toEqual(expect.arrayContaining(outcomes.map(({ status }) => status)))
    for (const { status, isWhole } of outcomes) counts[status !== 200 ? 'refused' : isWhole ? 'whole' : 'cut'] += 1
    await check(scene, { outcomes, lists: await Promise.all(lists), received: () => live.received })
    live.socket.close()
  })
  logWithSeed(
    `${rounds} races of ${name}: ${counts.cut} answers cut off, ${counts.whole} whole, ${counts.refused} refused`,
  )
}

interface Raced {
  outcomes: { url: string; status: number | undefined; read: number; isWhole: boolean }[]
  lists: (string | undefined)[][]
  received(): ServerMessage[]
}

/** What is open once the act has been answered: for guests, as one file, and for the owner. */
async function expectOpen(
  scene: Scene,
  { listedIds, ownIds, isClosed = false }: { listedIds: string[]; ownIds: string[]; isClosed?: boolean },
) {
  expect(await listed(scene)).toEqual(listedIds)
  // One that begins before the node has heard of the change ends at the photo.
  const archived = async (): Promise<number> => {
    const answer = await download(`${scene.gallery}/archive`).catch(() => undefined)
    return answer?.statusCode === 200 ? (await entriesOf(answer.rawPayload)).length : (answer?.statusCode ?? 0)
  }
  await expect.poll(archived, { interval: 5 }).toBe(isClosed ? 404 : listedIds.length)
  const own = await call(scene.user, 'GET', '/photos')
  expect(own.json<Photo[]>().map(({ id }) => id)).toEqual(ownIds)
}

describe.each(Object.entries(closings))('while guests read a photo, %s', (name, act) => {
  test('and nobody gets the rest of it, or sees it again', { timeout: 600_000 }, () =>
    race(name, 'approved', act, async (scene, { outcomes, received }) => {
      const [first, second, third] = scene.ids
      const isClosed = name === 'its event is closed'
      const isUnlisted = name === 'its approval is taken back' || name === 'it is deleted'
      // A file of all that was begun afterwards is whole without it.
      for (const { url, read } of outcomes) expect([url, read < longBytes]).toEqual([url, true])
      expect((await download(scene.photoUrl)).statusCode).toBe(404)
      await expectOpen(scene, {
        listedIds: isClosed ? [] : [third, first],
        ownIds: isUnlisted ? [third, first] : [third, second, first],
        isClosed,
      })
      const isGone = (message: ServerMessage) => message.action === 'photo_deleted'
      await expect.poll(() => received().filter(isGone)).toMatchObject(isUnlisted ? [{ id: second }] : [])
    }),
  )
})

test(
  'a photo that is approved while guests look is open when the answer has come, once, and to nobody before',
  { timeout: 600_000 },
  () => {
    const approve: Act = async (scene) => {
      const { user, event, id } = scene
      expect(await listed(scene)).not.toContain(id)
      expect((await download(scene.photoUrl, {}, 'HEAD')).statusCode).toBe(404)
      const answer = await decide(user, event, [id], ['waiting', 'approved'])
      expect(answer.json()).toMatchObject({ results: [{ outcome: 'done' }] })
      return done
    }
    return race('it is approved', 'waiting', approve, async (scene, { outcomes, lists, received }) => {
      const [first, second, third] = scene.ids
      // It is shown from now on, so it is the newest.
      const all = [second, third, first]
      for (const { url, status, isWhole } of outcomes) expect([url, status !== 200 || isWhole]).toEqual([url, true])
      for (const list of lists) expect([all, [third, first]]).toContainEqual(list)
      expect((await download(scene.photoUrl, {}, 'HEAD')).statusCode).toBe(200)
      await expectOpen(scene, { listedIds: all, ownIds: all })
      const isNew = (message: ServerMessage) => message.action === 'new_photo'
      await expect.poll(() => received().filter(isNew)).toMatchObject([{ photo: { id: second } }])
    })
  },
)
