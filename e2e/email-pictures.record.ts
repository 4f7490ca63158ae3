import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmailContext } from '@keepsnap/contract/guest.ts'
import { defaultLanguage, languages, type Language } from '@keepsnap/contract/languages.ts'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { contextIn, samplePictures, sampleRenderer, samplesIn, withPictures } from '../scripts/email-samples.ts'
import { openBrowser } from './browser.ts'
import { layoutProblems } from './screens/layout-problems.ts'
import { englishFinder, wordChecker } from './screens/words.ts'

const folder = join(import.meta.dirname, '../test-results/emails')
const widths = [390, 700]
const themes = ['light', 'dark'] as const
/** About as much as mail programs show, in characters. */
const longest = { subject: 90, preview: 140 }
/** RFC 5321: octets of a line. */
const longestLine = 998

/** KEEPSNAP_SCREENS=de/usage looks at some emails only, like the stage `screens`. */
const [wantedLanguage = '', wantedName = ''] = (process.env['KEEPSNAP_SCREENS'] ?? '/').split('/')

interface Rendered {
  subject: string
  html: string
  text: string
}

const renderer = await sampleRenderer()
const pictures = await samplePictures()

test.each(languages.filter((language) => language.includes(wantedLanguage)))(
  'every email in %s: nothing is cut off, in another language, or missing in plain text',
  { timeout: 900_000 },
  async (language) => {
    const page = await (await openBrowser()).newPage()
    const problemsIn = await examiner(page, language)
    const problems: string[] = []
    const taken = new Map<string, Buffer[]>()
    const wanted = samplesIn(language).filter(({ name }) => name.includes(wantedName))
    for (const { name, email } of wanted) {
      const rendered = renderer.renderEmail(email, contextIn(language))
      await page.setContent(withPictures(rendered.html, pictures))
      const found = await problemsIn(rendered)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 844 })
        found.push(...(await layoutProblems(page)).map((problem) => `${width}: ${problem}`))
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme })
          const picture = await page.screenshot({ fullPage: true, animations: 'disabled' })
          const look = `${width}-${colorScheme}`
          await save(picture, join(language, look, `${name}.png`))
          taken.set(look, [...(taken.get(look) ?? []), picture])
        }
      }
      problems.push(...new Set(found.map((problem) => `${name}: ${problem}`)))
    }
    for (const [look, all] of taken) await saveSheets(all, `${language}-${look}`)
    await page.close()
    console.log(`emails: ${language}: ${wanted.length} emails, ${widths.length * themes.length} pictures of each`)
    expect(problems).toEqual([])
  },
)

/** What is wrong with an email that the page shows, apart from its layout. */
async function examiner(page: Page, language: Language): Promise<(rendered: Rendered) => Promise<string[]>> {
  const wordProblems = await wordChecker(language)
  const isEnglish = await englishFinder(language)
  return async (rendered) => [
    ...textProblems(rendered, contextIn(language)),
    ...(await htmlProblems(page, language, rendered)),
    ...(await wordProblems(page, false)),
    ...(language === defaultLanguage ? [] : rendered.text.split('\n').filter(isEnglish)).map(
      (line) => `in English in plain text: "${line}"`,
    ),
  ]
}

function textProblems({ subject, text }: Rendered, { operator }: EmailContext): string[] {
  const lines = text.trim().split('\n')
  return [
    lines.length < 6 && 'has no plain text',
    !lines.includes(operator.email) && 'does not name the operator in plain text',
    /<[a-z]+[ >]|&[a-z]+;|undefined|\[object/i.test(text) && 'has markup in its plain text',
    lines.some((line) => Buffer.byteLength(line) > longestLine) && 'has a line that is too long for SMTP',
    subject.length > longest.subject && `has a subject of ${subject.length} characters`,
  ].filter((problem) => problem !== false)
}

const plain = (text: string): string => text.replaceAll(/[>\s]+/g, ' ').trim()

/** Whether the page says what the plain text says. */
async function htmlProblems(page: Page, language: Language, { text }: Rendered): Promise<string[]> {
  const { lang, preview, sentences, broken } = await page.evaluate(() => {
    const texts = Array.from(document.querySelectorAll('h1, p, .ink2 a'), (part) => part.textContent ?? '')
    const url = document.querySelector('.on-action')?.getAttribute('href')
    return {
      lang: document.documentElement.lang,
      preview: document.querySelector('body > div')?.textContent ?? '',
      // The sentence before the address is about the button, which plain text has not.
      sentences: texts.filter((_, n) => url === null || texts[n + 1] !== url),
      broken: Array.from(document.images).filter((image) => image.naturalWidth === 0).length,
    }
  })
  const missing = sentences.map(plain).filter((sentence) => !plain(text).includes(sentence))
  return [
    lang !== language && `lang is ${lang}`,
    (preview === '' || preview.length > longest.preview) && `has a preview of ${preview.length} characters`,
    broken > 0 && `${broken} pictures are missing`,
    ...missing.map((sentence) => `plain text lacks "${sentence.slice(0, 60)}"`),
  ].filter((problem) => problem !== false)
}

async function save(picture: Buffer, file: string): Promise<void> {
  const path = join(folder, file)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, picture)
}

const columns = 5
const perSheet = 2 * columns

/** Ten emails on one picture, to look at. */
async function saveSheets(all: readonly Buffer[], name: string): Promise<void> {
  for (let first = 0; first < all.length; first += perSheet) {
    const shown = all.slice(first, first + perSheet)
    const sizes = await Promise.all(shown.map((picture) => sharp(picture).metadata()))
    const heightOf = (row: typeof sizes): number => Math.max(0, ...row.map(({ height }) => height))
    const [width, upper] = [sizes[0]?.width ?? 1, heightOf(sizes.slice(0, columns))]
    const sheet = { width: width * columns, height: upper + heightOf(sizes.slice(columns)) }
    const png = await sharp({ create: { ...sheet, channels: 3, background: '#808080' } })
      .composite(shown.map((input, n) => ({ input, left: (n % columns) * width, top: n < columns ? 0 : upper })))
      .png({ palette: true })
      .toBuffer()
    await save(png, `sheet-${name}-${first / perSheet + 1}.png`)
  }
}
