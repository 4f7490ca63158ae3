import type { OperatorPayments, OperatorUserDetail } from '@keepsnap/contract/operator-users.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ApiError } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import type { Format } from '../../lib/format.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useLastError } from '../../lib/query-failure.ts'
import type { Catalogue } from '../../messages/en.ts'
import { operatorUsers } from '../../messages/en/operator-users.ts'
import { states } from '../../messages/en/states.ts'
import { Drawer } from '../../ui/Drawer.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { UsageBar } from '../../ui/UsageBar.tsx'
import { SectionLoadFailed } from './SectionLoadFailed.tsx'
import { UserActions } from './UserActions.tsx'
import { UserBadge } from './UserBadge.tsx'
import { UserDisputes } from './UserDisputes.tsx'
import { planText } from './plan-text.ts'
import { auditQuery, userQuery } from './queries.ts'

interface Props {
  /** Null while it is closed. */
  userId: string | null
  onClose: () => void
}

/** One account: what is known about it, and what an operator can do. */
export function UserDrawer({ userId, onClose }: Props) {
  const heading = useId()
  return (
    <Drawer
      open={userId !== null}
      onClose={onClose}
      labelledBy={heading}
      head={userId !== null && <UserHead userId={userId} headingId={heading} />}
    >
      {userId !== null && <UserBody userId={userId} onClose={onClose} />}
    </Drawer>
  )
}

function UserHead({ userId, headingId }: { userId: string; headingId: string }) {
  const text = useText({ operatorUsers })
  const format = useFormat()
  const { data } = useQuery(userQuery(useApi(), userId))
  if (!data) return <h2 id={headingId}>{text.detail.loading}</h2>
  const { user } = data
  return (
    <>
      <h2 id={headingId} translate="no">
        {user.username}
      </h2>
      <p className="small muted">
        <EmailAddress email={user.email} />
      </p>
      <p className="row operator-drawer__badges">
        <UserBadge user={user} />
        <span className="badge">{planText(user, text, format)}</span>
        {user.is_admin && <span className="badge">{text.states.admin}</span>}
      </p>
    </>
  )
}

function UserBody({ userId, onClose }: { userId: string; onClose: () => void }) {
  const text = useText({ operatorUsers })
  const { loading } = useText({ states })
  const query = useQuery(userQuery(useApi(), userId))
  const { data, isFetching, refetch } = query
  const error = useLastError(query)
  const isGone = error instanceof ApiError && error.status === 404
  if (isGone) return <p className="operator-empty">{text.errors.gone}</p>
  if (data) return <UserContent detail={data} onDeleted={onClose} />
  if (error) return <SectionLoadFailed sentence={text.errors.one} busy={isFetching} onRetry={() => void refetch()} />
  return (
    <div className="operator-rows">
      <output className="visually-hidden">{loading}</output>
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index}>
          <Skeleton width={index % 2 ? '70%' : '85%'} height="1.2rem" />
        </div>
      ))}
    </div>
  )
}

function UserContent({ detail, onDeleted }: { detail: OperatorUserDetail; onDeleted: () => void }) {
  const text = useText({ operatorUsers }).detail
  return (
    <div className="operator-drawer">
      <UserDetails detail={detail} />
      <Usage detail={detail} />
      <h3>{text.payments}</h3>
      <Payments payments={detail.payments} />
      <UserDisputes disputes={detail.disputes} />
      <h3>{text.log}</h3>
      <UserLog userId={detail.user.id} />
      <UserActions detail={detail} onDeleted={onDeleted} />
      <p className="tiny muted">{text.footnote}</p>
    </div>
  )
}

function Usage({ detail: { user } }: { detail: OperatorUserDetail }) {
  const { detail: text, of } = useText({ operatorUsers })
  const format = useFormat()
  const bars = [
    { label: text.photosThisMonth, used: user.photos_this_month, limit: user.photos_per_month, write: format.count },
    { label: text.storage, used: user.storage_used_bytes, limit: user.storage_bytes, write: format.size },
  ]
  return bars.map(({ label, used, limit, write }) => {
    const share = limit === 0 ? 1 : used / limit
    return (
      <UsageBar
        key={label}
        label={label}
        percentage={share * 100}
        used={of(write(used), write(limit))}
        left={format.percent(share)}
      />
    )
  })
}

/** What was paid for and given back, as the database knows it: subscriptions first, then refunds, each the newest first. */
function Payments({ payments }: { payments: OperatorPayments }) {
  const text = useText({ operatorUsers }).detail
  const format = useFormat()
  const { first_paid_at: firstPaidAt, subscriptions, refunds } = payments
  const periods = subscriptions.map((one) => {
    const start = format.date(one.started_at)
    if (one.ended_at !== null) return text.paidEnded(one.plan_name, start, format.date(one.ended_at))
    const states: Partial<Record<string, string>> = text.paymentStates
    const status = states[one.status] ?? text.otherState
    const period = text.paidPeriod(one.plan_name, status, start, format.date(one.current_period_end))
    return one.cancel_at_period_end ? text.endsWithPeriod(period) : period
  })
  const given = refunds.map(({ amount_cents: cents, done_at: doneAt, requested_at: requestedAt }) =>
    doneAt === null || cents === null
      ? text.refundOpen(format.date(requestedAt))
      : text.refunded(format.price(cents), format.date(doneAt)),
  )
  const lines = [...(firstPaidAt === null ? [] : [text.firstPaid(format.date(firstPaidAt))]), ...periods, ...given]
  if (lines.length === 0) return <p className="small muted">{text.noPayments}</p>
  return (
    <ul className="operator-payments small tabular-numbers">
      {lines.map((line, index) => (
        // The lines have no id, and only change as a whole.
        <li key={`${index} ${line}`}>{line}</li>
      ))}
    </ul>
  )
}

const logLength = 5

function UserLog({ userId }: { userId: string }) {
  const text = useText({ operatorUsers }).detail
  const format = useFormat()
  const log = useInfiniteQuery(auditQuery(useApi(), { userId, limit: logLength }))
  const [page] = log.data?.pages ?? []
  if (!page) {
    return log.isError ? (
      <p className="small error-text" role="alert">
        {text.logFailed}
      </p>
    ) : (
      <Skeleton width="70%" height="1rem" />
    )
  }
  if (page.entries.length === 0) return <p className="small muted">{text.noLog}</p>
  return (
    <ul className="operator-trail small tabular-numbers">
      {page.entries.map(({ id, at, by, action, outcome }) => (
        <li key={id}>
          <time className="muted" dateTime={at} translate="no">
            {format.dateTime(at)}
          </time>
          <span>
            <span className="operator-audit__action" translate="no">
              {text.logLine(action, by.name)}
            </span>{' '}
            {outcome === 'refused' && <span className="badge badge--bad">{text.refused}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}

type Text = Catalogue['operatorUsers']['detail']

/** What is known about an account. */
function UserDetails({ detail }: { detail: OperatorUserDetail }) {
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
