import type { Language } from '@keepsnap/contract/languages.ts'
import { en, type Catalogue } from './en.ts'

/** The translations, by file: each exports its part of the catalogue. */
const translations = import.meta.glob<Partial<Catalogue>>('./{nl,fr,de}/*.ts', { eager: true })

/** All sentences in a language; untranslated parts are in English, as in the app. For server rendering and tests. */
export function catalogueIn(language: Language): Catalogue {
  const files = Object.entries(translations).filter(([path]) => path.startsWith(`./${language}/`))
  return Object.assign({}, en, ...files.map(([, parts]) => parts)) as Catalogue // the type of each translated part
}
