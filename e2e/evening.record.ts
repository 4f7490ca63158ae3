import { afterAll, beforeAll, expect, test } from 'vitest'
import { logWithSeed, seededRandom } from '@keepsnap/server/test/statistics.ts'
import { press, send, sendNew } from './evening/both-screens.ts'
import { pauses, planEvening, slideMs, type Burst } from './evening/evening-plan.ts'
import * as journeys from './evening/journeys.ts'
import { memoryOf, fastForwardClock } from './evening/latest-screen.ts'
import { tornPhoto } from './evening/numbered-photos.ts'
import { openEvening, type EveningRun } from './evening/open-evening.ts'
import {
  codesOfPhoto,
  expectOwnCode,
  percentile,
  photoNamed,
  photosOf,
  slideshowPhotoNames,
} from './evening/photos-of-owner.ts'
import { sendFromCamera, sendFromPage } from './evening/send-photos.ts'
import { lastOf } from './evening/last-of.ts'

const long = { timeout: 1_200_000 }
const photoCount = 200
/** Photos before the show, and the one that ends it. */
const inShow = { before: 1, end: 1 }
const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, count) => all + count)
const bursts = planEvening(photoCount - sum(journeys.photosOfJourneys) - sum(inShow), seededRandom('evening'))
const limits = { shownMs: 5_000, heapBytes: 30_000_000, nodes: 3_000 }

let evening: EveningRun
let memoryBefore: Awaited<ReturnType<typeof memoryOf>>
beforeAll(async () => {
  evening = await openEvening(photoCount)
}, long.timeout)
afterAll(async () => evening?.close())

async function sendBurst({ size, onPage, withSlowFile, withTornFile, pauseMs }: Burst): Promise<void> {
  const { owner, main, second, desk, slowFiles, take } = evening
  const slow = withSlowFile ? slowFiles.shift() : undefined
  if (slow) await sendFromCamera(owner, [slow])
  const photos = take(size)
  const torn = withTornFile ? [tornPhoto(photos[0]!, `torn-${photos[0]!.name}`)] : []
  const sent = [...photos.slice(0, -1), ...torn, ...photos.slice(-1)]
  await send(evening, sent, (files) => (onPage ? sendFromPage(desk, files) : sendFromCamera(owner, files)))
  await expectOwnCode(owner, size % 2 === 0 ? second : main)
  if (pauseMs < pauses.long) return fastForwardClock(main.page, pauseMs)
  // Not yet, then at the oldest photo of tonight.
  await fastForwardClock(main.page, pauses.long - slideMs)
  expect(main.current()).toBe(lastOf(photos).name)
  await fastForwardClock(main.page, slideMs)
  const [first, next] = await slideshowPhotoNames(owner)
  await main.until(first!)
  await fastForwardClock(main.page, slideMs)
  await main.until(next!)
  await expectOwnCode(owner, main)
}

test('the first half: Latest shows the newest of each burst, and the slideshow in a long pause', long, async () => {
  const { main } = evening
  await press(main.page, 'Slideshow: off')
  await main.page.getByRole('button', { name: 'Slideshow after 1 min' }).waitFor()
  for (const [index, burst] of bursts.slice(0, bursts.length / 2).entries()) {
    await sendBurst(burst)
    if (index === 5) memoryBefore = await memoryOf(main.page)
  }
  expect(lastOf(main.shown).name).not.toBeNull()
  await evening.keep(main.page, 'half')
})

test('a photo that is hidden in the viewer goes from both screens and is closed on a phone', long, async () => {
  await expect(journeys.hideInViewer(evening)).resolves.toBeUndefined()
})

test('a photo that is held on Latest stays on both screens until it is released on the other', long, async () => {
  await expect(journeys.holdOnLatest(evening)).resolves.toBeUndefined()
})

test('the switch on Latest changes the code on both screens, and guests get the photo by email', long, async () => {
  await expect(journeys.askForEmailOnLatest(evening)).resolves.toBeUndefined()
})

test('a photo that is hidden on Latest is shown again by Undo', long, async () => {
  await expect(journeys.hideOnLatestAndUndo(evening)).resolves.toBeUndefined()
})

test('a report reaches the owner by email; one press hides the photo, and Undo shows it again', long, async () => {
  await expect(journeys.reportByEmail(evening)).resolves.toBeUndefined()
})

test('the second half', long, async () => {
  for (const burst of bursts.slice(bursts.length / 2)) await sendBurst(burst)
  expect(evening.photosLeft()).toBe(sum(inShow))
})

async function change(name: string, method: 'PUT' | 'DELETE'): Promise<void> {
  const { owner } = evening
  const body = method === 'PUT' ? { body: '{"hidden":true}', headers: { 'content-type': 'application/json' } } : {}
  const answer = await owner.call(method, `/photos/${(await photoNamed(owner, name)).id}`, body)
  expect(answer.status).toBeLessThan(300)
}

/** Hides the photo on the screen. Resolves with the time until it was gone, in milliseconds. */
async function hideShown(name: string): Promise<number> {
  const { main } = evening
  const hiddenAt = Date.now()
  await change(name, 'PUT')
  await expect.poll(() => main.current()).not.toBe(name)
  return lastOf(main.shown).at - hiddenAt
}

test('the slideshow goes through the photos that guests may see, until a new one comes', long, async () => {
  const { owner, main, second } = evening
  await sendNew(evening, inShow.before)
  await expect
    .poll(async () => (await photosOf(owner)).filter(({ processing }) => processing), {
      interval: 1000,
      timeout: 60_000,
    })
    .toEqual([])
  const listed = await slideshowPhotoNames(owner)
  const gone = [listed[30]!, listed[60]!, listed[90]!]
  const newest = lastOf(listed)
  const slides = listed.filter((name) => name !== gone[0] && name !== gone[1])
  const from = [main.shown.length, second.shown.length]
  let goneAfter = Infinity
  await fastForwardClock(main.page, pauses.long)
  for (const [place, name] of slides.entries()) {
    await main.until(name)
    if (place === 10) await change(gone[0]!, 'PUT')
    if (place === 20) await change(gone[1]!, 'DELETE')
    if (name === gone[2]) goneAfter = await hideShown(name)
    if (place % 20 === 5 && name.startsWith('photo-')) await expectOwnCode(owner, main)
    await fastForwardClock(main.page, slideMs)
  }
  await main.until(listed[0]!)
  expect(goneAfter).toBeLessThan(journeys.goneMs)
  // After a photo is hidden, the newest is shown until the next slide.
  const names = main.shown.slice(from[0]).map(({ name }) => name)
  const inShowOnly = names.filter((name) => name !== null && name !== newest)
  expect(inShowOnly).toEqual([...slides.filter((name) => name !== newest), listed[0]])
  expect(await main.page.locator('.toast').count()).toBe(0)
  await evening.keep(main.page, 'show')
  // Its clock goes by itself.
  const secondShown = () => second.shown.slice(from[1]).map(({ name }) => name)
  await expect.poll(secondShown, { timeout: 75_000 }).toContain(listed[0])
  await sendNew(evening, inShow.end)
  const last = main.current()
  await fastForwardClock(main.page, pauses.long - slideMs)
  expect(main.current()).toBe(last)
  await fastForwardClock(main.page, slideMs)
  await main.until(listed[0]!)
})

test('all 200 photos are ready, in order, were shown with their own codes, and nothing failed', long, async () => {
  const { main, second, shownAfterMs } = evening
  const photos = await photosOf(evening.owner)
  const numbered = photos.filter(({ filename }) => filename.startsWith('photo-')).toReversed()
  expect(numbered.map(({ filename }) => filename)).toEqual(numbered.map(({ filename }) => filename).toSorted())
  expect(numbered.filter(({ processing_complete }) => !processing_complete)).toEqual([])
  expect(numbered).toHaveLength(photoCount - 1)
  const codes = new Map(photos.map((photo) => [photo.filename, Object.values(codesOfPhoto(photo))]))
  const pairs = [main, second].flatMap(({ shown }) => shown.filter(({ name }) => name !== null && codes.has(name)))
  expect(pairs.filter(({ name, code }) => !codes.get(name!)!.includes(code))).toEqual([])
  const memory = await memoryOf(main.page)
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
  logWithSeed(
    `evening: ${photoCount} photos in ${bursts.length} bursts, upload to shown p50 ${percentile(shownAfterMs, 0.5)} ms, p95 ${percentile(shownAfterMs, 0.95)} ms, most ${Math.max(...shownAfterMs)} ms; ${pairs.length} pairs of photo and code; JS heap ${megabytes(memoryBefore.heapBytes)} MB before, ${megabytes(memory.heapBytes)} MB after; DOM nodes ${memoryBefore.nodes} before, ${memory.nodes} after`,
  )
  expect(percentile(shownAfterMs, 0.95)).toBeLessThan(limits.shownMs)
  expect(memory.heapBytes - memoryBefore.heapBytes).toBeLessThan(limits.heapBytes)
  expect(memory.nodes - memoryBefore.nodes).toBeLessThan(limits.nodes)
  expect(evening.failures).toEqual([])
  expect(evening.server.pageErrors).toEqual([])
  expect((await evening.log()).split('\n').filter((line) => /"level":[56]0\b/.test(line))).toEqual([])
})
