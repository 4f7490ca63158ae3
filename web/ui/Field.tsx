import { TriangleAlert } from 'lucide-react'
import { useId, type ComponentProps, type ReactNode } from 'react'

export type InputProps = Omit<ComponentProps<'input'>, 'id'>

interface Props extends InputProps {
  label: ReactNode
  /** Stands beside the label, such as a link. */
  aside?: ReactNode
  error?: string | undefined
  /** Stands inside the input's box, after the input. */
  inside?: ReactNode
  /** Stands below, as part of the field. */
  children?: ReactNode
}

/** One labelled input with its error. */
export function Field({ label, aside, error, inside, children, ...input }: Props) {
  const id = useId()
  const described = [input['aria-describedby'], error && `${id}-error`].filter(Boolean).join(' ') || undefined
  const box = (
    <input className="input" {...input} id={id} aria-invalid={error ? true : undefined} aria-describedby={described} />
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
          {box}
          {inside}
        </div>
      ) : (
        box
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          <TriangleAlert className="i" />
          {error}
        </p>
      )}
      {children}
    </div>
  )
}
