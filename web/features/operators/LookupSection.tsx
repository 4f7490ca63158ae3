import {
  type AddressDetails,
  eraseGuest,
  findEmails,
  findPhoto,
  type FoundPhoto,
  type OperatorEmail,
  sendEmailAgain,
} from '@keepsnap/contract/operator-support.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { RotateCw, Search } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useId, useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { useFocusFallback } from '../../lib/focus.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operatorLookup } from '../../messages/en/operators.ts'
import { Button } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { AccountButton, ConfirmedAction, ListSkeleton, operatorKey, refetchInterval } from './section-parts.tsx'

interface Props {
  onOpenUser: (id: string) => void
}

/** Finds the emails to an address, and whose a photo is. */
export function LookupSection(props: Props) {
  const text = useText({ operatorLookup })
  const heading = useId()
  return (
    <section className="operator-section" aria-labelledby={heading} ref={useFocusFallback()} tabIndex={-1}>
      <h2 id={heading}>{text.heading}</h2>
      <p className="small muted">{text.lead}</p>
      <div className="operator-columns operator-lookup">
        <FindEmails {...props} />
        <FindPhoto {...props} />
      </div>
    </section>
  )
}

interface LookupFormProps {
  text: { heading: string; label: string; hint?: string; find: string }
  type: 'email' | 'text'
  maxLength: number
  busy: boolean
  onFind: (typed: string) => void
  children: ReactNode
}

function LookupForm({ text, busy, onFind, children, ...input }: LookupFormProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (typed.trim() !== '') onFind(typed.trim())
  }
  return (
    <section className="operator-column operator-lookup__part" aria-labelledby={id}>
      <h3 id={id}>{text.heading}</h3>
      <form onSubmit={submit} noValidate>
        <Field
          {...input}
          label={text.label}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        >
          {text.hint && <p className="tiny muted">{text.hint}</p>}
        </Field>
        <Button type="submit" busy={busy}>
          {!busy && <Search className="icon" />}
          {text.find}
        </Button>
      </form>
      {children}
    </section>
  )
}

function FindEmails({ onOpenUser }: Props) {
  const text = useText({ operatorLookup }).emails
  const [address, setAddress] = useState('')
  const api = useApi()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...operatorKey, 'emails', address],
    queryFn: ({ signal }) => api.call(findEmails, { query: { address } }, { signal }),
    enabled: address !== '',
    refetchInterval,
    // An address that is none stays so.
    retry: false,
  })
  return (
    <LookupForm
      text={text}
      type="email"
      maxLength={adminLimits.searchChars}
      busy={isFetching && !data}
      onFind={(typed) => (typed === address ? void refetch() : setAddress(typed))}
    >
      {error && <Note tone="bad">{errorMessage(error, text.failed)}</Note>}
      {isFetching && !data && <ListSkeleton rows={2} />}
      {data && <AddressResult key={address} address={address} details={data} onOpenUser={onOpenUser} />}
    </LookupForm>
  )
}

function AddressResult({ address, details, onOpenUser }: Props & { address: string; details: AddressDetails }) {
  const text = useText({ operatorLookup }).emails
  const format = useFormat()
  const [resent, setResent] = useState<OperatorEmail | null>(null)
  const [isErasing, setErasing] = useState(false)
  const { emails, total, guest_emails: toGuest, requests, support_messages: messages, unsubscribed, account } = details
  const facts = [
    text.requests(requests, format.count(requests)),
    text.messages(messages, format.count(messages)),
    unsubscribed ? text.unsubscribed : text.subscribed,
  ]
  return (
    <div className="operator-lookup__result">
      {total === 0 && <p className="operator-empty">{text.none}</p>}
      {total > emails.length && (
        <p className="small muted">{text.newest(format.count(emails.length), format.count(total))}</p>
      )}
      <ul className="operator-photos">
        {emails.map((email) => (
          <EmailRow key={email.id} email={email} onSend={() => setResent(email)} onOpenUser={onOpenUser} />
        ))}
      </ul>
      <p className="small">{text.parts(facts)}</p>
      {account && (
        <p className="small">
          {text.account} <AccountButton account={account} onOpenUser={onOpenUser} />
        </p>
      )}
      {toGuest + requests + messages > 0 && (
        <Button tone="danger" onClick={() => setErasing(true)}>
          {text.erase}
        </Button>
      )}
      {resent && <SendAgainDialog email={resent} onClose={() => setResent(null)} />}
      {isErasing && <EraseDialog address={address} details={details} onClose={() => setErasing(false)} />}
    </div>
  )
}

const emailTones = { waiting: 'badge--warn', sending: '', sent: 'badge--ok', failed: 'badge--bad' }

function EmailRow({ email, onSend, onOpenUser }: Props & { email: OperatorEmail; onSend: () => void }) {
  const text = useText({ operatorLookup }).emails
  const format = useFormat()
  const { kind, state, recipient, created_at: createdAt, sent_at: sentAt, next_try_at: nextTryAt, attempts } = email
  const times = [
    text.written(format.dateTime(createdAt)),
    ...(state === 'sent' && sentAt !== null ? [text.sent(format.dateTime(sentAt))] : []),
    ...(nextTryAt === null ? [] : [text.next(format.dateTime(nextTryAt))]),
    ...(attempts === 0 ? [] : [text.attempts(attempts, format.count(attempts))]),
  ]
  return (
    <li data-email={email.id}>
      <div className="operator-photos__main">
        <p className="operator-photos__head">
          <span className="ellipsis operator-photos__name" translate="no">
            {kind}
          </span>
          <span className={`badge ${emailTones[state]}`}>{text.states[state]}</span>
        </p>
        <p className="tiny muted tabular-numbers">{text.parts(times)}</p>
        {email.reason !== null && (
          <p className={state === 'failed' ? 'operator-photos__why' : 'tiny'} translate="no">
            {email.reason}
          </p>
        )}
        <p className="tiny muted operator-photos__owner">
          <EmailAddress email={recipient} />
          {email.account && <AccountButton account={email.account} onOpenUser={onOpenUser} />}
        </p>
      </div>
      {state !== 'sending' && (
        <Button aria-label={text.sendOne(kind, format.dateTime(createdAt))} onClick={onSend}>
          <RotateCw className="icon" />
          {text.sendAgain}
        </Button>
      )}
    </li>
  )
}

function SendAgainDialog({ email, onClose }: { email: OperatorEmail; onClose: () => void }) {
  const text = useText({ operatorLookup }).send
  const api = useApi()
  return (
    <ConfirmedAction
      title={text.title}
      question={text.question(email.recipient)}
      submit={text.submit}
      act={(reason) => api.call(sendEmailAgain, { params: { id: email.id }, body: { reason } })}
      done={() => text.done}
      onClose={onClose}
    />
  )
}

function EraseDialog({ address, details, onClose }: { address: string; details: AddressDetails; onClose: () => void }) {
  const { emails: words, eraseGuest: text } = useText({ operatorLookup })
  const format = useFormat()
  const api = useApi()
  const { guest_emails: emails, requests, support_messages: messages } = details
  const what = text.what(
    words.requests(requests, format.count(requests)),
    text.emails(emails, format.count(emails)),
    words.messages(messages, format.count(messages)),
  )
  return (
    <ConfirmedAction
      title={text.title}
      question={text.question(address, what)}
      submit={text.submit}
      danger
      dismiss={text.dismiss}
      act={(reason) => api.call(eraseGuest, { body: { address, reason } })}
      done={() => text.done}
      onClose={onClose}
    >
      {() => <p className="small muted">{text.reasonHint}</p>}
    </ConfirmedAction>
  )
}

function FindPhoto({ onOpenUser }: Props) {
  const text = useText({ operatorLookup }).photos
  const [searched, setSearched] = useState('')
  const api = useApi()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...operatorKey, 'photo', searched],
    queryFn: ({ signal }) => api.call(findPhoto, { query: { text: searched } }, { signal }),
    enabled: searched !== '',
    retry: false,
  })
  return (
    <LookupForm
      text={text}
      type="text"
      maxLength={adminLimits.linkChars}
      busy={isFetching && !data}
      onFind={(typed) => (typed === searched ? void refetch() : setSearched(typed))}
    >
      {error && <Note tone="bad">{errorMessage(error, text.failed)}</Note>}
      {isFetching && !data && <ListSkeleton rows={2} />}
      {data?.photos.length === 0 && <p className="operator-empty">{text.none}</p>}
      {data?.photos.map((photo) => (
        <PhotoFacts key={photo.id} photo={photo} onOpenUser={onOpenUser} />
      ))}
    </LookupForm>
  )
}

function PhotoFacts({ photo, onOpenUser }: Props & { photo: FoundPhoto }) {
  const text = useText({ operatorLookup }).photos
  const format = useFormat()
  const state = text.states[photo.state]
  const times = [
    [text.facts.uploaded, photo.uploaded_at],
    [text.facts.processed, photo.processed_at],
    [photo.hidden_by_operator ? text.facts.hiddenByOperator : text.facts.hidden, photo.hidden_at],
    [text.facts.deleted, photo.deleted_at],
  ] as const
  return (
    <dl className="operator-facts tabular-numbers" data-found-photo={photo.id}>
      <Fact name={text.facts.id} translate="no">
        <code>{photo.id}</code>
      </Fact>
      {photo.owner && (
        <Fact name={text.facts.owner}>
          <AccountButton account={photo.owner} onOpenUser={onOpenUser} />
        </Fact>
      )}
      {photo.filename !== null && (
        <Fact name={text.facts.file} translate="no">
          {photo.filename}
        </Fact>
      )}
      <Fact name={text.facts.state}>
        {photo.error_message === null ? state : text.stateWith(state, photo.error_message)}
      </Fact>
      {times.map(
        ([name, at]) =>
          at !== null && (
            <Fact key={name} name={name}>
              {text.time(format.dateTime(at))}
            </Fact>
          ),
      )}
      <Fact name={text.facts.reports}>{text.count(format.count(photo.reports))}</Fact>
    </dl>
  )
}
