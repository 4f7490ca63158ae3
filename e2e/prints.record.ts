import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageCookie, type Language } from '@keepsnap/contract/languages.ts'
import type { printKit } from '../web/messages/en/print-kit.ts'
import { printKit as de } from '../web/messages/de/print-kit.ts'
import { printKit as fr } from '../web/messages/fr/print-kit.ts'
import { printKit as nl } from '../web/messages/nl/print-kit.ts'
import { sampleJpeg } from './pictures.ts'
import { readPrint } from './read-print.ts'
import { layoutProblems } from './screens/layout-problems.ts'
import { startTestServer, type DedicatedServer } from './test-server.ts'
import type { Visitor } from './visitor.ts'

const folder = join(import.meta.dirname, '../test-results/prints')
const catalogues: Partial<Record<Language, typeof printKit>> = { nl, fr, de }
/** What owners and networks may be called: long, wide, in other scripts, with emojis. */
const cases = {
  emoji: ['Lotte ❤ & Bram ☺ — vandaag is het feest 🎉 in de Klaproos ☕', 'Café ☕;,:"\\'],
  arabic: ['حفل زفاف ليلى ويوسف، ١٤ نوفمبر، أهلا وسهلا بكم جميعا', 'قاعة الورد'],
  hebrew: ['החתונה של נועה ודניאל, 14 בנובמבר, ברוכים הבאים', 'אולם;1'],
  chinese: [
    '佐藤花子と鈴木太郎の結婚披露宴へようこそ、十一月十四日、東京の花園にて、写真をお持ち帰りください',
    '花園,"2"',
  ],
  wide: ['W'.repeat(60), 'W'.repeat(32)],
  mixed: ['Lotte & ليلى, 花 14/11, Donaudampfschifffahrtsgesellschaft', ';;;;:::,,,"""\\\\\\'],
} as const
const password = 'a;b,c:d"e\\f\'g $%&12'
const escaped = (text: string): string => text.replaceAll(/[\\;,:"]/g, String.raw`\$&`)

let server: DedicatedServer
let owner: Visitor
let photoId: string
beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  server = await startTestServer()
  owner = await server.newUser({ plan: 'pro_monthly' })
  const photo = await owner.upload(Uint8Array.from(await sampleJpeg('dance-1200', 1500)), { name: 'IMG_4374.jpg' })
  photoId = photo?.id ?? ''
}, 120_000)
afterAll(() => server?.close())

async function fill(page: Page, text: typeof printKit, [line, network]: readonly [string, string]): Promise<void> {
  await page.getByLabel(text.line.label).fill(line)
  await page.getByRole('checkbox', { name: text.wifi.label }).check()
  await page.getByLabel(text.wifi.network).fill(network)
  await page.getByLabel(text.wifi.password).fill(password)
}

describe.each(Object.entries(catalogues))('in %s', (language, text) => {
  let page: Page
  beforeAll(async () => {
    page = await server.newPage({ visitor: owner, isIsolated: true })
    await page.context().addCookies([{ name: languageCookie, value: language, url: server.address }])
  })

  test.each(Object.entries(cases))(
    'codes are read from prints with a line that is %s, and the page holds it',
    { timeout: 300_000 },
    async (name, words) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`/print?photo=${photoId}`)
      const preview = page.getByRole('region', { name: text.preview.label }).getByRole('img')
      await preview.waitFor({ timeout: 60_000 })
      await fill(page, text, words)
      const problems: string[] = []
      const wifi = `WIFI:T:WPA;S:${escaped(words[1])};P:${escaped(password)};;`
      for (const [format, radio] of [
        ['card', text.formats.card],
        ['poster', text.formats.poster],
      ] as const) {
        await page.getByRole('radio', { name: radio }).and(page.locator('input')).first().check()
        const base = join(folder, `${language}-${name}-${format}`)
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: text.actions.pdf, exact: true }).click(),
        ])
        const pdf = await readFile(await download.path())
        for (const [way, bytes] of [
          ['pdf', pdf],
          ['dialog', await page.pdf({ preferCSSPageSize: true, printBackground: true })],
        ] as const) {
          const { png, codes, pages } = await readPrint(bytes, `${base}-${way}.pdf`)
          await writeFile(`${base}-${way}.png`, png)
          if (pages !== 1) problems.push(`${format} ${way} has ${pages} pages`)
          if (!codes.includes(wifi)) problems.push(`${format} ${way} lacks the code of the network: ${codes.join()}`)
          if (codes.length !== 2) problems.push(`${format} ${way} has ${codes.length} codes that can be read`)
        }
      }
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        problems.push(...(await layoutProblems(page)).map((problem) => `${width}: ${problem}`))
        await page.screenshot({ path: join(folder, `${language}-${name}-page-${width}.png`), fullPage: true })
      }
      expect(problems).toEqual([])
    },
  )
})
