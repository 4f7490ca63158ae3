import fontPath from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2'
import { createFormat } from '../lib/format.ts'
import { catalogueIn } from '../messages/catalogues.ts'
import addStyle from './add-photos.css?inline'
import checkoutStyle from './demo-checkout.css?inline'
import style from './guest.css?inline'
import { createGuestRenderer } from './renderer.tsx'

/** The `GuestRenderer` that `server/platform/http/pages.ts` loads. */
export const { renderGuestPage, renderEmail, translateCsv, inlineStyles, checkoutStyles, inlineScripts } =
  createGuestRenderer({
    style,
    checkoutStyle,
    addStyle,
    script: GUEST_SCRIPT,
    galleryScript: GALLERY_SCRIPT,
    addScript: ADD_SCRIPT,
    scannedScript: SCANNED_SCRIPT,
    fontPath,
    localeDataOf: (tag) => ({ tag, text: catalogueIn(tag), format: createFormat(tag) }),
  })
