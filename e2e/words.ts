import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { defaultLanguage, type Language } from '@keepsnap/contract/languages.ts'
import { planIds, plans } from '@keepsnap/contract/plans.ts'

const folder = join(import.meta.dirname, '../web/messages')
/** Names that are the same in every language. */
const names = new Set<string>([...planIds.map((id) => plans[id].name), 'Keepsnap', 'API', 'Pro'])
/** Words of English that are words in none of the other languages. */
const englishWords =
  /\b(the|and|you|your|this|that|with|from|have|they|are|it[’']s|don[’']t|can[’']t|(mon|tues|wednes|thurs|fri|satur|sun)day)\b/i
/** What a value that is missing or none looks like. */
const brokenValue = /\bNaN\b|Invalid Date|\[object /
/** What stands for the values in a sentence with values. */
const gap = 7

/** All sentences of a catalogue; of sentences with values, the parts between them. */
function sentencesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') {
    try {
      const made: unknown = Reflect.apply(value, undefined, [gap, gap, gap, gap])
      return sentencesIn(made).flatMap((text) => text.split(String(gap)))
    } catch {
      // It takes more than numbers. Its translation is recognized by `englishWords`.
      return []
    }
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesIn) : []
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

async function catalogue(language: Language): Promise<Set<string>> {
  const files = (await readdir(join(folder, language))).filter((name) => name.endsWith('.ts'))
  const parts = await Promise.all(files.map((name) => import(join(folder, language, name)) as Promise<object>)) // a module
  return new Set(parts.flatMap(sentencesIn).map(plain).filter(Boolean))
}

/** What a page shows and says to screen readers, apart from what its users wrote, code, and parts in a stated language. */
const wordsOn = (page: Page, isMainEnglish: boolean): Promise<string[]> =>
  page.evaluate((isMainLeftOut) => {
    const leftOut = `script, style, noscript, code, pre, [translate=no]:not(time), [lang]:not(html)${isMainLeftOut ? ', main' : ''}`
    const texts: string[] = []
    for (const element of document.querySelectorAll('body *')) {
      if (element.closest(leftOut) || !element.checkVisibility()) continue
      for (const node of element.childNodes) if (node instanceof Text) texts.push(node.data)
      for (const name of ['placeholder', 'aria-label', 'alt', 'title']) texts.push(element.getAttribute(name) ?? '')
    }
    return [document.title, ...texts]
  }, isMainEnglish)

/** Says whether a text is in English where it should be in another language. */
export async function englishFinder(language: Language): Promise<(text: string) => boolean> {
  const [english, translated] = await Promise.all([catalogue(defaultLanguage), catalogue(language)])
  // A word such as Logo is the same in both.
  const onlyEnglish = english.difference(translated).difference(names)
  const longer = [...onlyEnglish].filter((text) => text.split(' ').length > 2)
  return (text) =>
    onlyEnglish.has(text) || englishWords.test(text) || longer.some((sentence) => text.includes(sentence))
}

/** Finds values that could not be written, and English sentences on pages in another language. */
export async function wordChecker(
  language: Language,
): Promise<(page: Page, isMainEnglish: boolean) => Promise<string[]>> {
  const isDefault = language === defaultLanguage
  const isEnglish = await englishFinder(language)
  return async (page, isMainEnglish) => {
    const texts = [...new Set((await wordsOn(page, isMainEnglish)).map(plain))]
    const untranslated = isDefault ? [] : texts.filter(isEnglish)
    const lines = (await page.locator('body').innerText()).split('\n')
    return [
      ...untranslated.map((text) => `in English: "${text.slice(0, 80)}"`),
      ...lines.filter((line) => brokenValue.test(line)).map((line) => `says "${plain(line).slice(0, 80)}"`),
    ]
  }
}
