import { TriangleAlert } from 'lucide-react'
import { useId, type ComponentProps, type ReactNode } from 'react'

interface Props extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: ReactNode
  error?: string | undefined
  /** Content below it. */
  children?: ReactNode
}

/** A text of several lines, with its label and its error message. */
export function TextAreaField({ label, error, children, ...textArea }: Props) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={error ? 'field field--bad' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <textarea
        className="input"
        {...textArea}
        id={id}
        {...(error && { 'aria-invalid': true, 'aria-describedby': errorId })}
      />
      {error && (
        <p className="error" id={errorId}>
          <TriangleAlert className="icon" />
          <span>{error}</span>
        </p>
      )}
      {children}
    </div>
  )
}
