import { useId, type ReactNode } from 'react'
import { useKeptFocus } from '../lib/kept-focus.ts'

interface Props {
  /** What links to it end in. */
  id: string
  title: string
  lead?: string
  children: ReactNode
}

/** One section of a long page: its name beside it on wide screens, above it on others. Keeps the focus inside. */
export function Section({ id, title, lead, children }: Props) {
  const heading = useId()
  return (
    <section className="set" id={id} ref={useKeptFocus()} tabIndex={-1} aria-labelledby={heading}>
      <div className="set__head">
        <h2 id={heading}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className="set__body">{children}</div>
    </section>
  )
}
