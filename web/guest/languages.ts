import { languages, type Language } from '@keepsnap/contract/languages.ts'
import { createFormat } from '../lib/format.ts'
import type { ShownLanguage } from '../lib/i18n.tsx'
import { catalogueIn } from '../messages/catalogues.ts'

const shown = (tag: Language): ShownLanguage => ({ tag, text: catalogueIn(tag), format: createFormat(tag) })

/** Every language with all of its sentences. */
export const shownLanguages = Object.fromEntries(languages.map((tag) => [tag, shown(tag)])) as Record<
  Language,
  ShownLanguage
> // the entries are those of the type
