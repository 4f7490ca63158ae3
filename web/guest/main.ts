import script from 'virtual:guest-script'
import { createFormat } from '../lib/format.ts'
import style from './guest.css?inline'
import { createGuestRenderer } from './renderer.tsx'

const language = { tag: 'en', text: null, format: createFormat('en') }

/** The artefact that `server/http/pages.ts` loads: a `GuestRenderer`. */
export const { renderGuestPage, renderLetter, inlineStyles, inlineScripts } = createGuestRenderer({
  style,
  script,
  language,
})
