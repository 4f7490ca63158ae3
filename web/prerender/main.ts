import font from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2'
import type { Language } from '@keepsnap/contract/languages.ts'
import { createFormat } from '../lib/format.ts'
import { catalogueIn } from '../messages/catalogues.ts'
import { createWebPageRenderer } from './renderer.tsx'

const localeDataOf = (tag: Language) => ({
  tag,
  text: catalogueIn(tag),
  format: createFormat(tag === 'en' ? 'en-GB' : tag),
})

/** The `WebPageRenderer` that `server/platform/http/pages.ts` loads. */
export const { renderWebPage, publicPages, pageVersions, pagePreview, appManifestTexts, previewFont } =
  createWebPageRenderer({
    languages: { en: localeDataOf('en'), nl: localeDataOf('nl'), fr: localeDataOf('fr'), de: localeDataOf('de') },
    previewFont: font,
  })
