import { useId, type Ref } from 'react'
import type { PassingNote } from '../lib/passing-note.ts'
import { SavedNote } from './SavedNote.tsx'

interface Props {
  label: string
  /** What turning it on means. */
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** What became of the last change; announced. */
  note?: PassingNote | null
  ref?: Ref<HTMLInputElement>
}

/** On or off, saved at once; confirms below itself. */
export function Switch({ label, hint, checked, onChange, note = null, ref }: Props) {
  const id = useId()
  return (
    <label className="switch">
      <b id={id}>{label}</b>
      {hint && (
        <span className="d" id={`${id}-hint`}>
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
      <SavedNote note={note} />
    </label>
  )
}
