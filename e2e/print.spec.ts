import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { isRecord } from '@keepsnap/server/test/statistics.ts'
import type { Download, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { accessibilityProblems } from './axe.ts'
import { sampleJpeg } from './pictures.ts'
import { readPrint } from './read-print.ts'
import { startTestServer, type DedicatedServer } from './test-server.ts'
import type { Visitor } from './visitor.ts'
import { waitLimitMs } from './wait-limit.ts'

const longLine = 'Charlotte & Maximiliaan 👰🏽‍♀️🤵 – gemeenschapshuis de Klaproos, Aa'
const network = 'Zaal "Ter\\Worm"; café, ☕:1'
const password = 'a;b,c:d"e\\f\'g $%&12'
const wifiText = String.raw`WIFI:T:WPA;S:Zaal \"Ter\\Worm\"\; café\, ☕\:1;P:a\;b\,c\:d\"e\\f'g $%&12;;`

let server: DedicatedServer
let owner: Visitor
let photo: Photo
let page: Page
let folder: string
/** What left the browser: URLs and bodies. */
const sent: string[] = []

beforeAll(async () => {
  // Long names make large codes. Not loopback: prints work over plain HTTP, too.
  server = await startTestServer({ hostname: `photos-of-${'the-very-long-evening-'.repeat(2)}in-the-castle.test` })
  owner = await server.newUser({ plan: 'pro_monthly' })
  const [file, logo] = await Promise.all([sampleJpeg('dance-1200', 2400), sampleJpeg('rings-320', 400)])
  const uploaded = await owner.upload(Uint8Array.from(file), { name: 'IMG_4374.jpg' })
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(logo)], { type: 'image/jpeg' }), 'logo.jpg')
  await owner.call('POST', '/upload-logo', { body: form })
  photo = await vi.waitUntil(
    async () => {
      const now = (await (await owner.call('GET', `/photos/${uploaded?.id}`)).json()) as Photo // what the contract says
      return now.processing_complete && now
    },
    { timeout: waitLimitMs, interval: 100 },
  )
  page = await server.newPage({ visitor: owner })
  page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''))
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  folder = await mkdtemp(join(tmpdir(), 'keepsnap-print-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const open = async (): Promise<void> => {
  await page.goto(`/print?photo=${photo.id}`)
  await preview().waitFor()
}
const preview = () => page.getByRole('region', { name: 'Preview' }).getByRole('img')
const choose = (format: string) =>
  page
    .getByRole('radio', { name: `${format} A` })
    .and(page.locator('input'))
    .first()
    .check()

async function addWifi(): Promise<void> {
  await page.getByRole('checkbox', { name: 'Wi-Fi code' }).check()
  await page.getByLabel('Network name').fill(network)
  await page.getByLabel('Password').fill(password)
}

async function savedPdf(): Promise<{ download: Download; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PDF', exact: true }).click(),
  ])
  return { download, bytes: await readFile(await download.path()) }
}

/** Small grey pictures of what was read, by name. */
const pictures = new Map<string, Buffer>()

/** How different two prints are, on average over all pixels, of 255. */
function difference(one: string, other: string): number {
  const [a, b] = [pictures.get(one), pictures.get(other)]
  if (!a || !b || a.length !== b.length) throw new Error('the pictures have different sizes')
  return a.reduce((sum, grey, at) => sum + Math.abs(grey - (b[at] ?? 0)), 0) / a.length
}

/** What zbar reads on the only page of a PDF, printed at 150 dpi, and the size of that page in millimetres. */
async function readPdf(bytes: Buffer, name: string) {
  const { png, ...read } = await readPrint(bytes, join(folder, `${name}.pdf`))
  pictures.set(name, await sharp(png).greyscale().resize(200).raw().toBuffer())
  return read
}

const sizes = { 'Table card': [105, 148], 'Four table cards on one sheet': [210, 297], Poster: [210, 297] }
const formats = Object.entries(sizes)
/** Paper is white in both themes: the record run checks each format in both, otherwise each is checked in one. */
const themesOf = (format: string): ('light' | 'dark')[] =>
  isRecord ? ['light', 'dark'] : [format === 'Poster' ? 'dark' : 'light']
/** Without the record run, one format is compared with what the print dialog prints. */
const isCompared = (format: string): boolean => isRecord || format === 'Table card'
const nameOf = (format: string, what: string) => `${format.split(' ')[0]?.toLowerCase()}-${what}`.replaceAll(' ', '-')

describe.each(formats)('%s', (format, size) => {
  test.each(themesOf(format))('its codes can be read from paper, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await open()
    await choose(format)
    const plainBytes = isCompared(format) && (await savedPdf()).bytes

    await page.getByLabel('Your line').fill(longLine)
    await page.getByLabel('Second language').selectOption('Deutsch')
    await addWifi()
    const { facts, ...full } = await readPdf((await savedPdf()).bytes, nameOf(format, `full-${colorScheme}`))
    const direct = expect.stringMatching(`^${server.address}/d/`)
    expect(full).toEqual({ size, pages: 1, codes: [wifiText, direct] })
    expect(facts).toMatch(/Title: +(Table card|Four table cards on one sheet|Poster)\n/)
    expect(facts).not.toContain(owner.email)
    if (!plainBytes) return

    const { facts: _plain, ...plain } = await readPdf(plainBytes, nameOf(format, `plain-${colorScheme}`))
    expect(plain).toEqual({ size, pages: 1, codes: [direct] })
    const { facts: _, ...dialog } = await readPdf(
      await page.pdf({ preferCSSPageSize: true, printBackground: true }),
      nameOf(format, `dialog-${colorScheme}`),
    )
    expect(dialog).toEqual({ size, pages: 1, codes: [wifiText, direct] })
    // The same drawing: edges are drawn differently, nothing is elsewhere.
    const other = nameOf(format, `dialog-${colorScheme}`)
    expect(difference(nameOf(format, `full-${colorScheme}`), other)).toBeLessThan(7)
    expect(difference(nameOf(format, `plain-${colorScheme}`), other)).toBeGreaterThan(12)
  })
})

test('the code follows the setting, and the file is named after the photo', async () => {
  await owner.call('PUT', '/user/settings', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ask_email_to_receive_photo: true }),
  })
  await open()
  const { download, bytes } = await savedPdf()
  expect(download.suggestedFilename()).toBe('keepsnap-card-IMG_4374.pdf')
  expect((await readPdf(bytes, 'by-email')).codes).toEqual([`${server.address}/request-photo/${photo.id}`])
})

test('the page is accessible', async () => {
  await open()
  await addWifi()
  expect(await accessibilityProblems(page, { screenshotName: 'Print', differsOnDesktop: true })).toEqual([])
})

test('the Wi-Fi password leaves neither the page nor remains in the browser', async () => {
  await open()
  await addWifi()
  await savedPdf()
  const everything = [
    ...sent,
    page.url(),
    await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])),
  ]
  expect(sent.length).toBeGreaterThan(20)
  const parts = [password, network, encodeURIComponent(password), encodeURIComponent(network), 'a;b,c', 'Ter\\\\Worm']
  expect(everything.filter((text) => parts.some((part) => text.includes(part)))).toEqual([])
  await page.reload()
  await page.getByRole('checkbox', { name: 'Wi-Fi code' }).check()
  expect(await page.getByLabel('Password').inputValue()).toBe('')
  expect(server.pageErrors).toEqual([])
})

test('what no font of the device draws is left out, with a sentence that says so', async () => {
  await open()
  // For private use: there is no device that draws it.
  const undrawn = '\u{10fff0}'
  await page.getByLabel('Your line').fill(`Lotte ${undrawn} & Bram`)
  await page.getByText(`This device can’t draw “${undrawn}”`).waitFor()
  expect(await preview().textContent()).toContain('Lotte & Bram')
  await addWifi()
  await page.getByLabel('Network name').fill(`Zaal ${undrawn}`)
  await page.getByText('This device can’t draw every character of this name').waitFor()
  expect(await preview().textContent()).not.toContain('Zaal')
  const { codes } = await readPdf((await savedPdf()).bytes, 'undrawn')
  expect(codes).toContain(`WIFI:T:WPA;S:Zaal ${undrawn};P:${String.raw`a\;b\,c\:d\"e\\f'g $%&12`};;`)
})
