import { ChevronDown, TriangleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

/** A choice from a few. Its options are the children. */
export const Select = (select: ComponentProps<'select'>) => (
  <div className="select">
    <select className="input" {...select} />
    <ChevronDown className="icon" />
  </div>
)

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'id'> {
  label: string
  /** `language`: of the label, when it is not that of the page. */
  choices?: readonly { value: string | number; label: string; language?: string }[]
  /** Content below it. */
  below?: ReactNode
  /** Options after `choices`. */
  children?: ReactNode
}

/** A choice from a few, with its label. */
export function SelectField({ label, choices = [], below, children, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Select {...select} id={id}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} lang={choice.language}>
            {choice.label}
          </option>
        ))}
        {children}
      </Select>
      {below}
    </div>
  )
}

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

interface TextAreaFieldProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: ReactNode
  error?: string | undefined
  /** Content below it. */
  children?: ReactNode
}

/** A text of several lines, with its label and its error message. */
export function TextAreaField({ label, error, children, ...textArea }: TextAreaFieldProps) {
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
