import { Check, Send, TriangleAlert } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { emailChars } from '@keepsnap/contract/limits.ts'
import { supportFieldChars, supportFields, type SupportFields } from '@keepsnap/contract/site.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { translateSentence } from '../lib/server-sentences.ts'
import { refusals } from '../messages/en/refusals.ts'
import { support } from '../messages/en/support.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { GuestLayout, supportPath, useGuestLanguage, WideLink } from './GuestLayout.tsx'

type SupportPageProps = Extract<GuestPage, { page: 'support' }>

/** The answer to the contact form of the support page without JavaScript. */
export function SupportFormPage({ page }: { page: SupportPageProps }) {
  return (
    <GuestLayout look="form">
      <div className="guest__actions">{page.state === 'sent' ? <MessageSent {...page} /> : <Form page={page} />}</div>
    </GuestLayout>
  )
}

function MessageSent({ fields: { email } }: SupportPageProps) {
  const text = useText({ support })
  const at = email.lastIndexOf('@')
  return (
    <div className="stack guest__message">
      <span className="guest__tick">
        <Check className="icon" />
      </span>
      <h1>{text.sent.heading}</h1>
      <p>
        {text.sent.answer}{' '}
        <b className="guest__addr email-address" translate="no">
          <span>{email.slice(0, at)}</span>
          <wbr />
          <span>{email.slice(at)}</span>
        </b>
        .
      </p>
      <p className="muted">{text.sent.spam}</p>
      <WideLink href={supportPath(useGuestLanguage())}>{text.sent.back}</WideLink>
    </div>
  )
}

function Form({ page: { state, fields, problems, problem } }: { page: SupportPageProps }) {
  const text = useText({ support })
  const translations = useText({ refusals })
  const firstBad = supportFields.find((name) => problems[name] !== undefined)
  return (
    <form className="stack" method="post" action={supportPath(useGuestLanguage())}>
      <h1>{text.write}</h1>
      <div className="guest__problem" role="alert">
        <Note tone="bad">
          {text.failed} {state === 'failed' && problem !== null && translateSentence(problem, translations)}
        </Note>
      </div>
      {supportFields.map((name) => (
        <Field key={name} name={name} value={fields[name]} problems={problems} isFirstBad={name === firstBad} />
      ))}
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">{text.honeypot}</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <button className={buttonClass({ tone: 'primary', large: true, block: true })}>
        <Send className="icon" />
        {state === 'failed' ? text.sendAgain : text.send}
      </button>
      <p className="tiny muted guest__consent">{text.privacy}</p>
    </form>
  )
}

const autoComplete = { name: 'name', email: 'email', subject: 'off', message: 'off' } as const

interface FieldProps {
  name: keyof SupportFields
  value: string
  problems: SupportPageProps['problems']
  isFirstBad: boolean
}

function Field({ name, value, problems, isFirstBad }: FieldProps) {
  const text = useText({ support })
  const error = useProblemText(name, problems)
  const attributes = {
    className: 'input',
    id: name,
    name,
    required: true,
    defaultValue: value,
    dir: name === 'email' ? undefined : 'auto',
    autoComplete: autoComplete[name],
    'aria-invalid': error !== null,
    ...(error !== null && { 'aria-describedby': `${name}-error` }),
    // Moves the focus to the first field with an error.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    autoFocus: isFirstBad,
  }
  return (
    <div className={error === null ? 'field' : 'field field--bad'}>
      <label htmlFor={name}>{text.fields[name]}</label>
      {name === 'message' ? (
        <textarea {...attributes} rows={8} maxLength={supportFieldChars.message} />
      ) : (
        <input
          {...attributes}
          type={name === 'email' ? 'email' : 'text'}
          maxLength={name === 'email' ? emailChars : supportFieldChars[name]}
        />
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

function useProblemText(name: keyof SupportFields, problems: SupportPageProps['problems']): string | null {
  const text = useText({ support }).problems
  const { count } = useFormat()
  const problem = problems[name]
  if (problem === undefined) return null
  if (name === 'email') return text.email[problem]
  return problem === 'long' ? text[name].long(count(supportFieldChars[name])) : text[name].missing
}
