import type { Ref } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { settings } from '../../messages/en/settings.ts'
import { Switch } from '../../ui/Switch.tsx'
import { useSetting, type Setting } from './useSetting.ts'

/** Whether guests leave an e-mail address to receive a photo. */
export const useEmailGate = (): Setting => useSetting('ask_email_to_receive_photo', useText({ settings }).gate)

/** The switch of it. */
export function EmailGate({ gate, ref }: { gate: Setting; ref?: Ref<HTMLInputElement> }) {
  const text = useText({ settings }).gate
  return (
    <Switch
      {...(ref && { ref })}
      label={text.label}
      hint={text.hint}
      checked={gate.value}
      onChange={gate.change}
      note={gate.note}
    />
  )
}
