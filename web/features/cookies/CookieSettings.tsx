import type { SiteInfo } from '@keepsnap/contract/site.ts'
import { X } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { cookies } from '../../messages/en/cookies.ts'
import { frame } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

interface Site {
  info: SiteInfo | null
  isKnown: boolean
}

interface Props {
  open: boolean
  site: Site
  /** The stored choice. */
  tracking: boolean
  onSave: (tracking: boolean) => void
  onClose: () => void
}

/** The choice in detail. Closing it without saving changes nothing. */
export function CookieSettings({ open, onClose, ...rest }: Props) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} className="dialog cookie-settings">
      <Preferences titleId={id} onClose={onClose} {...rest} />
    </Dialog>
  )
}

function Preferences({ titleId, site, tracking, onSave, onClose }: Omit<Props, 'open'> & { titleId: string }) {
  const text = useText({ cookies })
  const { cookieSettings } = useText({ frame })
  const [isTracking, setTracking] = useState(tracking)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    onSave(isTracking)
  }
  return (
    <form onSubmit={save}>
      <h2 id={titleId}>{cookieSettings}</h2>
      <fieldset className="cookie-settings__choices">
        <legend className="visually-hidden">{text.choices}</legend>
        <Choice name={text.essentialName} hint={text.essentialHint} checked />
        <Choice name={text.analyticsName} hint={useAnalyticsHint(site)} checked={isTracking} onChange={setTracking} />
      </fieldset>
      <Button type="submit" block>
        {text.save}
      </Button>
      <Button className="cookie-settings__close" tone="ghost" icon aria-label={text.close} onClick={onClose}>
        <X className="icon" />
      </Button>
    </form>
  )
}

const providerNames = { matomo: 'Matomo', plausible: 'Plausible' } as const

/** What analytics would do on this site. Empty while that is loading. */
function useAnalyticsHint({ info, isKnown }: Site): string {
  const text = useText({ cookies })
  if (!isKnown) return ''
  if (info === null) return text.analyticsUnknown
  if (info.analytics === null) return text.noAnalytics
  const { provider, host } = info.analytics
  return text.analyticsHint(providerNames[provider], new URL(host).host)
}

interface ChoiceProps {
  name: string
  hint: string
  checked: boolean
  /** Without it, the choice is fixed. */
  onChange?: (checked: boolean) => void
}

function Choice({ name, hint, checked, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <label className="cookie-settings__choice">
      <input
        type="checkbox"
        checked={checked}
        disabled={!onChange}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange?.(event.currentTarget.checked)}
      />
      <b id={id}>{name}</b>
      <span id={`${id}-hint`} className="small muted">
        {hint}
      </span>
    </label>
  )
}
