import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pricingSection } from '../lib/paths.ts'
import { buttonClass } from './Button.tsx'

interface Props {
  /** What one would get, to look at. */
  art: ReactNode
  heading: string
  lead: string
  /** More to know, such as that it is not there yet. */
  note?: string
  /** What the link to the plans says. */
  action: string
  /** The art is wide and has no picture. */
  line?: boolean
}

/** Stands in a section where a plan's own part would be. */
export function Upsell({ art, heading, lead, note, action, line = false }: Props) {
  return (
    <div className={line ? 'upsell upsell--line' : 'upsell'}>
      {art}
      <div className="stack">
        <h3>{heading}</h3>
        <p className="muted">{lead}</p>
        {note && <p className="small muted">{note}</p>}
        <Link className={buttonClass({ tone: line ? 'quiet' : 'primary' })} to={pricingSection}>
          {action}
        </Link>
      </div>
    </div>
  )
}
