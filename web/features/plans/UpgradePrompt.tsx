import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pricingSection } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/Button.tsx'

interface Props {
  heading: string
  lead: string
  /** What the link to the plans says. */
  action: string
  children?: ReactNode
}

/** Stands where a plan's own part would be, for people without that plan. */
export function UpgradePrompt({ heading, lead, action, children }: Props) {
  return (
    <div className="card upgrade">
      {children}
      <h2>{heading}</h2>
      <p className="muted">{lead}</p>
      <Link className={buttonClass({ tone: 'primary' })} to={pricingSection}>
        {action}
      </Link>
    </div>
  )
}
