import { useId, type ReactNode } from 'react'

interface Props<T extends string> {
  /** For screen readers. */
  legend: string
  value: T
  choices: readonly { value: T; label: ReactNode }[]
  onChange: (value: T) => void
}

/** Two or three choices side by side. */
export function Segmented<T extends string>({ legend, value, choices, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className="seg">
      <legend className="sr">{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
