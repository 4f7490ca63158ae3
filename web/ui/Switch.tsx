import { type Ref, useId } from 'react'
import { SaveStatus, type TemporaryMessage } from './SaveStatus.tsx'

interface Props {
  label: string
  /** What happens when it is on. */
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** The outcome of the last change. */
  message?: TemporaryMessage | null
  ref?: Ref<HTMLInputElement>
}

/** A setting that is on or off and saved at once. The outcome appears below it. */
export function Switch({ label, hint, checked, onChange, message = null, ref }: Props) {
  const id = useId()
  return (
    <label className="switch">
      <b id={id}>{label}</b>
      {hint && (
        <span className="switch__hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <input
        ref={ref}
        type="checkbox"
        checked={checked}
        aria-labelledby={id}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <SaveStatus message={message} />
    </label>
  )
}
