import type { ComponentProps } from 'react'

export interface ButtonLook {
  /** One `primary` a view. */
  tone?: 'primary' | 'quiet' | 'ghost' | 'danger'
  large?: boolean
  block?: boolean
  /** Holds a picture only; give it a label. */
  icon?: boolean
}

/** Classes of a button, for links that look like one. */
export const buttonClass = ({ tone = 'quiet', large, block, icon }: ButtonLook): string =>
  ['btn', `btn--${tone}`, large && 'btn--lg', block && 'btn--block', icon && 'btn--icon'].filter(Boolean).join(' ')

type Props = ComponentProps<'button'> & ButtonLook & { busy?: boolean }

/** `busy` keeps the focus where it is: the button stays enabled for assistive technology, and deaf to clicks. */
export function Button({ tone, large, block, icon, busy, className, onClick, children, ...rest }: Props) {
  const look = { ...(tone && { tone }), ...(large && { large }), ...(block && { block }), ...(icon && { icon }) }
  return (
    <button
      type="button"
      {...rest}
      className={className ? `${buttonClass(look)} ${className}` : buttonClass(look)}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <span className="spin" aria-hidden="true" />}
      {children}
    </button>
  )
}
