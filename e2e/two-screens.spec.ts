import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useSharedServer, type TestServer } from './test-server.ts'
import { codePolling, codesOn } from './codes.ts'
import { sampleJpeg } from './pictures.ts'
import type { Visitor } from './visitor.ts'

let server: TestServer
let owner: Visitor
let latest: Page
let gallery: Page
beforeAll(async () => {
  server = await useSharedServer()
  owner = await server.newUser()
  // With motion: how one photo replaces another is a subject of these tests.
  latest = await server.newPage({
    visitor: owner,
    viewport: { width: 1920, height: 1080 },
    reducedMotion: 'no-preference',
  })
  gallery = await server.newPage({ visitor: owner })
  await latest.goto('/latest')
  await latest.getByText('No photos uploaded yet.').waitFor()
  await gallery.goto('/gallery')
  await gallery.getByText('No photos yet. Upload some photos to get started!').waitFor()
})
afterAll(async () => server.close())

const photoOnLatest = (name: string) => latest.getByRole('img', { name: new RegExp(`^${name}, `) })
const photoInGallery = (name: string) => gallery.getByRole('link', { name: new RegExp(`^${name}, `) })
const photos = async (): Promise<{ id: string; filename: string; qr_code_url: string }[]> =>
  (await (await owner.call('GET', '/photos')).json()) as { id: string; filename: string; qr_code_url: string }[] // what the contract says

/** The code in the URL of a photo's QR image is the one that zbar reads. */
const codeNames = (texts: string[]): string[] => texts.map((text) => text.split('/').at(-1)!)
const codeOf = ({ qr_code_url: address }: { qr_code_url: string }): string =>
  address.split('/').at(-1)!.replace('.png', '')

test('a photo uploaded elsewhere appears on Latest and in the gallery by itself, and says so', async () => {
  const phone = await server.newPage({ visitor: owner, viewport: { width: 390, height: 844 } })
  await phone.goto('/upload')
  await phone
    .getByLabel('Choose photos')
    .and(phone.locator('input'))
    .setInputFiles({ name: 'first.jpg', mimeType: 'image/jpeg', buffer: await sampleJpeg('table-1200', 1200) })
  // The messages disappear after three seconds.
  await Promise.all([
    latest.getByText('New photo received!').waitFor(),
    photoOnLatest('first.jpg').waitFor(),
    gallery.getByText('New photo received!').waitFor(),
    photoInGallery('first.jpg').waitFor(),
    phone.waitForURL('**/latest'),
    phone.getByRole('button', { name: 'Upload Photo' }).click(),
  ])
  const [first] = await photos()
  await expect.poll(async () => codeNames(await codesOn(latest)), codePolling).toEqual([codeOf(first!)])
})

test('photo and code change together: what is shown is never one photo with the code of another', async () => {
  await latest.evaluate(watchPairs)
  for (const name of ['topper-1200', 'bouquet-640'])
    await owner.upload(Uint8Array.from(await sampleJpeg(name, 1200)), { name: `${name}.jpg` })
  await photoOnLatest('bouquet-640.jpg').waitFor()
  const codes = new Map((await photos()).map((photo) => [photo.filename, codeOf(photo)]))
  await latest.locator('.is-changing').waitFor({ state: 'detached' })
  const seen = await latest.evaluate(() => (window as unknown as { pairs: [string, string][] }).pairs) // put there by watchPairs
  expect(seen.length).toBeGreaterThan(1)
  for (const [name, code] of seen) expect([name, code]).toEqual([name, codes.get(name)])
  expect(seen.at(-1)![0]).toBe('bouquet-640.jpg')
})

test('the last four photos before it stay as small prints, and every code on the screen scans', async () => {
  for (const name of ['rings-320', 'cake-320', 'dance-1200'])
    await owner.upload(Uint8Array.from(await sampleJpeg(name, 900)), { name: `${name}.jpg` })
  await photoOnLatest('dance-1200.jpg').waitFor()
  await expect
    .poll(async () => latest.getByRole('list', { name: 'Other photos' }).getByRole('listitem').count())
    .toBe(4)
  const newest = (await photos()).slice(0, 5).map(codeOf)
  await expect.poll(async () => codeNames(await codesOn(latest)).toSorted(), codePolling).toEqual(newest.toSorted())
})

test('a photo hidden in the viewer is gone from the big screen and closed to guests, until Undo is pressed', async () => {
  await latest.getByText('New photo received!').waitFor({ state: 'detached' })
  const [newest] = await photos()
  const guestCode = `${server.address}/d/${codeOf(newest!)}`
  await photoInGallery('dance-1200.jpg').click()
  const viewer = gallery.getByRole('dialog', { name: 'dance-1200.jpg' })
  const undo = viewer.getByRole('button', { name: 'Undo' })
  // It stays for eight seconds, or as long as the pointer is on it.
  await Promise.all([undo.hover(), viewer.getByRole('button', { name: 'Hide from guests' }).click()])
  await photoOnLatest('cake-320.jpg').waitFor()
  await expect.poll(async () => codeNames(await codesOn(latest)), codePolling).not.toContain(codeOf(newest!))
  expect((await fetch(guestCode)).status).toBe(404)
  await undo.click()
  await photoOnLatest('dance-1200.jpg').waitFor()
  expect((await fetch(guestCode)).status).toBe(200)
  // It is not announced as a new photo.
  expect(await latest.getByText('New photo received!').count()).toBe(0)
  await gallery.keyboard.press('Escape')
  await gallery.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  expect(new URL(gallery.url()).pathname).toBe('/gallery')
})

test('a photo deleted in the viewer is gone from every screen, and its code with it', async () => {
  const [newest, before] = await photos()
  await photoInGallery('dance-1200.jpg').click()
  const viewer = gallery.getByRole('dialog', { name: 'dance-1200.jpg' })
  await viewer.getByText('Photo 1 of 6').waitFor()
  await viewer.getByRole('button', { name: 'Delete photo' }).click()
  const sure = gallery.getByRole('alertdialog', { name: 'Delete photo' })
  await sure.getByText('Are you sure you want to delete this photo? This action cannot be undone.').waitFor()
  await sure.getByRole('button', { name: 'Delete' }).click()

  await gallery.getByRole('dialog', { name: 'cake-320.jpg' }).waitFor()
  await photoOnLatest('cake-320.jpg').waitFor()
  await expect.poll(async () => codeNames(await codesOn(latest)), codePolling).not.toContain(codeOf(newest!))
  await expect.poll(async () => codeNames(await codesOn(latest)), codePolling).toContain(codeOf(before!))
  await gallery.keyboard.press('Escape')
  await gallery.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(async () => photoInGallery('dance-1200.jpg').count()).toBe(0)
  expect((await fetch(`${server.address}/d/${codeOf(newest!)}`)).status).toBe(404)
  expect(server.pageErrors).toEqual([])
})

test('a photo that is held on a phone stays on the big screen, and the next one waits as a small print until it is released', async () => {
  const phone = await server.newPage({ visitor: owner, viewport: { width: 390, height: 844 } })
  await phone.goto('/latest')
  await phone.getByRole('img', { name: /^cake-320\.jpg, / }).waitFor()
  await phone.getByRole('button', { name: 'Previous' }).click()
  await phone.getByRole('img', { name: /^rings-320\.jpg, / }).waitFor()
  await phone.getByRole('button', { name: 'Hold' }).click()
  await photoOnLatest('rings-320.jpg').waitFor()
  await owner.upload(Uint8Array.from(await sampleJpeg('toast-320', 600)), { name: 'toast-320.jpg' })
  await latest.getByAltText('QR code for toast-320.jpg').waitFor()
  expect(await photoOnLatest('rings-320.jpg').count()).toBe(1)
  await phone.getByRole('button', { name: 'Release' }).click()
  await Promise.all([photoOnLatest('toast-320.jpg').waitFor(), phone.getByAltText(/^toast-320\.jpg, /).waitFor()])
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
