/** A hundred phones add photos to one event within two minutes, from one address, while its host goes on. */
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { contributorConsent, type OwnPhotos } from '@keepsnap/contract/event-photos.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { fixture } from '../images/test/sample-images.ts'
import { forEachConcurrently } from '../lib/concurrency.ts'
import { connect } from '../platform/db/connect.ts'
import { createLog } from '../platform/process/log.ts'
import { scratchFolder } from './child-processes.ts'
import { cloneDatabase } from './cloned-database.ts'
import { connectLive } from './live-client.ts'
import { startServerProcess } from './server-process.ts'
import { logWithSeed, seededRandom } from './statistics.ts'
import { multipartForm, validPassword } from './test-data.ts'

/** KEEPSNAP_PHONES for a shorter run; as many come in a second in each. */
const phones = Number(process.env['KEEPSNAP_PHONES'] ?? 100)
const photosOfEach = 10
const arrivalMs = 1_200 * phones
const drainedMs = 12 * 60_000
const ownEveryMs = 4_000
const random = seededRandom('event guests')

/** As large as photos of phones are, about 3 MB. */
const jpeg = await sharp({
  create: {
    width: 4032,
    height: 3024,
    channels: 3,
    noise: { type: 'gaussian', mean: 128, sigma: 8 },
    background: 'black',
  },
})
  .jpeg({ quality: 85 })
  .toBuffer()
const heic = fixture('twelve-megapixels.heic')

/** The same picture in another file: a comment after the start of a JPEG, a free box at the end of a HEIC. */
function fileOf(number: number): Buffer {
  const text = Buffer.from(`photo ${number}`.padEnd(32))
  const head = Buffer.alloc(4)
  if (number % 3 === 0) {
    head.writeUInt32BE(8 + text.length)
    return Buffer.concat([heic, head, Buffer.from('free'), text])
  }
  head.writeUInt16BE(0xfffe)
  head.writeUInt16BE(2 + text.length, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, text, jpeg.subarray(2)])
}

test(
  `${phones} phones add ${photosOfEach} photos each, a third of them HEIC: none is refused or lost, and the host’s own are shown in time`,
  { timeout: arrivalMs + drainedMs + 300_000 },
  async () => {
    const { database, drop } = await cloneDatabase()
    onTestFinished(drop)
    const { address } = await startServerProcess(onTestFinished, {
      database,
      dir: scratchFolder(onTestFinished),
      command: ['serve'],
      env: { WORKERS: '2' },
    })
    const { pool, close } = connect(database, createLog('silent'), 2)
    onTestFinished(close)
    const send = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(address + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const add = (path: string, file: Buffer, headers: Record<string, string>) => {
      const form = multipartForm(file)
      return fetch(address + path, {
        method: 'POST',
        headers: { ...form.headers, ...headers },
        body: new Uint8Array(form.body),
      })
    }
    const registered = await send('POST', '/register', { email: 'host@example.com', password: validPassword })
    const { access_token: token } = (await registered.json()) as { access_token: string } // what the contract says
    const asHost = { authorization: `Bearer ${token}` }
    await pool.query("update users set granted_plan = 'pro_yearly'")
    const made = await send('POST', '/user/events', { name: 'Lotte & Bram', guest_photos: 'review' }, asHost)
    const event = (await made.json()) as Event // as above
    await send('PUT', '/user/current-event', { event_id: event.id }, asHost)
    const live = await connectLive(address, token)
    onTestFinished(() => live.socket.close())

    /** Milliseconds until the screen has the host's photo, or is told that it failed. */
    async function timeOwnPhoto(number: number): Promise<number> {
      const startedAt = performance.now()
      const answer = await add('/photos/upload', fileOf(3 * number + 1), asHost)
      expect(answer.status).toBe(201)
      const uploaded = (await answer.json()) as Photo // as above
      await live.next(
        (message) => message.action === 'photo_update' && message.photo.id === uploaded.id && isFinished(message.photo),
        drainedMs,
      )
      return performance.now() - startedAt
    }
    const isFinished = (photo: Photo): boolean => photo.processing_complete || photo.processing_failed
    // The first one warms up.
    await timeOwnPhoto(0)
    const quiet: number[] = []
    while (quiet.length < 10) quiet.push(await timeOwnPhoto(quiet.length))

    // The guests, all behind the address of the venue.
    const page = new URL(event.url).pathname
    const statuses: Record<number, number> = {}
    const count = ({ status }: Response): void => void (statuses[status] = (statuses[status] ?? 0) + 1)
    const asGuest = (cookie = '') => ({ 'x-forwarded-for': '203.0.113.7', ...(cookie && { cookie }) })
    async function usePhone(phone: number): Promise<string> {
      await wait((phone * arrivalMs) / phones + random.next() * 1_000)
      const joined = await send('POST', `${page}/join`, { consent_version: contributorConsent.version }, asGuest())
      count(joined)
      await joined.arrayBuffer()
      const cookie = joined.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      // Two at a time, again when the server asks for that, as the page does.
      await forEachConcurrently([...Array(photosOfEach).keys()], 2, async (number) => {
        const file = fileOf(phone * photosOfEach + number)
        for (let isAdded = false; !isAdded;) {
          const headers = { ...asGuest(cookie), 'idempotency-key': String(number) }
          const answer = await add(`${page}/mine`, file, headers)
          count(answer)
          await answer.arrayBuffer()
          isAdded = answer.status === 201
          if (answer.status !== 503 && !isAdded)
            throw new Error(`a photo of a guest was answered with ${answer.status}`)
          if (!isAdded) await wait(1_000 * Number(answer.headers.get('retry-after') ?? 5))
        }
      })
      return cookie
    }
    const startedAt = performance.now()
    const using = Promise.all(Array.from({ length: phones }, (_, phone) => usePhone(phone)))
    using.catch(() => {})
    const drained = async (): Promise<number> => {
      await using
      const left = `select from photos where source = 'guest' and state not in ('ready', 'failed') limit 1`
      while ((await pool.query(left)).rowCount) await wait(250)
      return performance.now() - startedAt
    }
    const over = new AbortController()
    const drainedAfter = drained().finally(() => over.abort())
    const busy: number[] = []
    for (; !over.signal.aborted; await wait(ownEveryMs)) busy.push(await timeOwnPhoto(10 + busy.length))
    const seconds = Math.round((await drainedAfter) / 1000)

    const figureOf = (times: number[], share: number): number =>
      Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? NaN)
    const of = (times: number[]): string =>
      `p50 ${figureOf(times, 0.5)}, p95 ${figureOf(times, 0.95)}, most ${figureOf(times, 1)} ms of ${times.length}`
    logWithSeed(
      `${phones} phones: drained after ${seconds} s; answers ${JSON.stringify(statuses)}; the host’s own photos: quiet ${of(quiet)}; meanwhile ${of(busy)}`,
    )
    expect(Object.keys(statuses).filter((status) => !/^(200|201|503)$/.test(status))).toEqual([])
    for (const cookie of await using) {
      const { photos } = (await (
        await fetch(`${address}${page}/mine`, { headers: asGuest(cookie) })
      ).json()) as OwnPhotos // as above
      expect(photos.map(({ state }) => state)).toEqual(Array.from({ length: photosOfEach }, () => 'waiting'))
    }
    const { rows } = await pool.query(
      `select count(*)::int as n, count(distinct upload_sha256)::int as files from photos where source = 'guest'`,
    )
    expect(rows).toEqual([{ n: phones * photosOfEach, files: phones * photosOfEach }])
    expect(seconds * 1000).toBeLessThan(drainedMs)
    expect(figureOf(busy, 0.95)).toBeLessThanOrEqual(2 * figureOf(quiet, 0.95) + 500)
  },
)
