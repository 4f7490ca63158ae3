import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { useState } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { subscription as messages } from '../../messages/en/subscription.ts'
import { Button } from '../../ui/Button.tsx'
import { ChangePlanDialog } from './ChangePlanDialog.tsx'
import { proSaving } from './prices.ts'
import { usePlans } from './subscription-queries.ts'

interface Props {
  status: SubscriptionStatus
  onDone: (message: string) => void
}

/** Tells subscribers who pay monthly what yearly payment saves. */
export function YearlyOffer({ status, onDone }: Props) {
  const { changeTo: text, done } = useText({ subscription: messages })
  const format = useFormat()
  const { plans } = usePlans()
  const [open, setOpen] = useState(false)
  const yearly = plans.find(({ id }) => id === 'pro_yearly')
  const paid = status.subscription?.plan
  const priceId = yearly?.stripe_price_id
  if (!yearly || !priceId || paid?.interval_type !== 'month' || status.payments === 'off') return null
  const { max_photos: photos, storage_gb: gigabytes } = yearly.features
  return (
    <div className="subscription__offer">
      <div>
        <h3>{text.heading(proSaving(plans))}</h3>
        <p className="small">
          {text.lead(
            format.price(yearly.price_cents),
            format.price(paid.price_cents),
            format.price(12 * paid.price_cents),
          )}{' '}
          {text.more(format.count(photos), format.count(gigabytes))}
        </p>
      </div>
      <Button onClick={() => setOpen(true)}>{text.action}</Button>
      {open && (
        <ChangePlanDialog
          change={{ plan: yearly, priceId }}
          onClose={() => setOpen(false)}
          onChanged={(plan) => onDone(done.changed(plan))}
        />
      )}
    </div>
  )
}
