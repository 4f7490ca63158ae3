import font from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2'
import type { Language } from '@keepsnap/contract/languages.ts'
import { createFormat } from '../lib/format.ts'
import { en, type Catalogue } from '../messages/en.ts'
import { createWebPageRenderer, type RenderedLanguage } from './renderer.tsx'

/** The translations, by file: each exports its part of the catalogue. */
const translations = import.meta.glob<Partial<Catalogue>>('../messages/{nl,fr,de}/*.ts', { eager: true })

/** A language with all sentences; parts without a translation are in English, as in the app. */
function rendered(tag: Language): RenderedLanguage {
  const files = Object.entries(translations).filter(([path]) => path.includes(`/messages/${tag}/`))
  const text = Object.assign({}, en, ...files.map(([, parts]) => parts)) as Catalogue // the type of each translated part
  return { tag, text, format: createFormat(tag === 'en' ? 'en-GB' : tag) }
}

/** The `WebPageRenderer` that `server/http/web-page-renderer.ts` loads. */
export const { renderWebPage, publicPages, pagePreview, appManifestTexts, previewFont } = createWebPageRenderer({
  languages: { en: rendered('en'), nl: rendered('nl'), fr: rendered('fr'), de: rendered('de') },
  previewFont: font,
})
