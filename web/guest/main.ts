import fontPath from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2'
import checkoutStyle from './demo-checkout.css?inline'
import style from './guest.css?inline'
import { localeDataByLanguage } from './languages.ts'
import { createGuestRenderer } from './renderer.tsx'

/** The `GuestRenderer` that `server/http/guest-pages.ts` loads. */
export const { renderGuestPage, renderEmail, translateCsv, inlineStyles, checkoutStyles, inlineScripts } =
  createGuestRenderer({
    style,
    checkoutStyle,
    script: GUEST_SCRIPT,
    fontPath,
    localeDataByLanguage,
  })
