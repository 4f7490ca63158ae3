import { isLanguage, languageNames, languages } from '@keepsnap/contract/languages.ts'
import { useId } from 'react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { printKit } from '../../messages/en/print-kit.ts'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { printFormats } from './content.ts'
import { graphemesOf, mostLineCharacters, printableLine } from './graphemes.ts'
import type { PrintOptions } from './options.ts'
import { SelectField } from './SelectField.tsx'
import { WifiFields } from './WifiFields.tsx'

interface Props {
  options: PrintOptions
  onChange: (changes: Partial<PrintOptions>) => void
  /** Whether what is missing of the Wi-Fi network is said. */
  showsProblems: boolean
  logo: 'not included' | 'none' | 'failed' | 'there'
  /** Characters that this device cannot draw. */
  missing: Readonly<Record<'line' | 'network', readonly string[]>>
}

/** What is on the print. */
export function PrintForm({ options, onChange, showsProblems, logo, missing }: Props) {
  const text = useText({ printKit })
  return (
    <>
      <FormatChoice options={options} onChange={onChange} />
      <LineField line={options.line} missing={missing.line} onChange={(line) => onChange({ line })} />
      <div className="print-kit__pair">
        <SelectField
          label={text.languages.first}
          value={options.language}
          choices={languages.map((value) => ({ value, label: languageNames[value], language: value }))}
          onChange={(value) => isLanguage(value) && onChange({ language: value })}
        />
        <SelectField
          label={text.languages.second}
          value={options.secondLanguage === options.language ? '' : (options.secondLanguage ?? '')}
          choices={[
            { value: '', label: text.languages.none },
            ...languages
              .filter((value) => value !== options.language)
              .map((value) => ({ value, label: languageNames[value], language: value })),
          ]}
          onChange={(value) => onChange({ secondLanguage: isLanguage(value) ? value : null })}
        />
      </div>
      <div>
        <LogoSwitch logo={logo} checked={options.showsLogo} onChange={(showsLogo) => onChange({ showsLogo })} />
        <Switch
          label={text.wifi.label}
          hint={text.wifi.hint}
          checked={options.hasWifi}
          onChange={(hasWifi) => onChange({ hasWifi })}
        />
        {options.hasWifi && (
          <WifiFields
            wifi={options.wifi}
            onChange={(wifi) => onChange({ wifi })}
            showsProblems={showsProblems}
            isNameDrawn={missing.network.length === 0}
          />
        )}
      </div>
    </>
  )
}

function FormatChoice({ options, onChange }: Pick<Props, 'options' | 'onChange'>) {
  const text = useText({ printKit }).formats
  const name = useId()
  const sizes = { card: text.cardSize, four: text.fourSize, poster: text.posterSize }
  return (
    <fieldset className="print-kit__formats">
      <legend className="label">{text.label}</legend>
      {printFormats.map((format) => (
        <label key={format} className="choice">
          <input type="radio" name={name} checked={options.format === format} onChange={() => onChange({ format })} />
          <b>{text[format]}</b>
          <span className="choice__size tabular-numbers">{sizes[format]}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface LineProps {
  line: string
  missing: readonly string[]
  onChange: (line: string) => void
}

function LineField({ line, missing, onChange }: LineProps) {
  const text = useText({ printKit }).line
  const hint = useId()
  const used = graphemesOf(line).length
  return (
    <Field
      label={text.label}
      placeholder={text.example}
      value={line}
      dir="auto"
      autoComplete="off"
      aria-describedby={hint}
      onChange={({ target }) => onChange(printableLine(target.value))}
    >
      <p className="hint tabular-numbers" id={hint}>
        {text.count(used, mostLineCharacters)}
      </p>
      {missing.length > 0 && <Note tone="warn">{text.missing(missing.join(' '))}</Note>}
    </Field>
  )
}

interface LogoProps extends Pick<Props, 'logo'> {
  checked: boolean
  onChange: (checked: boolean) => void
}

function LogoSwitch({ logo, checked, onChange }: LogoProps) {
  const text = useText({ printKit }).logo
  if (logo === 'not included') return null
  if (logo === 'none') {
    return (
      <p className="small print-kit__no-logo">
        <span className="muted">{text.none}</span> <Link to={`${paths.settings}#look`}>{text.add}</Link>
      </p>
    )
  }
  return (
    <>
      <Switch label={text.label} hint={text.hint} checked={checked} onChange={onChange} />
      {logo === 'failed' && checked && <Note tone="warn">{text.failed}</Note>}
    </>
  )
}
