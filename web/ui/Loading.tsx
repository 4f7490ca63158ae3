import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/states.ts'

/** Shown while a page is loading and its layout is unknown. */
export function Loading() {
  return (
    <output className="state state--page">
      <span className="spin" aria-hidden="true" />
      <span className="small muted">{useText({ states }).loading}</span>
    </output>
  )
}
