import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pricingSection } from '../lib/paths.ts'
import { buttonClass } from './Button.tsx'

interface Props {
  /** An illustration of the feature. */
  art: ReactNode
  heading: string
  lead: string
  /** More information, such as that the feature is not available yet. */
  note?: string
  /** The text of the link to the plans. */
  action: string
  /** The illustration is wide and contains no photo. */
  line?: boolean
}

/** Replaces a section that the user's plan does not include. */
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
