import type { Page, WebSocketRoute } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { codePolling, codesOn, sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'
import { codeOf, type Visitor } from './visitor.ts'

let owner: Visitor
let latest: Page
let gallery: Page
const sockets = new Set<WebSocketRoute>()
let isCut = false
const server = useSharedServer()
beforeAll(async () => {
  owner = await server.newUser()
  // With motion: how one photo replaces another is a subject of these tests.
  latest = await server.newPage({
    visitor: owner,
    viewport: { width: 1920, height: 1080 },
    reducedMotion: 'no-preference',
  })
  await latest.routeWebSocket(/\/ws\?/, async (socket) => {
    if (isCut) return drop(socket)
    socket.connectToServer()
    sockets.add(socket)
  })
  gallery = await server.newPage({ visitor: owner })
  await latest.goto('/latest')
  await latest.getByText('No photos uploaded yet.').waitFor()
  await gallery.goto('/gallery')
  await gallery.getByText('No photos yet. Upload some photos to get started!').waitFor()
})

/** Not a close code of our protocol, so the page treats it as a lost connection. */
const drop = (socket: WebSocketRoute): Promise<void> => socket.close({ code: 4000 })
const photoOnLatest = (name: string) => latest.getByRole('img', { name: new RegExp(`^${name}, `) })
const photoInGallery = (name: string) => gallery.getByRole('link', { name: new RegExp(`^${name}, `) })
const photos = async (): Promise<Photo[]> => (await (await owner.call('GET', '/photos')).json()) as Photo[] // what the contract says
const shownCodes = async () => (await codesOn(latest)).map((text) => text.split('/').at(-1)!).toSorted()
/** The codes that are on the screen, as the page says; the tests above read them from pictures. */
const codesOfPage = async (): Promise<string[]> => {
  const sources = latest.locator('.latest__code img, .latest__recent-photo > img')
  const urls = await sources.evaluateAll((images) => images.map((image) => image.getAttribute('src') ?? ''))
  return urls.map((url) => url.split('/').at(-1)!.replace('.svg', ''))
}
const upload = async (picture: string) => owner.upload(await sampleJpeg(picture, 480), { name: `${picture}.jpg` })
const statusOfCode = async (photo: Photo) => (await fetch(`${server.address}/d/${codeOf(photo)}`)).status

test('a photo uploaded elsewhere appears on Latest and in the gallery by itself, and says so', async () => {
  // The messages disappear after three seconds.
  await Promise.all([
    latest.getByText('New photo received!').waitFor(),
    photoOnLatest('table-1200.jpg').waitFor(),
    gallery.getByText('New photo received!').waitFor(),
    photoInGallery('table-1200.jpg').waitFor(),
    upload('table-1200'),
  ])
  const [first] = await photos()
  await expect.poll(shownCodes, codePolling).toEqual([codeOf(first!)])
})

test('of several photos in a row, each is shown with its own code, and the last four before stay, with codes that scan', async () => {
  await latest.evaluate(watchPairs)
  for (const name of ['topper-1200', 'bouquet-640', 'rings-320', 'cake-320', 'dance-1200']) await upload(name)
  await photoOnLatest('dance-1200.jpg').waitFor()
  await expect.poll(() => latest.getByRole('list', { name: 'Other photos' }).getByRole('listitem').count()).toBe(4)
  const newest = (await photos()).slice(0, 5)
  await expect.poll(shownCodes, codePolling).toEqual(newest.map(codeOf).toSorted())
  const codes = new Map(newest.map((photo) => [photo.filename, codeOf(photo)]))
  const seen = await latest.evaluate(() => (window as unknown as { pairs: [string, string][] }).pairs) // put there by watchPairs
  expect(seen.length).toBeGreaterThan(1)
  for (const [name, code] of seen.slice(1)) expect([name, code]).toEqual([name, codes.get(name)])
  expect(seen.at(-1)![0]).toBe('dance-1200.jpg')
})

test('a photo that is held stays on the big screen, and the next one waits as a small print until it is released', async () => {
  const [newest] = await photos()
  expect((await owner.send('PUT', '/user/hold', { photo_id: newest!.id })).ok).toBe(true)
  await latest.getByRole('button', { name: 'Release' }).waitFor({ state: 'attached' })
  await upload('toast-320')
  await latest.getByAltText('QR code for toast-320.jpg').waitFor()
  expect(await photoOnLatest('dance-1200.jpg').count()).toBe(1)
  expect((await owner.call('DELETE', '/user/hold')).ok).toBe(true)
  await photoOnLatest('toast-320.jpg').waitFor()
})

test('a photo hidden in the viewer is closed to guests until Undo is pressed; a deleted one is gone from every screen', async () => {
  await latest.getByText('New photo received!').waitFor({ state: 'detached' })
  const [newest, before] = await photos()
  await photoInGallery('toast-320.jpg').click()
  const viewer = gallery.getByRole('dialog', { name: 'toast-320.jpg' })
  const undo = viewer.getByRole('button', { name: 'Undo' })
  // It stays for eight seconds, or as long as the pointer is on it.
  await Promise.all([undo.hover(), viewer.getByRole('button', { name: 'Hide from guests' }).click()])
  await photoOnLatest('dance-1200.jpg').waitFor()
  await expect.poll(codesOfPage).not.toContain(codeOf(newest!))
  expect(await statusOfCode(newest!)).toBe(404)
  await undo.click()
  await photoOnLatest('toast-320.jpg').waitFor()
  expect(await statusOfCode(newest!)).toBe(200)
  // It is not announced as a new photo.
  expect(await latest.getByText('New photo received!').count()).toBe(0)

  await viewer.getByRole('button', { name: 'Delete photo' }).click()
  await gallery.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await gallery.getByRole('dialog', { name: 'dance-1200.jpg' }).waitFor()
  await photoOnLatest('dance-1200.jpg').waitFor()
  await expect.poll(codesOfPage).toContain(codeOf(before!))
  expect(await codesOfPage()).not.toContain(codeOf(newest!))
  await gallery.keyboard.press('Escape')
  await gallery.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => photoInGallery('toast-320.jpg').count()).toBe(0)
  expect(await statusOfCode(newest!)).toBe(404)
})

test('a lost connection shows a small badge beside the last photo; missed photos appear by polls, and once it is restored', async () => {
  const sign = latest.locator('.latest__connection')
  isCut = true
  await Promise.all([...sockets].map(drop))
  await latest.getByText('Reconnecting', { exact: true }).waitFor()
  await latest.clock.install()
  // After five attempts the page asks every minute. Each jump of the clock aborts the requests that have not been answered.
  const afterMs = async (ms: number, isThere: () => Promise<boolean>) => {
    await latest.clock.fastForward(ms)
    return isThere()
  }
  const polling = latest.getByText('Checking every minute')
  await expect.poll(() => afterMs(31_000, () => polling.isVisible())).toBe(true)
  expect(await photoOnLatest('dance-1200.jpg').isVisible()).toBe(true)
  await upload('balloons-900')
  const missed = photoOnLatest('balloons-900.jpg')
  await expect.poll(() => afterMs(61_000, () => missed.isVisible()), { interval: 1_000 }).toBe(true)

  isCut = false
  await latest.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await sign.waitFor({ state: 'detached' })
  await upload('rings-1000')
  await photoOnLatest('rings-1000.jpg').waitFor()
  expect(server.pageErrors).toEqual([])
})

/** Runs in the page: records every pair of ready photo and code that Latest shows, whenever the DOM changes. */
function watchPairs(): void {
  const pairs: [string, string][] = []
  Object.assign(window, { pairs })
  const look = (): void => {
    const photo = document.querySelector<HTMLImageElement>('.latest__image > img[alt*=", "]')
    const code = document.querySelector<HTMLImageElement>('.latest__code img')
    if (!photo || !code) return
    const pair: [string, string] = [photo.alt.split(', ')[0]!, code.src.split('/').at(-1)!.replace('.svg', '')]
    if (pairs.at(-1)?.join() !== pair.join()) pairs.push(pair)
  }
  look()
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
}
