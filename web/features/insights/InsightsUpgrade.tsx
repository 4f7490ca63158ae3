import { ChartColumn } from 'lucide-react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { pricingSection } from '../../lib/paths.ts'
import { insights } from '../../messages/en/insights.ts'
import { usage } from '../../messages/en/usage.ts'
import { buttonClass } from '../../ui/Button.tsx'

/** Replaces the figures for users whose plan does not include them; `planName`: null while a new plan is fetched. */
export function InsightsUpgrade({ planName }: { planName: string | null }) {
  const { upgrade: text } = useText({ insights })
  const { yourPlan } = useText({ usage })
  return (
    <div className="card upgrade">
      <ChartColumn className="icon insights-icon" />
      <h2>{text.heading}</h2>
      <p className="muted">{text.lead}</p>
      {planName !== null && <p className="small muted">{yourPlan(planName)}</p>}
      <Link className={buttonClass({ tone: 'primary' })} to={pricingSection}>
        {text.action}
      </Link>
    </div>
  )
}
