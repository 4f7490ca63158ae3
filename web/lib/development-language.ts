import { isLanguage } from '@keepsnap/contract/languages.ts'
import { type Catalogue, en } from '../messages/en.ts'
import { createFormat } from './format.ts'
import type { LocaleData } from './i18n.tsx'

const accents: Record<string, string> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ö',
  u: 'ü',
  c: 'ç',
  n: 'ñ',
  y: 'ÿ',
  A: 'Å',
  E: 'É',
  O: 'Ø',
}

/** Pseudolocalization: accents, brackets around the text, 40 percent longer. */
function pseudoText(text: string): string {
  if (text === '') return ''
  const accented = text.replace(/[aeioucnyAEO]/g, (character) => accents[character] ?? character)
  const fillerText = 'óne twö thréé föür fívé síx séven eíght '
    .repeat(8)
    .slice(0, Math.ceil(text.length * 0.4))
    .trim()
  return `⟦${accented} ${fillerText}⟧`
}

/** A catalogue whose sentences are recognizable as translated. For tests and development. */
export const pseudoCatalogue = (catalogue: Catalogue): Catalogue => pseudoValue(catalogue) as Catalogue // same keys and types

function pseudoValue(value: unknown): unknown {
  if (value === null) return null
  if (typeof value === 'string') return pseudoText(value)
  if (typeof value === 'function') return (...values: unknown[]) => pseudoValue(value(...values))
  if (Array.isArray(value)) return value.map(pseudoValue)
  return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, pseudoValue(part)])) // only objects remain
}

const translations = import.meta.glob<Partial<Catalogue>>(['../messages/*/*.ts', '!../messages/en/*'])

/** The language of `?locale=nl` or `?locale=pseudo` with `npm run dev`, which is built in English only; otherwise null. */
export async function developmentLanguage(page: Window): Promise<LocaleData | null> {
  const tag = new URLSearchParams(page.location.search).get('locale')
  if (tag === 'pseudo') return { tag: 'en-x-pseudo', text: pseudoCatalogue(en), format: createFormat('en') }
  if (!isLanguage(tag)) return null
  const files = Object.entries(translations).filter(([path]) => path.includes(`/${tag}/`))
  const parts = await Promise.all(files.map(([, load]) => load()))
  page.document.documentElement.lang = tag
  return { tag, text: Object.assign({}, en, ...parts), format: createFormat(tag) }
}
