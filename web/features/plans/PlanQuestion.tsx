import { useFormat, useText } from '../../lib/i18n.tsx'
import { pricing } from '../../messages/en/pricing.ts'
import { subscription } from '../../messages/en/subscription.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import type { PlanShop, Question } from './usePlanShop.ts'

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
