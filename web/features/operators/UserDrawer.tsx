import { useId, useState } from 'react'
import { queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Clock, Lock } from 'lucide-react'
import {
  activateUser,
  deactivateUser,
  deleteUser,
  exportUser,
  givePlan,
  type OperatorDispute,
  operatorGetUser,
  type OperatorPayments,
  type OperatorUser,
  type OperatorUserDetail,
  refundUser,
} from '@keepsnap/contract/operators.ts'
import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import type { Api } from '../../lib/api.ts'
import { useApi, useCurrentUser, useMediaUrl } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operatorUsers } from '../../messages/en/operators.ts'
import { ActionRow } from '../../ui/ActionRow.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Field } from '../../ui/Field.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { useFocusFallback } from '../../lib/focus.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { Skeleton, useLastError } from '../../ui/QueryView.tsx'
import { states } from '../../messages/en/frame.ts'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { UsageBar } from '../plans/Usage.tsx'
import { auditQuery } from './AuditLogSection.tsx'
import { ConfirmedAction, Drawer, operatorKey, RowsSkeleton, SectionView } from './section-parts.tsx'
import { noonOf } from './times.ts'

const userQuery = (api: Api, userId: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'user', userId],
    queryFn: ({ signal }) => api.call(operatorGetUser, { params: { user_id: userId } }, { signal }),
  })

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
  const error = useLastError(query)
  if (error instanceof ApiError && error.status === 404) return <p className="operator-empty">{text.errors.gone}</p>
  return (
    <SectionView
      query={query}
      failed={text.errors.one}
      loading={
        <>
          <output className="visually-hidden">{loading}</output>
          <RowsSkeleton rows={6}>{(row) => <Skeleton width={row % 2 ? '70%' : '85%'} height="1.2rem" />}</RowsSkeleton>
        </>
      }
    >
      {(detail) => (
        <div className="operator-drawer">
          <UserDetails detail={detail} />
          <Usage detail={detail} />
          <h3>{text.detail.payments}</h3>
          <Payments payments={detail.payments} />
          <UserDisputes disputes={detail.disputes} />
          <h3>{text.detail.log}</h3>
          <UserLog userId={userId} />
          <UserActions detail={detail} onDeleted={onClose} />
          <p className="tiny muted">{text.detail.footnote}</p>
        </div>
      )}
    </SectionView>
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
      <Fact name={text.id} translate="no">
        <code>{user.id}</code>
      </Fact>
      {details.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
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

const styles = {
  active: { Icon: Check, tone: 'badge--ok' },
  past_due: { Icon: Clock, tone: 'badge--warn' },
  deactivated: { Icon: Lock, tone: 'badge--bad' },
}

/** The state of an account. */
export function UserBadge({ user: { is_active, is_past_due } }: { user: OperatorUser }) {
  const { states } = useText({ operatorUsers })
  const state = is_active ? (is_past_due ? 'past_due' : 'active') : 'deactivated'
  const { Icon, tone } = styles[state]
  return (
    <span className={`badge ${tone}`}>
      <Icon className="icon" />
      <span>{states[state]}</span>
    </span>
  )
}

const toneOf = { open: 'badge--warn', won: 'badge--ok', lost: 'badge--bad' } as const

/** The payments of an account that were disputed at the bank; nothing without one. */
function UserDisputes({ disputes }: { disputes: readonly OperatorDispute[] }) {
  const text = useText({ operatorUsers }).detail
  const format = useFormat()
  if (disputes.length === 0) return null
  return (
    <>
      <h3>{text.disputes}</h3>
      <ul className="operator-disputes small tabular-numbers">
        {disputes.map(({ id, state, amount_cents, opened_at, reason, respond_by }) => (
          <li key={id}>
            <span className={`badge ${toneOf[state]}`}>{text.disputeStates[state]}</span>
            <span>
              {text.dispute(format.price(amount_cents), format.date(opened_at), reason.replaceAll('_', ' '))}
              {respond_by !== null && <span className="muted"> {text.respondBy(format.dateTime(respond_by))}</span>}
              {state === 'lost' && <span className="muted"> {text.lostHint}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The last day of a plan that was given: it ends with that day in UTC, as it was typed. */
const lastDayOf = (until: string, format: Format): string => format.date(noonOf(until.slice(0, 10)))

/** The plan of an account by its name, and whether it was given. */
export function planText(
  { plan, is_complimentary, plan_until: until }: OperatorUser,
  text: Catalogue['operatorUsers'],
  format: Format,
): string {
  const name = text.plans[plan]
  if (!is_complimentary) return name
  return until === null ? text.plan.given(name) : text.plan.givenUntil(name, lastDayOf(until, format))
}

const grantablePlans = ['pro_monthly', 'pro_yearly'] as const
type GrantablePlan = (typeof grantablePlans)[number]

/** Asks for a plan and its last day, then grants it free of charge. */
function GrantPlanDialog({ detail: { user }, onClose }: DialogProps) {
  const {
    plans,
    actions: { give: text },
  } = useText({ operatorUsers })
  const api = useApi()
  const showChanged = useShowChanged()
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
      done={(changed) => {
        showChanged(changed)
        return text.done(user.username, plans[plan])
      }}
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

type ActionName = 'give' | 'take' | 'refund' | 'export' | 'deactivate' | 'activate' | 'delete'

/** What an operator can do about an account. */
function UserActions({ detail, onDeleted }: { detail: OperatorUserDetail; onDeleted: () => void }) {
  const { actions: text, detail: detailText } = useText({ operatorUsers })
  const heading = useId()
  const format = useFormat()
  const [opened, setOpened] = useState<ActionName | null>(null)
  const { user, refundable_until: refundableUntil } = detail
  const isOwn = useCurrentUser().user?.id === user.id
  const open = (name: ActionName) => () => setOpened(name)
  return (
    <section className="operator-actions" aria-labelledby={heading} ref={useFocusFallback()} tabIndex={-1}>
      <h3 id={heading}>{detailText.actions}</h3>
      <ActionRow {...text.give}>
        <Button onClick={open('give')}>{text.give.name}</Button>
      </ActionRow>
      {user.is_complimentary && (
        <ActionRow {...text.take}>
          <Button onClick={open('take')}>{text.take.name}</Button>
        </ActionRow>
      )}
      <ActionRow
        name={text.refund.name}
        hint={refundableUntil === null ? text.refund.impossible : text.refund.until(format.date(refundableUntil))}
      >
        <Button disabled={refundableUntil === null} onClick={open('refund')}>
          {text.refund.open}
        </Button>
      </ActionRow>
      <ActionRow {...text.export}>
        <Button onClick={open('export')}>{text.export.open}</Button>
      </ActionRow>
      {user.is_active ? (
        <ActionRow name={text.deactivate.name} hint={isOwn ? text.deactivate.own : text.deactivate.hint}>
          <Button tone="danger" disabled={isOwn} onClick={open('deactivate')}>
            {text.deactivate.name}
          </Button>
        </ActionRow>
      ) : (
        <ActionRow {...text.activate}>
          <Button onClick={open('activate')}>{text.activate.name}</Button>
        </ActionRow>
      )}
      <ActionRow name={text.delete.name} hint={isOwn ? text.delete.own : text.delete.hint}>
        <Button tone="danger" disabled={isOwn} onClick={open('delete')}>
          {text.delete.open}
        </Button>
      </ActionRow>
      {opened !== null && (
        <ActionDialog name={opened} detail={detail} onClose={() => setOpened(null)} onDeleted={onDeleted} />
      )}
    </section>
  )
}

interface DialogProps {
  detail: OperatorUserDetail
  onClose: () => void
}

function ActionDialog({ name, onDeleted, ...rest }: DialogProps & { name: ActionName; onDeleted: () => void }) {
  if (name === 'delete') return <DeleteDialog {...rest} onDeleted={onDeleted} />
  if (name === 'give') return <GrantPlanDialog {...rest} />
  return <SimpleDialog name={name} {...rest} />
}

/** Shows an account as an action left it, before it is fetched again. */
function useShowChanged(): (changed: OperatorUserDetail) => void {
  const api = useApi()
  const queryClient = useQueryClient()
  return (changed) => queryClient.setQueryData(userQuery(api, changed.user.id).queryKey, changed)
}

/** The dialog of an action that needs nothing but a reason. */
function SimpleDialog({ name, detail, onClose }: DialogProps & { name: Exclude<ActionName, 'give' | 'delete'> }) {
  const { actions } = useText({ operatorUsers })
  const text = actions[name]
  const format = useFormat()
  const api = useApi()
  const media = useMediaUrl()
  const showChanged = useShowChanged()
  const { id: user_id, username } = detail.user
  /** Returns the sentence that is shown then. */
  const act = async (reason: string): Promise<() => string> => {
    const input = { params: { user_id }, body: { reason } }
    if (name === 'refund') {
      const { refunded_cents: cents } = await api.call(refundUser, input)
      return () => actions.refund.done(format.price(cents), username)
    }
    if (name === 'export') {
      const { url } = await api.call(exportUser, input)
      return () => {
        // A download, so that the page stays.
        const download = media(url)
        if (download !== null) window.location.assign(download)
        return actions.export.done
      }
    }
    const changed = await (name === 'take'
      ? api.call(givePlan, { ...input, body: { plan: 'free', until: null, reason } })
      : api.call(name === 'activate' ? activateUser : deactivateUser, input))
    return () => {
      showChanged(changed)
      return actions[name].done(username)
    }
  }
  return (
    <ConfirmedAction
      title={text.title(username)}
      question={text.question}
      submit={text.submit}
      danger={name !== 'activate' && name !== 'export'}
      {...('dismiss' in text && { dismiss: text.dismiss })}
      act={act}
      done={(finish) => finish()}
      onClose={onClose}
    />
  )
}

/** Two steps, as in Settings: what is deleted, then the address of the account and the reason. */
function DeleteDialog({ detail, onClose, onDeleted }: DialogProps & { onDeleted: () => void }) {
  const text = useText({ operatorUsers }).actions.delete
  const format = useFormat()
  const api = useApi()
  const [isSecondStep, setSecondStep] = useState(false)
  const [email, setEmail] = useState('')
  const { id: user_id, username } = detail.user
  const photos = detail.account.photo_count
  if (!isSecondStep)
    return (
      <ConfirmDialog
        open
        title={text.title(username)}
        question={text.question(text.photos(photos, format.count(photos)))}
        confirm={text.next}
        dismiss={text.dismiss}
        onConfirm={() => setSecondStep(true)}
        onClose={onClose}
      />
    )
  const isRight = normalizeEmail(email) === normalizeEmail(detail.user.email)
  return (
    <ConfirmedAction
      title={text.last(username)}
      question={text.lastQuestion}
      submit={text.submit}
      danger
      dismiss={text.dismiss}
      errors={isRight ? {} : { email: text.emailNeeded }}
      act={(reason) => api.call(deleteUser, { params: { user_id }, body: { email, reason } })}
      done={() => {
        onDeleted()
        return text.done(username)
      }}
      onClose={onClose}
    >
      {(shown) => (
        <Field
          label={text.email}
          type="email"
          name="email"
          autoComplete="off"
          value={email}
          error={shown['email']}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
    </ConfirmedAction>
  )
}
