import type { OperatorUserDetail } from '@keepsnap/contract/operator-users.ts'
import type { Format } from '../../lib/format.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import type { Catalogue } from '../../messages/en.ts'
import { operatorUsers } from '../../messages/en/operator-users.ts'

type Text = Catalogue['operatorUsers']['detail']

/** What is known about an account. */
export function UserDetails({ detail }: { detail: OperatorUserDetail }) {
  const text = useText({ operatorUsers }).detail
  const format = useFormat()
  const { account, user, api_keys: keys } = detail
  const details = [
    [text.subscription, subscriptionText(detail, text, format)],
    [
      text.subscriberSince,
      account.became_subscriber_at === null ? text.never : text.day(format.date(account.became_subscriber_at)),
    ],
    [text.since, text.day(format.date(user.created_at))],
    [text.photos, format.count(account.photo_count)],
    [text.signedIn, signedInText(detail, text, format)],
    [text.keys, format.count(keys)],
  ] as const
  return (
    <dl className="operator-facts tabular-numbers">
      <div>
        <dt>{text.id}</dt>
        <dd translate="no">
          <code>{user.id}</code>
        </dd>
      </div>
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function subscriptionText({ account: { subscription } }: OperatorUserDetail, text: Text, format: Format): string {
  if (!subscription) return text.noSubscription
  const { plan_name, status, current_period_end } = subscription
  return text.subscriptionStates[status](plan_name, format.date(current_period_end))
}

function signedInText({ sessions }: OperatorUserDetail, text: Text, format: Format): string {
  const { count, last_used_at } = sessions
  if (count === 0) return text.nowhere
  const devices = text.devices(count, format.count(count))
  return last_used_at === null ? devices : text.lastUsed(devices, format.dateTime(last_used_at))
}
