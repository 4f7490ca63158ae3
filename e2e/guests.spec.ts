import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { openVenue, type Venue } from './browser.ts'
import { pixelsOf, sampleJpeg } from './pictures.ts'
import { startProgram, type Program } from './program.ts'
import type { Visitor } from './visitor.ts'

let venue: Venue
let worker: Program | undefined
let owner: Visitor
let file: Buffer
let photo: Photo
let address: string
beforeAll(async () => {
  // Without a worker a photo is being processed for as long as the story needs it.
  ;[venue, file] = await Promise.all([openVenue({ command: ['serve', '--no-work'] }), sampleJpeg('table-1200', 1200)])
  owner = await venue.visitor()
  photo = (await owner.upload(Uint8Array.from(file), { name: 'Secret name.jpg' }))!
  address = photo.qr_code_url.replace(/\/qr\/d\/|\/qr\//, '/d/').replace(/\.png$/, '')
})
afterAll(async () => {
  await worker?.stop()
  await venue.close()
})

test('a guest who scans while the photo is processed waits a moment and then has it', async () => {
  const phone = await venue.screen({ viewport: { width: 390, height: 844 } })
  await phone.goto(address)
  await phone.getByRole('heading', { name: 'Your photo is almost ready' }).waitFor()
  const downloading = phone.waitForEvent('download', { timeout: 30_000 })
  worker = await startProgram({ dataDir: venue.dataDir, port: venue.port, command: ['work'] })
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg$/)
  const [mine, theirs] = await Promise.all([pixelsOf(file), readFile(await download.path()).then(pixelsOf)])
  expect(theirs.data.equals(mine.data)).toBe(true)
})

test('the file can be asked for without its bytes, and in parts, as phones do', async () => {
  const whole = Buffer.from(await (await fetch(address)).arrayBuffer())
  const head = await fetch(address, { method: 'HEAD' })
  expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, whole.length])
  expect(head.headers.get('content-disposition')).toMatch(/^attachment/)
  const part = await fetch(address, { headers: { range: 'bytes=100-199' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 200))).toBe(true)
  const beyond = await fetch(address, { headers: { range: `bytes=${whole.length}-` } })
  expect(beyond.status).toBe(416)
  const again = await fetch(address, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

test('a photo that was deleted, and a code that never was, say so kindly', async () => {
  await owner.call('DELETE', `/photos/${photo.id}`)
  const phone = await venue.screen({ viewport: { width: 390, height: 844 } })
  for (const gone of [address, `${venue.address}/d/${'A'.repeat(22)}`]) {
    const answer = await phone.goto(gone)
    expect(answer?.status()).toBe(404)
    await phone.getByText('This photo does not exist, or is no longer shared.').waitFor()
  }
})
