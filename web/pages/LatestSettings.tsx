import type { SlideshowDelayMinutes } from '@keepsnap/contract/accounts.ts'
import { ChevronDown, GalleryHorizontalEnd, Mail } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ToolbarButton } from '../features/photos/latest/LatestToolbar.tsx'
import { useEmailGate } from '../features/settings/EmailGateSwitch.tsx'
import { useSlideshowDelay } from '../features/settings/useSlideshowDelay.ts'
import { useText } from '../lib/i18n.tsx'
import { gallery } from '../messages/en/gallery.ts'
import { latest } from '../messages/en/latest.ts'
import { useToast } from '../ui/Toasts.tsx'

const choices: readonly SlideshowDelayMinutes[] = [0, 1, 3, 5]

/** The settings that are changed during an event: whether guests enter an address, and when the slideshow starts. */
export function LatestSettings() {
  const text = useText({ latest })
  const { undo: undoLabel } = useText({ gallery }).visibility
  const toast = useToast()
  const gate = useEmailGate()
  const slideshow = useSlideshowDelay()
  const undo = useRef<(() => void) | null>(null)
  const { message } = gate
  useEffect(() => {
    if (!message) return
    const run = undo.current
    toast({ ...message, ...(run && message.tone === 'ok' && { action: { label: undoLabel, run } }) })
  }, [message, undoLabel, toast])
  /** With Undo: it changes codes that are printed already, too. */
  const changeGate = (): void => {
    undo.current = () => {
      undo.current = null
      gate.change(gate.value)
    }
    gate.change(!gate.value)
  }
  return (
    <>
      <ToolbarButton
        icon={Mail}
        label={text.toolbar.askForEmail(gate.value)}
        data-on={gate.value || undefined}
        data-keeps-menu-open
        onClick={changeGate}
      />
      <label className="latest__choice btn btn--ghost" title={text.slideshow.hint}>
        <GalleryHorizontalEnd className="icon" />
        <select
          aria-label={text.slideshow.name}
          value={slideshow.minutes}
          onChange={({ target }) => slideshow.change(choices.find((one) => String(one) === target.value) ?? 0)}
        >
          {choices.map((minutes) => (
            <option key={minutes} value={minutes}>
              {text.slideshow.label(minutes)}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" />
      </label>
    </>
  )
}
