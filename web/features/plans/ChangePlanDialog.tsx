import { useQuery } from '@tanstack/react-query'
import type { previewChange } from '@keepsnap/contract/subscriptions.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import type { Format } from '../../lib/format.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import type { Catalogue } from '../../messages/en.ts'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription } from '../../messages/en/plans.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { isLarger, pricePerInterval, type ShownPlan } from './offers.ts'
import {
  changePreviewQuery,
  type PlanShop,
  type Question,
  useChangePlan,
  useSubscriptionErrorMessage,
} from './subscription.ts'
import { usePlanStatus } from './plan-status.ts'

/** Asks before a change of the plan, or before paying for a plan that is free of charge for now. */
export function PlanQuestion({ shop, question }: { shop: PlanShop; question: Question }) {
  const text = useText({ pricing })
  const { done, actions } = useText({ subscription })
  const format = useFormat()
  const toast = useToast()
  const { closeQuestion, pay } = shop
  if (question.about === 'change')
    return (
      <ChangePlanDialog
        change={question}
        onClose={closeQuestion}
        onChanged={(plan) => toast({ text: done.changed(plan) })}
      />
    )
  const { plan, freeUntil, priceId } = question
  return (
    <ConfirmDialog
      open
      tone="primary"
      title={text.freeNow.title(text.names[plan.id])}
      question={text.freeNow.question(format.date(freeUntil))}
      confirm={text.toPayment}
      dismiss={actions.notNow}
      onConfirm={() => pay(priceId)}
      onClose={closeQuestion}
    />
  )
}

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
  const preview = useQuery(changePreviewQuery(useApi(), priceId))
  const today = preview.isPending
    ? text.changeDialog.asking
    : costText(preview.data, { plan, paid: status?.subscription?.plan, text: text.changeDialog, format })
  const renewal = text.changeDialog.renews(pricePerInterval(plan, { text: priceText, format }))
  return (
    <ConfirmDialog
      open
      tone="primary"
      title={text.changeDialog.title(name)}
      question={`${today} ${renewal}`}
      details={<ChangeDetails plan={plan} isPreviewed={typeof preview.data?.charged_cents === 'number'} />}
      confirm={text.changeDialog.submit}
      dismiss={text.actions.notNow}
      problem={problem}
      busy={changePlan.isPending || preview.isPending}
      onConfirm={() => changePlan.mutate(priceId)}
      onClose={onClose}
    />
  )
}

/** What a change costs today: the amount of the payment provider, or how it is worked out if that is not known. */
function costText(
  preview: Reply<typeof previewChange> | undefined,
  {
    plan,
    paid,
    text,
    format,
  }: {
    plan: ShownPlan
    paid: { id: string } | undefined
    text: Catalogue['subscription']['changeDialog']
    format: Format
  },
): string {
  const { charged_cents: charged = null, credit_cents: left } = preview ?? {}
  const price = format.price(plan.price_cents)
  if (charged === null) return paid && !isLarger(plan, paid) ? text.smaller(price) : text.larger(price)
  const cost = charged > 0 ? text.charged(format.price(charged)) : text.nothing
  return left ? `${cost} ${text.left(format.price(left))}` : cost
}

/** What changes besides the price. */
function ChangeDetails({ plan, isPreviewed }: { plan: ShownPlan; isPreviewed: boolean }) {
  const text = useText({ subscription })
  const { vat } = useText({ pricing })
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
      {credit > 0 && !isPreviewed && <p>{changeDialog.credit(format.price(credit))}</p>}
      {status?.subscription?.cancel_at_period_end && <p>{changeDialog.continues}</p>}
      {stored > gigabytes * 1024 ** 3 && <p>{changeDialog.overStorage(format.size(stored))}</p>}
      <p className="small muted">{vat}</p>
      {status?.payments === 'demo' && <p className="small muted">{text.demo}</p>}
    </>
  )
}
