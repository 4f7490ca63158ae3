import type { SlideshowDelayMinutes } from '@keepsnap/contract/accounts.ts'
import { GalleryHorizontalEnd, Mail } from 'lucide-react'
import { useEffect } from 'react'
import { ToolbarButton } from '../features/photos/latest/LatestToolbar.tsx'
import { useEmailGate } from '../features/settings/EmailGateSwitch.tsx'
import { useSlideshowDelay } from '../features/settings/useSlideshowDelay.ts'
import { useText } from '../lib/i18n.tsx'
import { latest } from '../messages/en/latest.ts'
import { useToast } from '../ui/Toasts.tsx'

const choices: readonly SlideshowDelayMinutes[] = [0, 1, 3, 5]
const choiceAfter = (minutes: SlideshowDelayMinutes): SlideshowDelayMinutes =>
  choices[(choices.indexOf(minutes) + 1) % choices.length] ?? 0

/** The settings that are changed during an event: whether guests enter an address, and when the slideshow starts. */
export function LatestSettings() {
  const text = useText({ latest })
  const toast = useToast()
  const gate = useEmailGate()
  const slideshow = useSlideshowDelay()
  const { message } = gate
  useEffect(() => {
    if (message) toast(message)
  }, [message, toast])
  return (
    <>
      <ToolbarButton
        icon={Mail}
        label={text.toolbar.askForEmail(gate.value)}
        data-on={gate.value || undefined}
        data-keeps-menu-open
        onClick={() => gate.change(!gate.value)}
      />
      <ToolbarButton
        icon={GalleryHorizontalEnd}
        label={text.slideshow.label(slideshow.minutes)}
        title={text.slideshow.hint}
        data-on={slideshow.minutes > 0 || undefined}
        data-keeps-menu-open
        onClick={() => slideshow.change(choiceAfter(slideshow.minutes))}
      />
    </>
  )
}
