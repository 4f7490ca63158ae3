import { plans } from '@keepsnap/contract/plans.ts'
import { Check, Plus } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { PricingPlans } from './PricingPlans.tsx'
import { useText } from '../../lib/i18n.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { paths } from '../../lib/paths.ts'
import { claims, pricing } from '../../messages/en/pricing.ts'
import '../../styles/questions.css'
import './pricing.css'

/** The plans, and questions about them. `?plan=` names a plan that was chosen before signing in. */
export function PricingPage() {
  const text = useText({ claims })
  const { heading } = useText({ pricing })
  const [search] = useSearchParams()
  usePageTitle(text.title)
  return (
    <div className="wrap">
      <PricingPlans
        headings="h2"
        chosenId={search.get('plan')}
        renderHead={(cycleChoice) => (
          <header className="pricing__head">
            <PageHeading>{heading}</PageHeading>
            <p className="lead">{text.lead}</p>
            {cycleChoice}
          </header>
        )}
      />
      <p className="pricing__guarantee small muted">
        <Check className="icon" />
        {text.guarantee}
      </p>
      <p className="pricing__api small muted">
        {text.api(plans.pro_yearly.name)} <Link to={paths.apiDocs}>{text.apiDocumentation}</Link>
      </p>
      <section className="pricing__questions" aria-labelledby="questions">
        <h2 id="questions" className="section-heading">
          {text.heading}
        </h2>
        <div className="questions">
          {text.questions.map(({ question, answer }) => (
            <details key={question}>
              <summary>
                {question}
                <Plus className="icon" />
              </summary>
              <p>{answer}</p>
            </details>
          ))}
        </div>
      </section>
    </div>
  )
}
