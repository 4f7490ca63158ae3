import type { Catalogue } from '../messages/en.ts'
import { createFormat, type Format } from './format.ts'

/** One language as the app uses it: its sentences, and how it writes numbers and times. */
export interface Language {
  /** BCP 47, for the `lang` attribute. */
  tag: string
  /** Null for English: its sentences come with the components. */
  text: Catalogue | null
  format: Format
}

/** Catalogues by language; one is loaded when somebody reads it. */
const catalogues: Record<string, () => Promise<Catalogue | null>> = { en: () => Promise.resolve(null) }

/** The first of the reader's languages that has a catalogue; numbers and times in the reader's own variant of it. */
export async function languageFor(wanted: readonly string[]): Promise<Language> {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0] ?? ''
    const load = catalogues[base]
    if (load) return { tag: base, text: await load(), format: createFormat(tag) }
  }
  return { tag: 'en', text: null, format: createFormat('en') }
}
