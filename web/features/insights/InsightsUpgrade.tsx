import { ChartColumn } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { pricingSection } from '../../lib/paths.ts'
import { insights } from '../../messages/en/insights.ts'
import { buttonClass } from '../../ui/Button.tsx'

/** Replaces the figures for users whose plan does not include them. */
export function InsightsUpgrade() {
  const { upgrade: text } = useText({ insights })
  return (
    <div className="card upgrade">
      <ChartColumn className="icon insights-icon" />
      <h2>{text.heading}</h2>
      <p className="muted">{text.lead}</p>
      <Link className={buttonClass({ tone: 'primary' })} to={pricingSection}>
        {text.action}
      </Link>
    </div>
  )
}
