import { givePlan, type OperatorUserDetail } from '@keepsnap/contract/operator-users.ts'
import { useId, useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { operatorUsers } from '../../messages/en/operator-users.ts'
import { Field } from '../../ui/Field.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { ConfirmedAction } from './ConfirmedAction.tsx'

const grantablePlans = ['pro_monthly', 'pro_yearly'] as const
type GrantablePlan = (typeof grantablePlans)[number]

interface Props {
  detail: OperatorUserDetail
  onDone: (message: string, detail: OperatorUserDetail) => void
  onClose: () => void
}

/** Asks for a plan and its last day, then grants it free of charge. */
export function GrantPlanDialog({ detail: { user }, onDone, onClose }: Props) {
  const {
    plans,
    actions: { give: text },
  } = useText({ operatorUsers })
  const api = useApi()
  const hint = useId()
  const [plan, setPlan] = useState<GrantablePlan>(user.plan === 'pro_yearly' ? 'pro_yearly' : 'pro_monthly')
  const [until, setUntil] = useState({ day: '', isIncomplete: false })
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const problem = until.isIncomplete ? text.notADay : until.day !== '' && until.day < today ? text.past : null
  return (
    <ConfirmedAction
      title={text.title(user.username)}
      question={text.question}
      submit={text.submit}
      errors={problem === null ? {} : { until: problem }}
      act={(reason) =>
        api.call(givePlan, {
          params: { user_id: user.id },
          body: { plan, until: until.day === '' ? null : until.day, reason },
        })
      }
      onDone={(changed) => onDone(text.done(user.username, plans[plan]), changed)}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <SegmentedControl
            legend={text.plan}
            value={plan}
            options={grantablePlans.map((value) => ({ value, label: plans[value] }))}
            onChange={setPlan}
          />
          <Field
            label={text.until}
            type="date"
            name="until"
            value={until.day}
            min={today}
            error={shown['until']}
            aria-describedby={hint}
            onChange={({ target }) => setUntil({ day: target.value, isIncomplete: target.validity.badInput })}
          >
            <p className="tiny muted" id={hint}>
              {text.untilHint}
            </p>
          </Field>
        </>
      )}
    </ConfirmedAction>
  )
}
