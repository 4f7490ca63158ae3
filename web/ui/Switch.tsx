import { Check, TriangleAlert } from 'lucide-react'
import { useId, type Ref } from 'react'

interface Props {
  label: string
  /** What turning it on means. */
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** What became of the last change; announced. */
  note?: { tone: 'ok' | 'bad'; text: string } | null
  ref?: Ref<HTMLInputElement>
}

/** On or off, saved at once; confirms below itself. */
export function Switch({ label, hint, checked, onChange, note = null, ref }: Props) {
  const id = useId()
  const Icon = note?.tone === 'bad' ? TriangleAlert : Check
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
      <output className="switch__note">
        {note && (
          <span className={note.tone === 'bad' ? 'saved saved--bad' : 'saved'}>
            <Icon className="i" />
            {note.text}
          </span>
        )}
      </output>
    </label>
  )
}
