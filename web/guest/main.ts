import fontPath from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2'
import { type Language, languages } from '@keepsnap/contract/languages.ts'
import { createFormat } from '../lib/format.ts'
import type { LocaleData } from '../lib/i18n.tsx'
import { catalogueIn } from '../messages/catalogues.ts'
import checkoutStyle from './demo-checkout.css?inline'
import style from './guest.css?inline'
import { createGuestRenderer } from './renderer.tsx'

const localeDataOf = (tag: Language): LocaleData => ({ tag, text: catalogueIn(tag), format: createFormat(tag) })

/** Every language with all of its sentences. */
const localeDataByLanguage = Object.fromEntries(languages.map((tag) => [tag, localeDataOf(tag)])) as Record<
  Language,
  LocaleData
> // the entries are those of the type

/** The `GuestRenderer` that `server/platform/http/pages.ts` loads. */
export const { renderGuestPage, renderEmail, translateCsv, inlineStyles, checkoutStyles, inlineScripts } =
  createGuestRenderer({
    style,
    checkoutStyle,
    script: GUEST_SCRIPT,
    fontPath,
    localeDataByLanguage,
  })
