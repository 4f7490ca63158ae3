import type { Ref } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { settings } from '../../messages/en/settings.ts'
import { Switch } from '../../ui/Switch.tsx'
import { useSetting, type Setting } from './useSetting.ts'

/** Whether guests have to enter an email address to get a photo. */
export const useEmailGate = (): Setting =>
  useSetting('ask_email_to_receive_photo', useText({ settings }).askForEmail, false)

export function EmailGateSwitch({ gate, ref }: { gate: Setting; ref?: Ref<HTMLInputElement> }) {
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
