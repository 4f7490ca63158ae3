import { Children, type ComponentProps, type ReactNode } from 'react'

/**
 * Each text among the children in an element of its own, for children that come and go: the translators of browsers replace
 * texts by elements, and React can neither remove such a text nor insert anything before it.
 */
export function separateTexts(children: ReactNode): ReactNode[] {
  const parts: ReactNode[] = []
  let text = ''
  let texts = 0
  const endText = (): void => {
    if (text) parts.push(<span key={`text ${(texts += 1)}`}>{text}</span>)
    text = ''
  }
  for (const child of Children.toArray(children)) {
    if (typeof child === 'string' || typeof child === 'number') text += child
    else {
      endText()
      parts.push(child)
    }
  }
  endText()
  return parts
}

export interface ButtonLook {
  /** At most one `primary` per view. */
  tone?: 'primary' | 'quiet' | 'ghost' | 'danger'
  large?: boolean
  block?: boolean
  /** Contains only an icon: needs an `aria-label`. */
  icon?: boolean
}

/** The classes of a button, also for links that look like one. */
export const buttonClass = ({ tone = 'quiet', large, block, icon }: ButtonLook): string =>
  ['btn', `btn--${tone}`, large && 'btn--lg', block && 'btn--block', icon && 'btn--icon'].filter(Boolean).join(' ')

type Props = ComponentProps<'button'> & ButtonLook & { busy?: boolean }

/** A `busy` button ignores clicks but is not disabled, so that it keeps the focus. */
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
      {separateTexts(children)}
    </button>
  )
}
