import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/states.ts'

/** A page whose shape is not known yet. */
export function Loading() {
  return (
    <output className="state state--page">
      <span className="spin" aria-hidden="true" />
      <span className="small muted">{useText({ states }).loading}</span>
    </output>
  )
}
