import { Check, TriangleAlert } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { emailChars } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { withdrawalFieldChars, withdrawalFields, type WithdrawalFields } from '@keepsnap/contract/withdrawals.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { translateSentence } from '../lib/server-sentences.ts'
import { emails } from '../messages/en/emails.ts'
import { pricing } from '../messages/en/pricing.ts'
import { refusals } from '../messages/en/refusals.ts'
import { withdrawalLink } from '../messages/en/withdrawal-emails.ts'
import { withdrawal } from '../messages/en/withdrawals.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import { Note } from '../ui/Note.tsx'
import type { FormatDateTime } from './date-time.ts'
import { GuestLayout, useGuestLanguage, WideLink, withdrawPath } from './GuestLayout.tsx'

// The law counts days in Belgium, and a receipt names its time zone.
const lawTimeZone = 'Europe/Brussels'

type FormPage = Extract<GuestPage, { page: 'withdraw' }>

interface FormPageProps {
  page: FormPage
  formatMoment: FormatDateTime
}

/** The answer to the form of the page of withdrawals without JavaScript, in its two steps. */
export function WithdrawalFormPage({ page, formatMoment }: FormPageProps) {
  return (
    <GuestLayout look="form">
      <div className="guest__actions guest__message">
        {page.state === 'made' ? (
          <Made page={page} formatMoment={formatMoment} />
        ) : page.state === 'confirm' ? (
          <Confirmation fields={page.fields} />
        ) : (
          <Form page={page} />
        )}
      </div>
    </GuestLayout>
  )
}

/** An address that may break before its domain. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <b className="guest__addr email-address" translate="no">
      <span>{email.slice(0, at)}</span>
      <wbr />
      <span>{email.slice(at)}</span>
    </b>
  )
}

function Made({ page: { fields, madeAt }, formatMoment }: FormPageProps) {
  const text = useText({ withdrawal }).made
  return (
    <div className="stack">
      <span className="guest__tick">
        <Check className="icon" />
      </span>
      <h1>{text.heading}</h1>
      {madeAt !== null && <p>{text.at(formatMoment(madeAt, lawTimeZone))}</p>}
      <p>
        {text.receipt} <Address email={fields.email} />.
      </p>
      <p className="muted">{text.email}</p>
      <p className="tiny muted">{text.spam}</p>
      <WideLink href={pages.home}>{text.home}</WideLink>
    </div>
  )
}

/** What was entered, for the next step. */
const HiddenFields = ({ fields }: { fields: WithdrawalFields }) =>
  withdrawalFields.map((name) => <input key={name} type="hidden" name={name} value={fields[name]} />)

/** The second step: repeats what will be declared. */
function Confirmation({ fields }: { fields: WithdrawalFields }) {
  const text = useText({ withdrawal })
  return (
    <form className="stack" method="post" action={withdrawPath(useGuestLanguage())}>
      <h1>{text.confirm.heading}</h1>
      <p>{text.confirm.lead}</p>
      <blockquote className="stack">
        <p>
          <b>{text.confirm.declaration}</b>
        </p>
        {withdrawalFields.map((name) => (
          <p key={name}>
            <span className="muted">{text.fields[name]}</span>
            <br />
            <span dir={name === 'email' ? undefined : 'auto'}>{fields[name]}</span>
          </p>
        ))}
      </blockquote>
      <p className="small muted">{text.confirm.email}</p>
      <p className="small muted">{text.confirm.photos}</p>
      <HiddenFields fields={fields} />
      <button className={buttonClass({ tone: 'primary', large: true, block: true })} name="confirmed" value="yes">
        {text.confirm.submit}
      </button>
      <button className={buttonClass({ tone: 'quiet', large: true, block: true })} name="confirmed" value="no">
        {text.confirm.back}
      </button>
    </form>
  )
}

function Form({ page: { state, fields, problems, problem } }: { page: FormPage }) {
  const text = useText({ withdrawal })
  const translations = useText({ refusals })
  const firstBad = withdrawalFields.find((name) => problems[name] !== undefined)
  return (
    <form className="stack" method="post" action={withdrawPath(useGuestLanguage())}>
      <h1>{text.title}</h1>
      <p>{text.lead}</p>
      {state !== 'form' && (
        <div className="guest__problem" role="alert">
          <Note tone="bad">
            {text.failed} {state === 'failed' && problem !== null && translateSentence(problem, translations)}
          </Note>
        </div>
      )}
      {withdrawalFields.map((name) => (
        <Field key={name} name={name} value={fields[name]} problems={problems} isFirstBad={name === firstBad} />
      ))}
      <button className={buttonClass({ tone: 'primary', large: true, block: true })}>{text.next}</button>
    </form>
  )
}

const autoComplete = { name: 'name', email: 'email', contract: 'off' } as const

interface FieldProps {
  name: keyof WithdrawalFields
  value: string
  problems: FormPage['problems']
  isFirstBad: boolean
}

function Field({ name, value, problems, isFirstBad }: FieldProps) {
  const text = useText({ withdrawal })
  const error = useProblemText(name, problems)
  const hint = { name: null, email: text.emailHint, contract: text.contractHint }[name]
  const describedBy = [...(hint === null ? [] : [`${name}-hint`]), ...(error === null ? [] : [`${name}-error`])]
  const attributes = {
    className: 'input',
    id: name,
    name,
    required: true,
    defaultValue: value,
    dir: name === 'email' ? undefined : 'auto',
    autoComplete: autoComplete[name],
    'aria-invalid': error !== null,
    ...(describedBy.length > 0 && { 'aria-describedby': describedBy.join(' ') }),
    // Moves the focus to the first field with an error.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    autoFocus: isFirstBad,
  }
  return (
    <div className={error === null ? 'field' : 'field field--bad'}>
      <label htmlFor={name}>{text.fields[name]}</label>
      {name === 'contract' ? (
        <textarea {...attributes} rows={3} maxLength={withdrawalFieldChars.contract} />
      ) : (
        <input
          {...attributes}
          type={name === 'email' ? 'email' : 'text'}
          maxLength={name === 'email' ? emailChars : withdrawalFieldChars[name]}
        />
      )}
      {hint !== null && (
        <p className="tiny muted" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p className="error" id={`${name}-error`}>
          <TriangleAlert className="icon" />
          <span>{error}</span>
        </p>
      )}
    </div>
  )
}

function useProblemText(name: keyof WithdrawalFields, problems: FormPage['problems']): string | null {
  const text = useText({ withdrawal }).problems
  const { count } = useFormat()
  const problem = problems[name]
  if (problem === undefined) return null
  if (name === 'email') return text.email[problem]
  return problem === 'long' ? text[name].long(count(withdrawalFieldChars[name])) : text[name].missing
}

interface LinkPageProps {
  page: Extract<GuestPage, { page: 'withdrawal-link' }>
  formatMoment: FormatDateTime
}

/** The page of the link in a receipt: its button ends the plan, because mail scanners open links. */
export function WithdrawalLinkPage({ page, formatMoment }: LinkPageProps) {
  const { state, action, plan: planId, madeAt, refundedCents, isDemo } = page
  const text = useText({ withdrawalLink })
  const plan = useText({ pricing }).names[planId]
  const { demo } = useText({ emails }).plan
  const { price } = useFormat()
  const isDone = state === 'accepted' || state === 'done'
  return (
    <GuestLayout look="form">
      <div className="guest__actions stack guest__message">
        <span className={isDone ? 'guest__tick' : 'guest__mark'}>
          {isDone ? <Check className="icon" /> : <LogoMark />}
        </span>
        <h1>{state === 'closed' ? text.closed.heading : text[state].heading(plan)}</h1>
        {state === 'ask' && <p>{text.ask.lead(formatMoment(madeAt, lawTimeZone))}</p>}
        {state === 'ask' && <p className="muted">{text.ask.effect}</p>}
        {state === 'accepted' && <p>{text.accepted.lead}</p>}
        {state === 'done' && <p>{refundedCents ? text.done.refunded(price(refundedCents)) : text.done.nothing}</p>}
        {state === 'closed' && <p className="muted">{text.closed.lead}</p>}
        {isDemo && state !== 'closed' && <p className="tiny muted">{demo}</p>}
        {action !== null && (
          <form method="post" action={action}>
            <button className={buttonClass({ tone: 'primary', large: true, block: true })}>{text.ask.button}</button>
          </form>
        )}
        <WayOut state={state} />
      </div>
    </GuestLayout>
  )
}

/** Where to go from the page of a link when there is nothing left to do on it. */
function WayOut({ state }: Pick<LinkPageProps['page'], 'state'>) {
  const { home } = useText({ withdrawal }).made
  const { support } = useText({ withdrawalLink })
  if (state === 'ask') return null
  return state === 'closed' ? (
    <WideLink href={pages.support}>{support}</WideLink>
  ) : (
    <WideLink href={pages.home}>{home}</WideLink>
  )
}
