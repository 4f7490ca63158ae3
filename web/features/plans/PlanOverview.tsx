import type { User } from '@keepsnap/contract/accounts.ts'
import { planIds, plans, tierOf, type PlanFeatures } from '@keepsnap/contract/plans.ts'
import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricingSection } from '../../lib/paths.ts'
import { account } from '../../messages/en/account.ts'
import { UsageBars } from './UsageBars.tsx'
import { buttonClass } from '../../ui/Button.tsx'

/** The tier of the account, and what every plan of that tier includes. */
export function PlanOverview({ user }: { user: User }) {
  const allText = useText({ account })
  const text = allText.plan
  const format = useFormat()
  const { subscription_tier: tier, became_subscriber_at: since } = user
  const isFree = tier === 'free'
  const pro = since === null ? text.pro : text.proSince(format.date(since))
  return (
    <>
      <div className="current-plan">
        <div>
          <p className="current-plan__name">{allText.tiers[tier]}</p>
          <p className="muted tabular-numbers small">{isFree ? text.free : pro}</p>
        </div>
        <Link className={buttonClass({ tone: 'quiet' })} to={pricingSection}>
          {isFree ? text.upgrade : text.compare}
        </Link>
      </div>
      <ul className="plan-features" aria-label={text.features}>
        {useFeatures(tier).map((feature) => (
          <li key={feature}>
            <Check className="icon" />
            {feature}
          </li>
        ))}
      </ul>
      <UsageBars />
      <p className="tiny muted">{text.notChangeable}</p>
    </>
  )
}

/** What the cheapest plan of the tier includes; the others include it too. */
function useFeatures(tier: User['subscription_tier']): string[] {
  const text = useText({ account }).plan
  const format = useFormat()
  const plan = planIds.map((id) => plans[id]).find(({ id }) => tierOf(id) === tier)
  if (!plan) return []
  const { max_photos, max_file_size_mb, custom_branding, analytics, priority_support }: PlanFeatures = plan.features
  return [
    tier === 'free' && text.photos(format.count(max_photos)),
    custom_branding && text.branding,
    analytics && text.analytics,
    priority_support && text.support,
    text.files(format.count(max_file_size_mb)),
  ].filter((feature) => feature !== false)
}
