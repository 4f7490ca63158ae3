import { PricingPlans } from './PricingPlans.tsx'
import { useSessionState } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'

/** The comparison of the plans on the home page. */
export function HomePlans({ headingId }: { headingId: string }) {
  const text = useText({ pricing })
  const { token } = useSessionState()
  return (
    <>
      <PricingPlans
        headings="h3"
        renderHead={(cycleChoice) => (
          <div className="plans-head">
            <h2 id={headingId} className="section-heading">
              {text.heading}
            </h2>
            {cycleChoice}
          </div>
        )}
      />
      {token === null && <p className="plans-note small muted">{text.startsFree}</p>}
    </>
  )
}
