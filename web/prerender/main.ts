import font from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2'
import type { Language } from '@keepsnap/contract/languages.ts'
import { createFormat } from '../lib/format.ts'
import { catalogueIn } from '../messages/catalogues.ts'
import { createWebPageRenderer, type RenderedLanguage } from './renderer.tsx'

const rendered = (tag: Language): RenderedLanguage => ({
  tag,
  text: catalogueIn(tag),
  format: createFormat(tag === 'en' ? 'en-GB' : tag),
})

/** The `WebPageRenderer` that `server/http/web-page-renderer.ts` loads. */
export const { renderWebPage, publicPages, pageVersions, pagePreview, appManifestTexts, previewFont } =
  createWebPageRenderer({
    languages: { en: rendered('en'), nl: rendered('nl'), fr: rendered('fr'), de: rendered('de') },
    previewFont: font,
  })
