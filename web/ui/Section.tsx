import { useId, type ReactNode } from 'react'
import { useFocusFallback } from '../lib/focus-fallback.ts'

interface Props {
  /** The hash of links to this section. */
  id: string
  title: string
  lead?: string
  children: ReactNode
}

/** A section of a long page. Its title is beside it on wide screens, and above it on others. */
export function Section({ id, title, lead, children }: Props) {
  const heading = useId()
  return (
    <section className="settings-section" id={id} ref={useFocusFallback()} tabIndex={-1} aria-labelledby={heading}>
      <div className="settings-section__head">
        <h2 id={heading}>{title}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className="settings-section__body">{children}</div>
    </section>
  )
}
