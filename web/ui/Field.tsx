import { TriangleAlert } from 'lucide-react'
import { useId, type ComponentProps, type ReactNode } from 'react'

export type InputProps = Omit<ComponentProps<'input'>, 'id'>

interface Props extends InputProps {
  label: ReactNode
  /** Content beside the label, such as a link. */
  aside?: ReactNode
  error?: string | undefined
  /** Content inside the box of the input, after the input. */
  inside?: ReactNode
  /** Content below the input. */
  children?: ReactNode
}

/** An input with its label and its error message. */
export function Field({ label, aside, error, inside, children, ...input }: Props) {
  const id = useId()
  const describedBy = [input['aria-describedby'], error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const inputElement = (
    <input
      className="input"
      {...input}
      id={id}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy}
    />
  )
  return (
    <div className={error ? 'field field--bad' : 'field'}>
      {aside ? (
        <div className="row row--between field__top">
          <label className="label" htmlFor={id}>
            {label}
          </label>
          {aside}
        </div>
      ) : (
        <label htmlFor={id}>{label}</label>
      )}
      {inside ? (
        <div className="input-wrap">
          {inputElement}
          {inside}
        </div>
      ) : (
        inputElement
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          <TriangleAlert className="icon" />
          <span>{error}</span>
        </p>
      )}
      {children}
    </div>
  )
}
