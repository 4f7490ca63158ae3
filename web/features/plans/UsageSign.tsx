import { billingLimits } from '@keepsnap/contract/limits.ts'
import { useText } from '../../lib/i18n.tsx'
import { photosLeft, usePlanStatus } from '../../lib/plan-status.ts'
import { usage } from '../../messages/en/usage.ts'

const [warningPercent] = billingLimits.usageWarningPercent

/** With the controls of the big screen: what is left of the month, once most of it is used. */
export function UsageSign() {
  const text = useText({ usage })
  const { data: status } = usePlanStatus()
  if (!status || status.usage_percentage.photos < warningPercent) return null
  return <output className="latest__sign tabular-numbers">{text.sign(photosLeft(status))}</output>
}
