import type { Catalogue } from '../messages/en.ts'
import { createFormat, type Format } from './format.ts'

/** A language of the app: its catalogue, and its formats of numbers and times. */
export interface Language {
  /** BCP 47, for the `lang` attribute. */
  tag: string
  /** Null for English: components import its messages. */
  text: Catalogue | null
  format: Format
}

/** Loaders of the catalogues by language. */
const catalogues: Record<string, () => Promise<Catalogue | null>> = { en: () => Promise.resolve(null) }

/** The first preferred language that has a catalogue, with the formats of the preferred variant. */
export async function languageFor(preferred: readonly string[]): Promise<Language> {
  for (const tag of preferred) {
    const baseLanguage = tag.toLowerCase().split('-')[0] ?? ''
    const loadCatalogue = catalogues[baseLanguage]
    if (loadCatalogue) return { tag: baseLanguage, text: await loadCatalogue(), format: createFormat(tag) }
  }
  return { tag: 'en', text: null, format: createFormat('en') }
}
