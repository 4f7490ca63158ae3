import { languages, type Language } from '@keepsnap/contract/languages.ts'
import { createFormat } from '../lib/format.ts'
import type { ShownLanguage } from '../lib/i18n.tsx'
import { en, type Catalogue } from '../messages/en.ts'

const translations = import.meta.glob<Partial<Catalogue>>(['../messages/*/*.ts', '!../messages/en/*.ts'], {
  eager: true,
})

function shownLanguage(tag: Language): ShownLanguage {
  const parts = Object.entries(translations).filter(([path]) => path.includes(`/${tag}/`))
  const text: Catalogue = Object.assign({}, en, ...parts.map(([, part]) => part))
  return { tag, text, format: createFormat(tag) }
}

/** Every language with all of its sentences; parts without a translation are in English. */
export const shownLanguages = Object.fromEntries(languages.map((tag) => [tag, shownLanguage(tag)])) as Record<
  Language,
  ShownLanguage
> // the entries are those of the type
