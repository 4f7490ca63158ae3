import type { Ref } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { settings } from '../../messages/en/settings.ts'
import { Switch } from '../../ui/Switch.tsx'
import { type Saved, useSaved } from '../../ui/useSaved.ts'

/** Whether guests have to enter an email address to get a photo. */
export const useEmailGate = (): Saved<boolean> =>
  useSaved('ask_email_to_receive_photo', useText({ settings }).askForEmail, false)

export function EmailGateSwitch({ gate, ref }: { gate: Saved<boolean>; ref?: Ref<HTMLInputElement> }) {
  const text = useText({ settings }).askForEmail
  return (
    <Switch
      {...(ref && { ref })}
      label={text.label}
      hint={text.hint}
      checked={gate.value}
      onChange={gate.change}
      message={gate.message}
    />
  )
}

/** Whether new photos get the watermark. */
export const useWatermarkSetting = (): Saved<boolean> =>
  useSaved('use_logo_as_watermark', useText({ settings }).watermark, false)

export function WatermarkSwitch({ setting }: { setting: Saved<boolean> }) {
  const { label, hint } = useText({ settings }).watermark
  return (
    <Switch label={label} hint={hint} checked={setting.value} onChange={setting.change} message={setting.message} />
  )
}

/** Which emails the user wants besides the essential ones. */
export function EmailPreferenceSwitches() {
  const text = useText({ settings })
  const news = useSaved('allow_marketing_emails', text.preferences, false)
  const offers = useSaved('allow_promotional_emails', text.preferences, false)
  const removals = useSaved('allow_request_removal_emails', text.preferences, true)
  return (
    <>
      <div>
        <Switch {...text.news} checked={news.value} onChange={news.change} message={news.message} />
        <Switch {...text.offers} checked={offers.value} onChange={offers.change} message={offers.message} />
        <Switch {...text.removals} checked={removals.value} onChange={removals.change} message={removals.message} />
      </div>
      <p className="tiny muted">{text.service}</p>
    </>
  )
}
