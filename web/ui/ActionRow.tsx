import type { ReactNode } from 'react'

interface Props {
  name: string
  hint: string
  className?: string
  children: ReactNode
}

/** A line with what can be done, and the button for it. */
export const ActionRow = ({ name, hint, className, children }: Props) => (
  <div className={className}>
    <p>
      <b>{name}</b>
      <span>{hint}</span>
    </p>
    {children}
  </div>
)
