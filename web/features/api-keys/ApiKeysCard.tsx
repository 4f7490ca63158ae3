import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import type { CurrentPlan } from '../../lib/plan-status.ts'
import { account } from '../../messages/en/account.ts'
import { usage } from '../../messages/en/usage.ts'
import { Note } from '../../ui/Note.tsx'
import { Upsell } from '../../ui/Upsell.tsx'

/** The cheapest plan with API keys. */
const planWithKeys = planIds.map((id) => plans[id]).find(({ features }) => features.api_access)

/** API keys, which cannot be created yet; for plans that do not include them, an upgrade prompt. */
export function ApiKeysCard({ plan }: { plan: CurrentPlan }) {
  const text = useText({ account }).keys
  const { yourPlan } = useText({ usage })
  const { origin } = useApi()
  if (plan.features.api_access) return <Note tone="plain">{text.notAvailable}</Note>
  const art = (
    <code className="code upsell__code" aria-hidden="true" translate="no">
      {`curl -H "X-API-Key: …" \\\n  -F "file=@IMG_4380.jpg" \\\n  ${origin}/api/upload`}
    </code>
  )
  return (
    <Upsell
      art={art}
      heading={text.heading}
      lead={`${text.partOf(planWithKeys?.name ?? '')} ${yourPlan(plan.name)}`}
      note={text.notAvailable}
      action={text.action}
      line
    />
  )
}
