import { ChevronDown } from 'lucide-react'
import { useId } from 'react'

interface Props {
  label: string
  value: string
  /** `language`: of the label, when it is not that of the page. */
  choices: readonly { value: string; label: string; language?: string }[]
  onChange: (value: string) => void
}

/** A choice from a few, with its label. */
export function SelectField({ label, value, choices, onChange }: Props) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="select">
        <select className="input" id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} lang={choice.language}>
              {choice.label}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" />
      </div>
    </div>
  )
}
