import { useId, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { printKit } from '../../messages/en/print-kit.ts'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { SelectField } from './SelectField.tsx'
import { isWifiComplete, wifiProblems, wifiSecurities, type Wifi, type WifiProblems } from './wifi.ts'

interface Props {
  wifi: Wifi
  onChange: (wifi: Wifi) => void
  /** Whether what is missing is said, too: printing was attempted. */
  showsProblems: boolean
  /** Whether this device can draw the network's name. */
  isNameDrawn: boolean
}

// A network's name and password are as typed: no capitals, corrections or suggestions, and no password manager.
const asTyped = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
  dir: 'ltr',
} as const
const mostTyped = 200

/** The Wi-Fi network of the guests. What is typed stays in the memory of this page. */
export function WifiFields({ wifi, onChange, showsProblems, isNameDrawn }: Props) {
  const text = useText({ printKit }).wifi
  const sentences = useSentences(wifiProblems(wifi))
  const [wasLeft, setWasLeft] = useState({ network: false, password: false })
  const hint = useId()
  const fieldOf = (name: 'network' | 'password') => ({
    ...asTyped,
    value: wifi[name],
    maxLength: mostTyped,
    'aria-describedby': hint,
    'data-wifi-problem': sentences[name] === undefined ? undefined : '',
    error: showsProblems || (wasLeft[name] && wifi[name] !== '') ? sentences[name] : undefined,
    onBlur: () => setWasLeft((before) => ({ ...before, [name]: true })),
  })
  return (
    <div className="print-kit__wifi">
      <Field
        label={text.network}
        {...fieldOf('network')}
        onChange={({ target }) => onChange({ ...wifi, network: target.value })}
      />
      {!isNameDrawn && <Note tone="warn">{text.nameMissing}</Note>}
      <SelectField
        label={text.security}
        value={wifi.security}
        choices={wifiSecurities.map((value) => ({ value, label: text.securities[value] }))}
        onChange={(value) =>
          onChange({ ...wifi, security: wifiSecurities.find((security) => security === value) ?? wifi.security })
        }
      />
      {wifi.security !== 'nopass' && (
        <Field
          label={text.password}
          {...fieldOf('password')}
          onChange={({ target }) => onChange({ ...wifi, password: target.value })}
        />
      )}
      <Switch label={text.hidden} checked={wifi.isHidden} onChange={(isHidden) => onChange({ ...wifi, isHidden })} />
      <p className="small muted print-kit__privacy" id={hint}>
        {text.privacy}
      </p>
      {!isWifiComplete(wifi) && <p className="small print-kit__privacy">{text.incomplete}</p>}
    </div>
  )
}

function useSentences({ network, password }: WifiProblems): { network?: string; password?: string } {
  const { errors } = useText({ printKit }).wifi
  const networkSentences = { missing: errors.networkMissing, long: errors.networkLong }
  const passwordSentences = { missing: errors.passwordMissing, wpa: errors.passwordWpa, wep: errors.passwordWep }
  return {
    ...(network && { network: networkSentences[network] }),
    ...(password && { password: passwordSentences[password] }),
  }
}
