import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type { Page } from 'playwright-core'
import { contributorConsent } from '@keepsnap/contract/event-photos.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { openPage } from '../e2e/browser.ts'
import { forEachConcurrently } from '../server/lib/concurrency.ts'
import { hashOf, newId, newSecret } from '../server/lib/ids.ts'
import { measureRate } from './load.ts'
import { processesBelow, procText } from './memory.ts'
import {
  alwaysBelow,
  atLeast,
  atMost,
  type BenchmarkPart,
  type BenchOptions,
  lineOf,
  measured,
  type Measurement,
  ratioAtLeast,
  ratioAtMost,
} from './results.ts'
import { sampleOf, smallPhoto, startTestServer, type TestServer, type TestUser, uploadTimed } from './server.ts'

const run = promisify(execFile)
const html = { accept: 'text/html', 'accept-encoding': 'gzip' }
const addedTogether = 10
const galleryPhotos = 5_000
const archivePhotos = 1_000
const archivePhotoBytes = 3_000_000
const cuts = 40
const [accountPhotos, accountEvents] = [20_000, 50]

const codeOf = ({ url }: Event): string => url.split('/').at(-1)!

async function createEvent(owner: TestUser, settings: object): Promise<Event> {
  const answer = await owner.send('POST', '/user/events', { name: 'Lotte & Bram', ...settings })
  if (answer.status !== 201) throw new Error(`an event was answered with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Event // the contract's reply
}

/** The headers of a guest's phone that has joined an event. */
async function joinEvent({ address }: TestServer, code: string): Promise<{ cookie: string }> {
  const answer = await fetch(`${address}/e/${code}/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ consent_version: contributorConsent.version }),
  })
  const [cookie = ''] = answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  if (!answer.ok || !cookie) throw new Error(`joining was answered with ${answer.status}: ${await answer.text()}`)
  return { cookie }
}

/** Waits until no photo is processed any more. */
async function drained({ database }: TestServer): Promise<void> {
  const left = `select from photos where state not in ('ready', 'failed') and deleted_at is null limit 1`
  while ((await database.query(left)).rowCount) await wait(50)
}

/** Adds rows that are copies of the user's photo in the first of the events, or in none, one a minute, whose files do not exist. */
const copyPhoto = ({ database }: TestServer, { id }: TestUser, count: number, events: readonly string[] = []) =>
  database.query<{ id: string; full_key: string }>(
    `insert into photos (id, user_id, code, filename, state, created_at, finished_at, counted_month, full_key, full_type, full_bytes,
       thumb_key, thumb_bytes, width, height, thumbhash, attempt, event_id, source, review, contributor_id)
     select key, user_id, left(md5(random()::text), 22), 'IMG_' || n || '.jpg', 'ready', at, at, counted_month, 'full/' || key, full_type,
       full_bytes, 'thumb/' || key, thumb_bytes, width, height, thumbhash, 1, event, case when contributor is null then 'owner' else 'guest' end,
       case when contributor is null then 'none' else (array['waiting', 'approved'])[1 + n / 10 % 2] end, contributor
     from (select * from photos where user_id = $1 order by created_at limit 1) as photo, generate_series(1, $2) as n
     cross join lateral (select left(md5(random()::text || n), 22) as key, now() - make_interval(mins => n) as at,
       ($3::text[])[1 + n % greatest(cardinality($3::text[]), 1)] as event) as made
     left join lateral (select id as contributor from contributors where event_id = event and n % 10 = 0 limit 1) as guest on true
     returning id, full_key`,
    [id, count, events],
  )

/** An event with one photo, which has files. */
async function eventWithPhoto(server: TestServer, settings: object): Promise<{ owner: TestUser; event: Event }> {
  const [owner] = (await server.createUsers(1)) as [TestUser]
  const event = await createEvent(owner, settings)
  await owner.send('PUT', '/user/current-event', { event_id: event.id })
  await owner.addPhoto(await smallPhoto())
  return { owner, event }
}

// Adding

async function measureAdding(server: TestServer, { quick }: BenchOptions): Promise<Measurement[]> {
  const photo = (await sampleOf('6 MP')).kept
  const runs: Record<'owner' | 'guest', number[]> = { owner: [], guest: [] }
  // As the page of guests does, two at the same time.
  const add = async (who: Parameters<typeof uploadTimed>[2]): Promise<number> => {
    const startedAt = performance.now()
    await forEachConcurrently([...Array(addedTogether).keys()], 2, () => uploadTimed(server.address, photo, who))
    const ms = performance.now() - startedAt
    await drained(server)
    return ms
  }
  const owners = await server.createUsers(quick ? 3 : 10)
  for (const [round, owner] of owners.entries()) {
    const code = codeOf(await createEvent(owner, { guest_photos: 'review' }))
    const who = {
      owner: { headers: { authorization: `Bearer ${owner.token}` } },
      guest: { headers: await joinEvent(server, code), path: `/e/${code}/mine` },
    }
    for (const way of round % 2 ? (['owner', 'guest'] as const) : (['guest', 'owner'] as const)) {
      const ms = await add(who[way])
      // The first round warms up.
      if (round > 0) runs[way].push(ms)
    }
  }
  const name = `${addedTogether} photos of ${(photo.length / 1e6).toFixed(1)} MB of a guest, until the last is accepted`
  return [ratioAtMost(measured(name, 'ms', runs.guest), { name: 'of the owner', runs: runs.owner }, 1.2)]
}

// Guest gallery

/** Milliseconds of CPU time of a server with its database and image processes so far, ended ones too; the kernel counts in steps of 10 ms. */
const cpuMs = ({ pid }: TestServer): number =>
  [pid, ...processesBelow(pid)]
    .map((one) => procText(one, 'stat').split(') ')[1]?.split(' ') ?? [])
    // Its own times and those of the children that it has waited for.
    .reduce((sum, fields) => sum + 10 * fields.slice(11, 15).reduce((ticks, one) => ticks + Number(one), 0), 0)

async function measureGallery(server: TestServer, { quick }: BenchOptions): Promise<Measurement[]> {
  const { owner, event } = await eventWithPhoto(server, { gallery: 'link' })
  await copyPhoto(server, owner, galleryPhotos - 1, [event.id])
  // Each code has pages of its own, which no other has asked for yet.
  const codes = Array.from({ length: 60 }, () => newId())
  await server.database.query(
    `insert into event_codes (code, event_id, kind, label) select code, $2, 'table', code from unnest($1::text[]) as code`,
    [codes, event.id],
  )
  await server.database.query('analyze')
  const pageCpu: number[] = []
  while (pageCpu.length < (quick ? 2 : 5)) {
    // Nothing is kept for longer than a second.
    await wait(1_100)
    const before = cpuMs(server)
    for (const code of codes) {
      const page = await (await fetch(`${server.address}/e/${code}`, { headers: html })).text()
      if (page.split('<img').length < 50) throw new Error('a page of the gallery has no photos')
    }
    pageCpu.push((cpuMs(server) - before) / codes.length)
  }
  const path = `/e/${codeOf(event)}`
  const headers = {
    ...html,
    'if-none-match': (await fetch(server.address + path, { headers: html })).headers.get('etag')!,
  }
  const { status } = await fetch(server.address + path, { headers })
  if (status !== 304) throw new Error(`a page that has not changed was answered with ${status}`)
  const rates: number[] = []
  const load = { address: server.address, paths: [path], headers, connections: 20, seconds: quick ? 2 : 4 }
  while (rates.length < (quick ? 2 : 5)) rates.push(await measureRate(load))
  const name = `guest gallery of ${galleryPhotos}`
  return [
    atMost(measured(`${name}: first page, CPU of server and database`, 'ms', pageCpu.slice(1)), 30),
    atLeast(measured(`${name}: first page when nothing changed`, 'pages/s', rates), 1_500),
  ]
}

// Everything as one file

/** Reads an answer as fast as it comes. `onChunk` ends it by returning false. */
async function read(
  url: string,
  {
    headers = {},
    onChunk = () => true,
  }: { headers?: Record<string, string>; onChunk?: (chunk: Buffer) => boolean } = {},
) {
  const startedAt = performance.now()
  const asked = get(url, { headers, agent: false })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  let [bytes, firstByteMs] = [0, 0]
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    firstByteMs ||= performance.now() - startedAt
    bytes += chunk.length
    if (!onChunk(chunk)) break
  }
  const ms = performance.now() - startedAt
  answer.destroy()
  return {
    bytes,
    firstByteMs,
    mbPerSecond: bytes / 1000 / ms,
    status: answer.statusCode,
    etag: answer.headers.etag ?? '',
  }
}

async function measureArchive(server: TestServer, { scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const photos = quick ? archivePhotos / 10 : archivePhotos
  const { owner, event } = await eventWithPhoto(server, { gallery: 'link', guest_archive: true })
  const pathOf = (key: string): string => {
    const [kind = '', name = ''] = key.split('/')
    const path = join(scratchDir, 'data/files', kind, name.slice(0, 2), name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }
  // One photo is as large as all others together: the reference.
  const { rows } = await copyPhoto(server, owner, photos + 1, [event.id])
  const large = rows.pop()!
  const largeFile = openSync(pathOf(large.full_key), 'w')
  const file = randomBytes(archivePhotoBytes)
  const checksums = rows.map(({ full_key: key }, number) => {
    file.writeUInt32LE(number)
    writeFileSync(pathOf(key), file)
    writeSync(largeFile, file)
    return crc32(file)
  })
  closeSync(largeFile)
  const keys = rows.map(({ full_key: key }) => key)
  await server.database.query('update photos set full_bytes = $2 where full_key = any($1)', [keys, archivePhotoBytes])
  await server.database.query('update photos set full_bytes = $2, event_id = null, code = $3 where id = $1', [
    large.id,
    photos * archivePhotoBytes,
    large.id,
  ])
  await server.database.query(
    'insert into stored_objects (key, photo_id, crc32) select * from unnest($1::text[], $2::text[], $3::bigint[])',
    [keys, rows.map(({ id }) => id), checksums],
  )
  await server.database.query('analyze')
  const url = `${server.address}/e/${codeOf(event)}/archive`
  const largeUrl = `${server.address}/d/${large.id}`
  const [firstByteMs, rates, reference]: [number[], number[], number[]] = [[], [], []]
  const first = await read(url, { onChunk: () => false })
  await read(largeUrl)
  while (rates.length < (quick ? 2 : 5)) {
    const [one, whole] = [await read(largeUrl), await read(url)]
    if (one.bytes !== photos * archivePhotoBytes || whole.bytes <= one.bytes)
      throw new Error(`${one.bytes} and ${whole.bytes} bytes came`)
    reference.push(one.mbPerSecond)
    rates.push(whole.mbPerSecond)
    firstByteMs.push(whole.firstByteMs)
    log(`archive ${whole.mbPerSecond.toFixed(0)} MB/s, one file ${one.mbPerSecond.toFixed(0)} MB/s`)
  }

  const hash = createHash('sha256')
  const { bytes, etag } = await read(url, { onChunk: (chunk) => Boolean(hash.update(chunk)) })
  const resumedHash = createHash('sha256')
  const path = join(scratchDir, 'resumed.zip')
  const resumedFile = openSync(path, 'w')
  const stops = [...Array.from({ length: cuts }, () => Math.ceil(Math.random() * bytes)), bytes].toSorted(
    (a, b) => a - b,
  )
  let received = 0
  for (const stopAt of stops.filter((stop, at) => stop !== stops[at - 1])) {
    const headers = received === 0 ? undefined : { range: `bytes=${received}-`, 'if-range': etag }
    const onChunk = (chunk: Buffer): boolean => {
      const part = chunk.subarray(0, stopAt - received)
      resumedHash.update(part)
      writeSync(resumedFile, part)
      received += part.length
      return received < stopAt
    }
    const { status } = await read(url, { onChunk, ...(headers && { headers }) })
    if (status !== (headers ? 206 : 200)) throw new Error(`a range was answered with ${status}`)
  }
  closeSync(resumedFile)
  const isSame = hash.digest('hex') === resumedHash.digest('hex')
  await run('unzip', ['-tqq', path])
  await run('python3', ['-m', 'zipfile', '-t', path])
  const name = `archive of ${photos} photos, ${(bytes / 1e9).toFixed(1)} GB`
  return [
    alwaysBelow(measured(`${name}: first byte, at first`, 'ms', [first.firstByteMs]), 1_000),
    alwaysBelow(measured(`${name}: first byte, later`, 'ms', firstByteMs), 1_000),
    ratioAtLeast(measured(name, 'MB/s', rates), { name: 'one stored file of that size', runs: reference }, 0.6),
    atMost(measured(`${name}: cut at ${cuts} offsets and resumed, with another SHA-256`, 'files', [isSame ? 0 : 1]), 0),
  ]
}

// Calls

async function measureCalls(server: TestServer, { quick }: BenchOptions): Promise<Measurement[]> {
  const { owner, event } = await eventWithPhoto(server, {
    gallery: 'link',
    guest_photos: 'review',
    guest_archive: true,
  })
  const events = [event]
  while (events.length < accountEvents) events.push(await createEvent(owner, { guest_photos: 'review' }))
  const code = codeOf(event)
  const guest = await joinEvent(server, code)
  for (const other of events.slice(1)) await joinEvent(server, codeOf(other))
  const [plain] = (await server.createUsers(1)) as [TestUser]
  await plain.addPhoto(await smallPhoto())
  await copyPhoto(
    server,
    owner,
    accountPhotos,
    events.map(({ id }) => id),
  )
  await copyPhoto(server, plain, accountPhotos)
  const grant = newSecret()
  await server.database.query(
    `insert into event_grants (id, event_id, email, secret_hash, expires_at) values ('grant', $1, 'couple@example.com', $2, now() + interval '1 day')`,
    [event.id, hashOf(grant)],
  )
  await server.database.query(
    `insert into photo_activity (photo_id, user_id, hour, scans, views, downloads, requests)
     select id, user_id, date_trunc('hour', created_at), 3, 2, 1, 0 from photos where user_id = any($1) on conflict do nothing`,
    [[owner.id, plain.id]],
  )
  await server.database.query(
    `insert into event_activity (event_id, user_id, hour, scans, views, saves)
     select events.id, user_id, date_trunc('hour', now()) - make_interval(hours => n), 9, 7, 5 from events, generate_series(1, 100) as n
     where user_id = $1`,
    [owner.id],
  )
  await server.database.query('analyze')
  const keyOf = async (user: TestUser): Promise<Record<string, string>> => {
    const answer = await user.send('POST', '/api/keys', { name: 'Booth', expires_in_days: 1 })
    return { 'x-api-key': ((await answer.json()) as { key: string }).key } // the contract's reply
  }
  const answer = await fetch(`${server.address}/e/${code}/photos`)
  const gallery = (await answer.json()) as { photos: { token: string }[]; next: string } // the contract's reply
  // The newest photo has files.
  const { token } = gallery.photos[0]!
  const page = await (await fetch(`${server.address}/a/${grant}`, { headers: html })).text()
  const [grantPhoto = ''] = /(?<=\/a\/[\w-]+)\/p\/[\w-]+/.exec(page) ?? []
  const shared = ['photos?limit=100', 'photos/latest', 'photos/changes']
  const byEvent = ['user/photo-days', 'user/photo-requests', 'user/insights']
  const ofEvent = ['', '/review', '/review?list=decided', '/codes', '/grants', '/archive']
  const pages = ['', '/photos', `/photos?before=${gallery.next}`, `/p/${token}`, '/mine']
  const files = ['thumbnail', 'screen', 'download'].map((name) => `/p/${token}/${name}`)
  const bearer = ({ token: secret }: TestUser) => ({ authorization: `Bearer ${secret}` })
  type Headers = Record<string, string>
  /** As whom with events, as whom without, and what. */
  const calls: [Headers, Headers | undefined, string[]][] = [
    [bearer(owner), bearer(plain), [...shared, ...byEvent].map((path) => `/${path}`)],
    [await keyOf(owner), await keyOf(plain), ['/api/photos', '/api/photos/latest']],
    [bearer(owner), undefined, ['photos', ...byEvent].map((path) => `/${path}?event=${event.id}`)],
    [bearer(owner), undefined, ['/user/events', '/user/event-grants']],
    [bearer(owner), undefined, ofEvent.map((path) => `/user/events/${event.id}${path}`)],
    [{ ...html, ...guest }, undefined, [`/qr/e/${code}`, ...[...pages, ...files].map((path) => `/e/${code}${path}`)]],
    [html, undefined, ['', grantPhoto, `${grantPhoto}/thumbnail`].map((path) => `/a/${grant}${path}`)],
  ]
  const time = async (path: string, headers: Headers): Promise<number> => {
    const startedAt = performance.now()
    const reply = await fetch(server.address + path, { headers })
    await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}`)
    return performance.now() - startedAt
  }
  const results: Measurement[] = []
  for (const [headers, plainHeaders, paths] of calls)
    for (const path of paths) {
      const runs: Record<'owner' | 'plain', number[]> = { owner: [], plain: [] }
      while (runs.owner.length < (quick ? 3 : 9)) {
        runs.owner.push(await time(path, headers))
        if (plainHeaders) runs.plain.push(await time(path, plainHeaders))
        // No page of a gallery is kept for longer.
        if (path.startsWith('/e/') && !quick) await wait(1_100)
      }
      const name = path.replaceAll(/[\w-]{22,}/g, '{…}')
      const one = measured(`GET ${name}`, 'ms', runs.owner)
      const reference = { name: 'account without events', runs: runs.plain }
      // What is not about events takes as long as it did.
      if (path.startsWith('/user/') && plainHeaders) results.push(ratioAtMost(one, reference, 1.3))
      else results.push(atMost(plainHeaders ? { ...one, reference } : one, 50))
    }
  return results
}

// Review

/** Runs in a page: notes when each new picture of this selector is there, by the clock that all pages share. */
function noteNewPictures(selector: string): void {
  const noted: [src: string, at: number][] = []
  Object.assign(globalThis, { noted })
  const look = (): void => {
    const picture = [...document.querySelectorAll<HTMLImageElement>(selector)].at(-1)
    if (picture?.complete && picture.naturalWidth > 0 && noted.at(-1)?.[0] !== picture.src)
      noted.push([picture.src, performance.timeOrigin + performance.now()])
    requestAnimationFrame(look)
  }
  look()
  addEventListener(
    'keydown',
    () => Object.assign(globalThis, { pressedAt: performance.timeOrigin + performance.now() }),
    true,
  )
}

interface Noted {
  noted: [src: string, at: number][]
  pressedAt: number
}
const picturesOn = (page: Page): Promise<number> => page.evaluate(() => (globalThis as unknown as Noted).noted.length)
const timeOn = (page: Page, picture: number): Promise<number> =>
  page.evaluate((at) => (globalThis as unknown as Noted).noted[at]![1], picture)

async function measureReview(server: TestServer, { quick }: BenchOptions): Promise<Measurement[]> {
  const { owner, event } = await eventWithPhoto(server, { guest_photos: 'review' })
  const code = codeOf(event)
  const count = quick ? 6 : 20
  const photo = (await sampleOf('6 MP')).kept
  const headers = await joinEvent(server, code)
  for (let n = 0; n < count; n++) await uploadTimed(server.address, photo, { headers, path: `/e/${code}/mine` })
  await drained(server)
  const open = async (path: string, selector: string) => {
    const { page } = await openPage(server.address, { visitor: owner, isIsolated: true })
    await page.goto(path)
    await page.locator(selector).first().waitFor()
    await page.evaluate(noteNewPictures, selector)
    // Nobody decides about a photo that is not there yet.
    while ((await picturesOn(page)) === 0) await wait(10)
    return page
  }
  // Not the small picture that stands in for it.
  const latest = await open('/latest', '.latest__image > img:not([src*="/t/"])')
  const review = await open(`/events/${event.id}/review`, '.review__photo > img[data-swiped]')
  const [nextMs, screenMs]: [number[], number[]] = [[], []]
  while (nextMs.length < count - 1) {
    const [before, beforeOnLatest] = [await picturesOn(review), await picturesOn(latest)]
    // The next ones are loaded in the background.
    await wait(700)
    await review.keyboard.press('a')
    while ((await picturesOn(review)) === before) await wait(10)
    while ((await picturesOn(latest)) === beforeOnLatest) await wait(10)
    const pressedAt = await review.evaluate(() => (globalThis as unknown as Noted).pressedAt)
    nextMs.push((await timeOn(review, before)) - pressedAt)
    screenMs.push((await timeOn(latest, beforeOnLatest)) - pressedAt)
  }
  await Promise.all([latest, review].map((page) => page.context().close()))
  return [
    alwaysBelow(measured('review: from a decision to the next photo', 'ms', nextMs), 150),
    alwaysBelow(measured('review: from approving to the photo on Latest', 'ms', screenMs), 1_000),
  ]
}

export const events: BenchmarkPart = {
  title: 'Events: guests’ photos, the guest gallery, everything as one file, calls of a large account, review',
  method:
    `Adding: ${addedTogether} photos, two at a time, by a guest and by the owner one after the other in turns, each time until nothing is processed. ` +
    `Gallery: ${galleryPhotos} photos; CPU time of all processes of the server for one page at a code that nobody has opened, mean of 60; then the same page with its entity tag by wrk. ` +
    `Archive: ${archivePhotos} photos of ${archivePhotoBytes / 1e6} MB, read by this process, and right before it one photo of their size in total; ${cuts} cuts at random offsets, each resumed with If-Range; then tested by unzip and Python. ` +
    `Calls: an account with ${accountPhotos} photos in ${accountEvents} events, each call alone; those that both have right after it in an account with as many photos and no events. ` +
    'Review: two pages in Chromium, key A 700 ms after each photo is loaded; until the next photo is loaded in the frame, and until the approved one is loaded on Latest.',
  async run(options) {
    const server = await startTestServer(options.scratchDir)
    const results: Measurement[] = []
    for (const measure of [measureAdding, measureGallery, measureArchive, measureCalls, measureReview]) {
      const part = await measure(server, options)
      options.log(part.map(lineOf).join('\n   '))
      results.push(...part)
    }
    await server.stop()
    return results
  },
}
