import { useId } from 'react'
import { SaveStatus } from './SaveStatus.tsx'
import type { Saved } from './useSaved.ts'
import './choices.css'

interface Props<T extends string> {
  /** The name of the group, for screen readers. */
  legend: string
  options: readonly { value: T; label: string; hint?: string }[]
  setting: Pick<Saved<T>, 'value' | 'change' | 'message'>
}

/** A setting with a few values, one below the other, saved at once. The outcome appears below them. */
export function Choices<T extends string>({ legend, options, setting: { value, change, message } }: Props<T>) {
  const name = useId()
  return (
    <div>
      <fieldset className="choices">
        <legend className="visually-hidden">{legend}</legend>
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              aria-describedby={option.hint && `${name}-${option.value}`}
              aria-labelledby={`${name}-${option.value}-name`}
              onChange={() => change(option.value)}
            />
            <b id={`${name}-${option.value}-name`}>{option.label}</b>
            {option.hint && (
              <span className="choice__hint" id={`${name}-${option.value}`}>
                {option.hint}
              </span>
            )}
          </label>
        ))}
      </fieldset>
      <SaveStatus message={message} />
    </div>
  )
}
