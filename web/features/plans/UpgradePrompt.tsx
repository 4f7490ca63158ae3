import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pricingSection } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/Button.tsx'

interface Props {
  heading: string
  lead: string
  /** The text of the link to the plans. */
  action: string
  children?: ReactNode
}

/** Replaces a page's content that the user's plan does not include. */
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
