import { createFormat } from '../lib/format.ts'
import checkoutStyle from './demo-checkout.css?inline'
import style from './guest.css?inline'
import { createGuestRenderer } from './renderer.tsx'

const language = { tag: 'en', text: null, format: createFormat('en') }

/** The `GuestRenderer` that `server/http/guest-pages.ts` loads. */
export const { renderGuestPage, renderEmail, inlineStyles, checkoutStyles, inlineScripts } = createGuestRenderer({
  style,
  checkoutStyle,
  script: GUEST_SCRIPT,
  language,
})
