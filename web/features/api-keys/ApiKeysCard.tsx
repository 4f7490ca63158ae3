import { planIds, plans } from '@keepsnap/contract/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import type { UserPlan } from '../../lib/plan-status.ts'
import { apiKeys } from '../../messages/en/api-keys.ts'
import { usage } from '../../messages/en/usage.ts'
import { Upsell } from '../../ui/Upsell.tsx'
import { ApiKeys } from './ApiKeys.tsx'
import { apiKeysQuery } from './queries.ts'
import { uploadCommand } from './upload-command.ts'

/** The cheapest plan with API keys. */
const planWithKeys = planIds.map((id) => plans[id]).find(({ features }) => features.api_access)

/** API keys; for plans that do not include them, an upgrade prompt. */
export const ApiKeysCard = ({ plan }: { plan: UserPlan }) =>
  plan.features.api_access ? <ApiKeys /> : <ApiKeysPrompt plan={plan} />

function ApiKeysPrompt({ plan }: { plan: UserPlan }) {
  const text = useText({ apiKeys })
  const { yourPlan } = useText({ usage })
  const format = useFormat()
  const api = useApi()
  const { data: keys = [] } = useQuery(apiKeysQuery(api))
  const art = (
    <code className="code upsell__code" aria-hidden="true" translate="no">
      {uploadCommand(api.origin, '…')}
    </code>
  )
  return (
    <Upsell
      art={art}
      heading={text.heading}
      lead={`${text.partOf(planWithKeys?.name ?? '')} ${yourPlan(plan.name)}`}
      {...(keys.length > 0 && { note: text.waiting(format.count(keys.length), keys.length === 1) })}
      action={text.action}
      line
    />
  )
}
