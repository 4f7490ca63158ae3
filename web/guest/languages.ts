import { languages, type Language } from '@keepsnap/contract/languages.ts'
import { createFormat } from '../lib/format.ts'
import type { LocaleData } from '../lib/i18n.tsx'
import { catalogueIn } from '../messages/catalogues.ts'

const localeDataOf = (tag: Language): LocaleData => ({ tag, text: catalogueIn(tag), format: createFormat(tag) })

/** Every language with all of its sentences. */
export const localeDataByLanguage = Object.fromEntries(languages.map((tag) => [tag, localeDataOf(tag)])) as Record<
  Language,
  LocaleData
> // the entries are those of the type
