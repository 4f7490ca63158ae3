import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { EventCode } from '@keepsnap/contract/event-guests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRecord } from '@keepsnap/server/test/statistics.ts'
import { button } from './browser.ts'
import { keepPicture, readPrint, sampleJpeg } from './pictures.ts'
import { useSharedServer } from './use-shared-server.ts'

let folder: string
/** Over plain HTTP and a host name that is not loopback: browsers offer less there. Its length makes large codes. */
const server = useSharedServer({ hasLongName: true })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsnap-print-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const wifiPassword = 'a;b,c:d"e\\f\'g $%&12'
const escaped = (text: string): string => text.replaceAll(/[\\;,:"]/g, String.raw`\$&`)
const wifiText = (network: string): string => `WIFI:T:WPA;S:${escaped(network)};P:${escaped(wifiPassword)};;`
const network = 'Zaal "Ter\\Worm"; café, ☕:1'
/** What owners and networks may be called: long, wide, in other scripts, with emojis. */
const names: Record<string, [line: string, network: string]> = {
  long: ['Charlotte & Maximiliaan 👰🏽‍♀️🤵 – gemeenschapshuis de Klaproos, Aa', network],
  arabic: ['حفل زفاف ليلى ويوسف، ١٤ نوفمبر، أهلا وسهلا بكم جميعا', 'قاعة الورد'],
  hebrew: ['החתונה של נועה ודניאל, 14 בנובמבר, ברוכים הבאים', 'אולם;1'],
  chinese: [
    '佐藤花子と鈴木太郎の結婚披露宴へようこそ、十一月十四日、東京の花園にて、写真をお持ち帰りください',
    '花園,"2"',
  ],
  wide: ['W'.repeat(60), 'W'.repeat(32)],
}
const formats = { 'Table card': [105, 148], 'Four table cards on one sheet': [210, 297], Poster: [210, 297] }
/** The sheet has four table cards; the record run prints it, too, and all names. */
const printed = Object.entries(formats).filter(([format]) => isRecord || !format.startsWith('Four'))

test('codes can be read from paper in every format, as a PDF and by the dialog, and the Wi-Fi password leaves no trace', async () => {
  const owner = await server.newUser({ plan: 'pro_monthly' })
  const photo = await owner.addPhoto(await sampleJpeg('dance-1200', 1200), 'IMG_4374.jpg')
  await owner.addBrand('/upload-logo', await sampleJpeg('rings-320', 400))
  const page = await server.newPage({ visitor: owner })
  /** What left the browser: URLs and bodies. */
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''))
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  await page.goto(`/print?photo=${photo.id}`)
  const preview = page.getByRole('region', { name: 'Preview' }).getByRole('img')
  await preview.waitFor()
  await page.getByRole('checkbox', { name: 'Wi-Fi code' }).check()
  await page.getByLabel('Network name').fill(network)
  await page.getByLabel('Password').fill(wifiPassword)
  await page.getByLabel('Second language').selectOption('Deutsch')

  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'PDF').click()])
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }
  const direct = expect.stringMatching(/^http.*\/d\//)
  for (const [name, [line, ssid]] of Object.entries(names).slice(0, isRecord ? undefined : 1)) {
    await page.getByLabel('Your line').fill(line)
    await page.getByLabel('Network name').fill(ssid)
    for (const [format, size] of printed) {
      const radio = page.getByRole('radio', { name: `${format} A` })
      await radio.and(page.locator('input')).first().check()
      const saved = await save()
      const file = join(folder, 'print.pdf')
      const { png, facts, ...read } = await readPrint(saved.bytes, file)
      await keepPicture(`prints/${name}-${format}`, async () => png)
      expect(read).toEqual({ size, pages: 1, codes: [wifiText(ssid), direct] })
      expect(facts).toMatch(/Title: +(Table card|Four table cards on one sheet|Poster)\n/)
      expect(facts).not.toContain(owner.email)
      if (format !== 'Table card') continue
      expect(saved.name).toBe('keepsnap-card-IMG_4374.pdf')
      // The dialog prints the same drawing: edges are drawn differently, nothing is elsewhere.
      const dialog = await readPrint(await page.pdf({ preferCSSPageSize: true, printBackground: true }), file)
      expect([dialog.size, dialog.pages, dialog.codes]).toEqual([size, 1, read.codes])
      expect(await difference(png, dialog.png)).toBeLessThan(7)
    }
  }

  // For private use: there is no device that draws it.
  const undrawn = '\u{10fff0}'
  await page.getByLabel('Your line').fill(`Lotte ${undrawn} & Bram`)
  await page.getByText(`This device can’t draw “${undrawn}”`).waitFor()
  expect(await preview.textContent()).toContain('Lotte & Bram')
  await page.getByLabel('Network name').fill(`Zaal ${undrawn}`)
  await page.getByText('This device can’t draw every character of this name').waitFor()
  expect(await preview.textContent()).not.toContain('Zaal')

  const stored = () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])
  expect(sent.length).toBeGreaterThan(20)
  const parts = [
    wifiPassword,
    network,
    encodeURIComponent(wifiPassword),
    encodeURIComponent(network),
    'a;b,c',
    'Ter\\\\Worm',
  ]
  const everything = [...sent, page.url(), await page.evaluate(stored)]
  expect(everything.filter((text) => parts.some((part) => text.includes(part)))).toEqual([])
  await page.reload()
  await page.getByRole('checkbox', { name: 'Wi-Fi code' }).check()
  expect(await page.getByLabel('Password').inputValue()).toBe('')
  expect(server.pageErrors).toEqual([])
})

/** How different two prints are, on average over all pixels of small pictures of them, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const small = (png: Buffer) => sharp(png).greyscale().resize(100).raw().toBuffer()
  const [a, b] = await Promise.all([small(one), small(other)])
  if (a.length !== b.length) throw new Error('the pictures have different sizes')
  return a.reduce((sum, grey, at) => sum + Math.abs(grey - b[at]!), 0) / a.length // of the same length
}

test('codes of an event and of its tables can be read from paper, beside that of the Wi-Fi', async () => {
  const owner = await server.newUser()
  const made = await owner.send('POST', '/user/events', { name: 'Lotte & Bram', gallery: 'link' })
  const event = (await made.json()) as Event // what the contract says
  const path = `/user/events/${event.id}/codes`
  const answer = await owner.send('POST', path, { kind: 'table', labels: ['Table 7'] })
  const { codes } = (await answer.json()) as { codes: EventCode[] } // what the contract says
  const page = await server.newPage({ visitor: owner })
  await page.goto(`/print?event=${event.id}`)
  const preview = page.getByRole('region', { name: 'Preview' }).getByRole('img')
  await preview.waitFor()
  const file = join(folder, 'event.pdf')
  const codesOnPaper = async () => {
    const { png, codes: read } = await readPrint(
      await page.pdf({ preferCSSPageSize: true, printBackground: true }),
      file,
    )
    await keepPicture('prints/event', async () => png)
    return read
  }
  expect(await codesOnPaper()).toEqual([event.url])
  await page.getByLabel('Code', { exact: true }).selectOption('Table 7')
  await page.getByRole('checkbox', { name: 'Wi-Fi code' }).check()
  await page.getByLabel('Network name').fill(network)
  await page.getByLabel('Password').fill(wifiPassword)
  await expect.poll(() => preview.textContent()).toContain('Table 7')
  expect((await codesOnPaper()).toSorted()).toEqual([wifiText(network), codes[1]!.url].toSorted())
})
