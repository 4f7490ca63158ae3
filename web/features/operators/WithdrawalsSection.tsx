import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import {
  acceptWithdrawal,
  dismissWithdrawal,
  linkWithdrawal,
  listWithdrawals,
  type OperatorWithdrawal,
} from '@keepsnap/contract/operator-withdrawals.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFocusFallback } from '../../lib/focus.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operator, operatorWithdrawals } from '../../messages/en/operators.ts'
import { Button } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Field } from '../../ui/Field.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { siteInfoQuery } from '../site/site-info.ts'
import {
  AccountButton,
  ConfirmedAction,
  ListSkeleton,
  operatorKey,
  Pager,
  refetchInterval,
  SectionView,
} from './section-parts.tsx'

const pageSize = 10
const lists = ['open', 'closed'] as const
type List = (typeof lists)[number]

interface Props {
  onOpenUser: (id: string) => void
}

/** Withdrawals from contracts, newest first. Where plans are not sold and none was made, there is nothing. */
export function WithdrawalsSection({ onOpenUser }: Props) {
  const text = useText({ operatorWithdrawals })
  const { errors } = useText({ operator })
  const format = useFormat()
  const heading = useId()
  const [page, setPage] = useState<{ state: List; skip: number }>({ state: 'open', skip: 0 })
  const [asked, setAsked] = useState<Question | null>(null)
  const api = useApi()
  const { data: site } = useQuery(siteInfoQuery(api))
  const query = useQuery({
    queryKey: [...operatorKey, 'withdrawals', page],
    queryFn: ({ signal }) => api.call(listWithdrawals, { query: { ...page, limit: pageSize } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  const { data, isPlaceholderData } = query
  const focusFallback = useFocusFallback()
  if (site?.payments === 'off' && (data?.counts.open ?? 0) + (data?.counts.closed ?? 0) === 0) return null
  return (
    <section className="operator-section" id="withdrawals" aria-labelledby={heading} ref={focusFallback} tabIndex={-1}>
      <div className="row row--between">
        <div>
          <h2 id={heading}>{text.heading}</h2>
          <p className="small muted">{text.lead}</p>
        </div>
        <SegmentedControl
          legend={text.filter}
          value={page.state}
          options={lists.map((value) => ({
            value,
            label: text.filters[value](data ? format.count(data.counts[value]) : '').trim(),
          }))}
          onChange={(state) => setPage({ state, skip: 0 })}
        />
      </div>
      <SectionView query={query} failed={text.failed} loading={<ListSkeleton rows={1} />} stale={errors.outdated}>
        {({ withdrawals, total, skip }) => (
          <>
            {withdrawals.length > 0 ? (
              <ul className="operator-inbox" aria-busy={isPlaceholderData || undefined}>
                {withdrawals.map((withdrawal) => (
                  <Withdrawal key={withdrawal.id} {...{ withdrawal, onOpenUser }} onAsk={setAsked} />
                ))}
              </ul>
            ) : (
              <p className="card operator-empty operator-empty--card">
                <CircleCheck className="icon" />
                <span>{text.empty[page.state]}</span>
              </p>
            )}
            {total > 0 && (
              <Pager
                total={total}
                skip={skip}
                shown={withdrawals.length}
                pageSize={pageSize}
                isOutdated={isPlaceholderData}
                toPage={(to) => setPage({ ...page, skip: to })}
              />
            )}
          </>
        )}
      </SectionView>
      {asked && <Action {...asked} onClose={() => setAsked(null)} />}
    </section>
  )
}

/** What can be done with a withdrawal. */
type ActionName = 'accept' | 'link' | 'dismiss'
interface Question {
  action: ActionName
  withdrawal: OperatorWithdrawal
}

/** In the order of the buttons; the rules are those of the endpoints. */
function actionsOf({ state, found }: OperatorWithdrawal): ActionName[] {
  switch (state) {
    case 'waiting':
    case 'late':
      return ['accept', 'dismiss']
    case 'unmatched':
      return ['link', 'dismiss']
    case 'dismissed':
      return found ? ['accept'] : []
    default:
      return []
  }
}

const tones = {
  received: '',
  waiting: 'badge--warn',
  unmatched: 'badge--warn',
  late: 'badge--warn',
  accepted: 'badge--warn',
  done: 'badge--ok',
  dismissed: '',
} as const satisfies Record<OperatorWithdrawal['state'], string>

interface WithdrawalProps extends Props {
  withdrawal: OperatorWithdrawal
  onAsk: (question: Question) => void
}

function Withdrawal({ withdrawal, onAsk, onOpenUser }: WithdrawalProps) {
  const text = useText({ operatorWithdrawals })
  const format = useFormat()
  const { state, account, found, refunded_cents: refunded, note } = withdrawal
  const actions = actionsOf(withdrawal)
  return (
    <li className="card operator-withdrawal" data-withdrawal={withdrawal.id}>
      <div className="operator-inbox__head">
        <b dir="auto" translate="no">
          {withdrawal.name}
        </b>
        <span className={`badge ${tones[state]}`}>{text.states[state]}</span>
      </div>
      <p className="operator-inbox__text" dir="auto" translate="no">
        {withdrawal.contract}
      </p>
      <dl className="operator-facts">
        <Fact name={text.facts.made} className="tabular-numbers" translate="no">
          {format.dateTime(withdrawal.made_at)}
        </Fact>
        {withdrawal.done_at === null && state !== 'dismissed' && (
          <Fact name={text.facts.decideBy} className={`tabular-numbers ${withdrawal.is_overdue ? 'error-text' : ''}`}>
            {withdrawal.is_overdue && <TriangleAlert className="icon" />}
            {(withdrawal.is_overdue ? text.overdue : text.date)(format.dateTime(withdrawal.decide_by))}
          </Fact>
        )}
        <Fact name={text.facts.email}>
          <EmailAddress email={withdrawal.email} />
          <span className="tiny muted operator-line">{text.unconfirmed}</span>
        </Fact>
        <Fact name={text.facts.account}>
          {account === null ? (
            text.noAccount
          ) : (
            <>
              <AccountButton account={account} onOpenUser={onOpenUser} />
              {account.email.toLowerCase() !== withdrawal.email.toLowerCase() && (
                <span className="tiny operator-line">
                  <EmailAddress email={account.email} />
                </span>
              )}
            </>
          )}
        </Fact>
        <Fact name={text.facts.found}>
          {found === null
            ? text.noContract
            : text.contract(found.plan_name, format.date(found.concluded_at), format.dateTime(found.until))}
        </Fact>
        {withdrawal.accepted_by !== null && withdrawal.decided_at !== null && (
          <Fact name={text.facts.accepted}>
            {text.acceptedBy[withdrawal.accepted_by](format.dateTime(withdrawal.decided_at))}
          </Fact>
        )}
        {withdrawal.done_at !== null && (
          <Fact name={text.facts.refunded} className="tabular-numbers">
            {text.refunded(format.price(refunded ?? 0), format.dateTime(withdrawal.done_at))}
          </Fact>
        )}
        {note !== null && (
          <Fact name={text.facts.note} dir="auto" translate="no">
            {note}
          </Fact>
        )}
      </dl>
      {actions.length > 0 && (
        <div className="row">
          {actions.map((action) => (
            <Button
              key={action}
              aria-label={text.actionOf(text.actions[action].name, withdrawal.name)}
              onClick={() => onAsk({ action, withdrawal })}
            >
              {text.actions[action].name}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
}

function Action({ action, withdrawal, onClose }: Question & { onClose: () => void }) {
  const text = useText({ operatorWithdrawals })
  const api = useApi()
  const [email, setEmail] = useState('')
  const { name, made_at: madeAt } = withdrawal
  const format = useFormat()
  const { title, question, submit, done } = text.actions[action]
  const params = { id: withdrawal.id }
  const act = {
    accept: (reason: string) => api.call(acceptWithdrawal, { params, body: { reason } }),
    dismiss: (reason: string) => api.call(dismissWithdrawal, { params, body: { reason } }),
    link: (reason: string) => api.call(linkWithdrawal, { params, body: { reason, email: email.trim() } }),
  }[action]
  const isLink = action === 'link'
  return (
    <ConfirmedAction
      title={title}
      question={question(name, format.dateTime(madeAt))}
      submit={submit}
      dismiss={text.keep}
      danger={action === 'accept'}
      act={act}
      done={() => done(name)}
      onClose={onClose}
      {...(isLink && email.trim() === '' && { errors: { email: text.emailNeeded } })}
    >
      {(shown) =>
        isLink && (
          <Field
            label={text.emailLabel}
            name="email"
            type="email"
            value={email}
            maxLength={adminLimits.searchChars}
            required
            error={shown['email']}
            onChange={({ target }) => setEmail(target.value)}
          />
        )
      }
    </ConfirmedAction>
  )
}
