import { type ReactNode, useId } from 'react'
import { separateTexts } from './Button.tsx'

interface Props<T extends string> {
  /** The name of the group, for screen readers. */
  legend: string
  value: T
  options: readonly { value: T; label: ReactNode }[]
  onChange: (value: T) => void
}

/** Two or three options side by side. */
export function SegmentedControl<T extends string>({ legend, value, options, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset className="segmented-control">
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {separateTexts(option.label)}
        </label>
      ))}
    </fieldset>
  )
}
