import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription } from '../../messages/en/subscription.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { isLarger } from './offer.ts'
import { pricePerInterval } from './prices.ts'
import { useSubscriptionErrorMessage } from './problems.ts'
import { usePlanStatus } from '../../lib/plan-status.ts'
import type { ShownPlan } from './shown-plans.ts'
import { useChangePlan } from './subscription-queries.ts'

interface Change {
  plan: ShownPlan
  priceId: string
}
interface Props {
  change: Change
  onClose: () => void
  /** Called with the name of the plan. */
  onChanged: (plan: string) => void
}

/** Says what a change of the plan costs and brings, and makes it. */
export function ChangePlanDialog({ change: { plan, priceId }, onClose, onChanged }: Props) {
  const priceText = useText({ pricing })
  const text = useText({ subscription })
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const name = priceText.names[plan.id]
  const changePlan = useChangePlan(() => {
    onClose()
    onChanged(name)
  })
  const problem = useSubscriptionErrorMessage(changePlan.error, errorMessage(changePlan.error, text.errors.change))
  const paid = status?.subscription?.plan
  const price = format.price(plan.price_cents)
  const today = paid && !isLarger(plan, paid) ? text.changeDialog.smaller(price) : text.changeDialog.larger(price)
  const renewal = text.changeDialog.renews(pricePerInterval(plan, { text: priceText, format }))
  return (
    <ConfirmDialog
      open
      tone="primary"
      title={text.changeDialog.title(name)}
      question={`${today} ${renewal}`}
      details={<ChangeDetails plan={plan} />}
      confirm={text.changeDialog.submit}
      dismiss={text.actions.notNow}
      problem={problem}
      busy={changePlan.isPending}
      onConfirm={() => changePlan.mutate(priceId)}
      onClose={onClose}
    />
  )
}

/** What changes besides the price. */
function ChangeDetails({ plan }: { plan: ShownPlan }) {
  const text = useText({ subscription })
  const { changeDialog } = text
  const format = useFormat()
  const { data: status } = usePlanStatus()
  const { max_photos: photos, storage_gb: gigabytes, api_access: hasApi } = plan.features
  const stored = status?.current_usage.storage_used_bytes ?? 0
  const credit = status?.subscription?.credit_cents ?? 0
  const hadApi = status?.plan.features.api_access ?? false
  return (
    <>
      <p>
        {changeDialog.limits(format.count(photos), format.count(gigabytes))}{' '}
        {hasApi ? changeDialog.withApi : hadApi && changeDialog.withoutApi}
      </p>
      {credit > 0 && <p>{changeDialog.credit(format.price(credit))}</p>}
      {status?.subscription?.cancel_at_period_end && <p>{changeDialog.continues}</p>}
      {stored > gigabytes * 1024 ** 3 && <p>{changeDialog.overStorage(format.size(stored))}</p>}
      {status?.payments === 'demo' && <p className="small muted">{text.demo}</p>}
    </>
  )
}
