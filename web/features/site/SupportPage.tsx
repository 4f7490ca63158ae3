import { Check, Link as LinkIcon, Mail, Plus, Send } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useMutation, useQuery } from '@tanstack/react-query'
import {
  sendSupportMessage,
  supportFieldChars,
  type SupportFields,
  supportFields,
  supportProblems,
  type SupportProblems,
} from '@keepsnap/contract/site.ts'
import { languageParameter } from '@keepsnap/contract/languages.ts'
import { useFormat, useLanguageTag, useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { support, supportQuestions } from '../../messages/en/support.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { claims } from '../../messages/en/pricing.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import { useApi, useCurrentUser } from '../../lib/app-services.tsx'
import { openStorage } from '../../lib/storage.ts'
import { endpointPath } from '../../lib/api.ts'
import { Field, TextAreaField } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { usePlanStatus } from '../plans/plan-status.ts'
import { type SupportQuestion, supportQuestionGroups } from './support-questions.ts'
import { siteInfoQuery } from './site-info.ts'
import '../../styles/questions.css'
import './support.css'

/** Questions and answers, and a contact form. */
export function SupportPage() {
  const text = useText({ support })
  usePageTitle(text.title)
  const { user } = useCurrentUser()
  const [sent, setSent] = useState<SupportFields | null>(null)
  return (
    <div className="wrap">
      <header className="page-head support__head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p>{text.lead}</p>
        </div>
        {sent === null && (
          <Link className={buttonClass({})} to={{ hash: 'write' }}>
            <Mail className="icon" />
            {text.write}
          </Link>
        )}
      </header>
      <div className="support">
        <Questions />
        <section className="card support__form" id="write" aria-labelledby="write-heading">
          {sent ? (
            <MessageSent sent={sent} onAnother={() => setSent(null)} />
          ) : (
            <>
              <h2 id="write-heading">{text.write}</h2>
              <SupportForm
                // Text typed before the user has loaded is in the visitor's draft, which the user's form continues.
                key={user?.id ?? null}
                sender={{ userId: user?.id ?? null, name: user?.username ?? '', email: user?.email ?? '' }}
                onSent={setSent}
              />
            </>
          )}
        </section>
      </div>
    </div>
  )
}

/** Replaces the form after the message was sent. */
function MessageSent({ sent, onAnother }: { sent: SupportFields; onAnother: () => void }) {
  const text = useText({ support }).sent
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="stack support__sent">
      <span className="support__tick">
        <Check className="icon" />
      </span>
      <h2 ref={heading} tabIndex={-1} id="write-heading">
        {text.heading}
      </h2>
      <p>
        {text.answer}{' '}
        <b>
          <EmailAddress email={sent.email.trim()} />
        </b>
        . {text.spam}
      </p>
      <blockquote translate="no" dir="auto">
        <b>{sent.subject.trim()}</b>
        <span>{sent.message.trim()}</span>
      </blockquote>
      <div className="row">
        <Button onClick={onAnother}>{text.another}</Button>
        <Link className={buttonClass({ tone: 'ghost' })} to={paths.home}>
          {text.home}
        </Link>
      </div>
    </div>
  )
}

/** Questions and answers; the address of each opens it. */
function Questions() {
  const text = useText({ support })
  const groups = supportQuestionGroups(useText({ supportQuestions }), useText({ claims }))
  const list = useOpenedQuestion()
  return (
    <section className="support__questions" aria-labelledby="questions" ref={list}>
      <h2 id="questions" className="visually-hidden">
        {text.questions}
      </h2>
      {groups.map(({ heading, questions }) => (
        <div key={heading}>
          <h3 className="support__group">{heading}</h3>
          <div className="questions">
            {questions.map((question) => (
              <Question key={question.id} {...question} />
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}

function Question({ id, question, answer }: SupportQuestion) {
  const text = useText({ support })
  return (
    <details id={id}>
      <summary>
        {question}
        <Plus className="icon" />
      </summary>
      <p>
        {answer}{' '}
        <Link className="support__link" to={{ hash: id }} aria-label={text.linkTo(question)}>
          <LinkIcon className="icon" />
        </Link>
      </p>
    </details>
  )
}

/** Opens the question that the address names. */
function useOpenedQuestion() {
  const list = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    const named = Array.from(list.current?.querySelectorAll('details') ?? []).find(({ id }) => `#${id}` === hash)
    if (named) named.open = true
  }, [hash])
  return list
}

/** Who writes, as far as it is known. */
interface Sender {
  userId: string | null
  name: string
  email: string
}

/** The contact form. */
function SupportForm({ sender, onSent }: { sender: Sender; onSent: (sent: SupportFields) => void }) {
  const hasPriority = usePlanStatus().data?.plan.features.priority_support === true
  const { data: site } = useQuery(siteInfoQuery(useApi()))
  const supportEmail = site && !site.operator.is_sample ? site.support_email : null
  const text = useText({ support })
  const form = useSupportForm(sender, onSent)
  // Without JavaScript: the answer is in the language of this page.
  const action = endpointPath(sendSupportMessage, { query: { [languageParameter]: useLanguageTag() } })
  return (
    <form className="stack" method="post" action={action} noValidate onSubmit={form.submit}>
      {form.failure && <Failure error={form.failure} supportEmail={supportEmail} />}
      <div className="support__pair">
        <TextField form={form} name="name" autoComplete="name" />
        <TextField form={form} name="email" type="email" autoComplete="email" inputMode="email" spellCheck={false} />
      </div>
      <TextField form={form} name="subject" autoComplete="off" />
      <MessageField form={form} />
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">{text.honeypot}</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <div className="row support__send">
        <Button type="submit" tone="primary" large busy={form.isSending}>
          {!form.isSending && <Send className="icon" />}
          {form.isSending ? text.sending : form.failure ? text.sendAgain : text.send}
        </Button>
        <p className="small muted">{hasPriority ? text.priority : text.privacy}</p>
      </div>
    </form>
  )
}

/** `supportEmail`: where people can write instead; null without one. */
function Failure({ error, supportEmail }: { error: Error; supportEmail: string | null }) {
  const text = useText({ support })
  return (
    <Note tone="bad">
      {text.failed} {failureText(error, text)}
      <br />
      {text.stillHere}
      {supportEmail !== null && (
        <>
          {' '}
          {text.orEmail}{' '}
          <a className="link" href={`mailto:${supportEmail}`} translate="no">
            {supportEmail}
          </a>
          .
        </>
      )}
    </Note>
  )
}

const minuteSeconds = 60
const hourSeconds = 3_600

/** Why a message was not sent, by the code of the refusal. */
function failureText(error: unknown, text: SupportText): string {
  if (error instanceof NetworkError) return error.reason === 'unreachable' ? text.offline : text.tryAgain
  if (!(error instanceof ApiError) || error.code !== 'rate_limited') return text.tryAgain
  const seconds = error.retryAfter ?? minuteSeconds
  const wait =
    seconds < hourSeconds
      ? text.waitMinutes(Math.ceil(seconds / minuteSeconds))
      : text.waitHours(Math.ceil(seconds / hourSeconds))
  return text.tooMany(wait)
}

interface TextFieldProps {
  form: SupportFormState
  name: Exclude<keyof SupportFields, 'message'>
  type?: 'email'
  autoComplete: string
  inputMode?: 'email'
  spellCheck?: boolean
}

function TextField({ form, name, ...input }: TextFieldProps) {
  const text = useText({ support })
  const format = useFormat()
  return (
    <Field
      {...input}
      name={name}
      label={text.fields[name]}
      required
      dir={name === 'email' ? undefined : 'auto'}
      value={form.fields[name]}
      error={fieldProblemText(name, form.problems, { text, format })}
      onChange={({ target }) => form.change(name, target.value)}
    >
      {name !== 'email' && <Counter name={name} value={form.fields[name]} />}
    </Field>
  )
}

function MessageField({ form }: { form: SupportFormState }) {
  const text = useText({ support })
  const format = useFormat()
  return (
    <TextAreaField
      name="message"
      label={text.fields.message}
      required
      dir="auto"
      rows={7}
      value={form.fields.message}
      error={fieldProblemText('message', form.problems, { text, format })}
      onChange={({ target }) => form.change('message', target.value)}
    >
      <Counter name="message" value={form.fields.message} />
    </TextAreaField>
  )
}

type SupportText = Catalogue['support']

/** What is wrong with a field, as a sentence; undefined when nothing is. */
function fieldProblemText(
  name: keyof SupportFields,
  problems: SupportProblems,
  { text, format }: { text: SupportText; format: Pick<Format, 'count'> },
): string | undefined {
  const problem = problems[name]
  if (problem === undefined) return undefined
  if (name === 'email') return text.problems.email[problem]
  const sentences = text.problems[name]
  return problem === 'long' ? sentences.long(format.count(supportFieldChars[name])) : sentences.missing
}

/** From this share of the limit on, the field says how many characters are left. */
const shownFrom = 0.9

function Counter({ name, value }: { name: keyof typeof supportFieldChars; value: string }) {
  const text = useText({ support })
  const { count } = useFormat()
  const left = supportFieldChars[name] - value.trim().length
  if (value.length < supportFieldChars[name] * shownFrom) return null
  return (
    <p className={`tiny tabular-numbers ${left < 0 ? 'support__over' : 'muted'}`}>
      {left < 0 ? text.charactersOver(-left, count(-left)) : text.charactersLeft(left, count(left))}
    </p>
  )
}

type SupportFormState = ReturnType<typeof useSupportForm>

const hasProblems = (problems: SupportProblems): boolean => Object.keys(problems).length > 0

/** The contact form: filled with the sender's name and address, kept until it is sent, sent once. */
function useSupportForm(sender: Sender, onSent: (sent: SupportFields) => void) {
  const api = useApi()
  const { draft, write, clear } = useDraft(sender.userId)
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<SupportProblems>({})
  // The state of the mutation changes only with the next rendering, after a second click.
  const isUnderWay = useRef(false)
  const fields: SupportFields = { name: sender.name, email: sender.email, subject: '', message: '', ...draft }
  const sending = useMutation({
    mutationFn: (body: SupportFields & { website?: string }) =>
      api.call(sendSupportMessage, { query: { lang: document.documentElement.lang }, body }),
    onSuccess() {
      clear()
      onSent(fields)
    },
    onSettled() {
      isUnderWay.current = false
    },
  })
  return {
    fields,
    problems: isChecked ? { ...supportProblems(fields), ...refused } : {},
    change(name: keyof SupportFields, value: string): void {
      write({ ...draft, [name]: value })
      setRefused((problems) => {
        const { [name]: _, ...others } = problems
        return others
      })
    },
    submit(event: SubmitEvent<HTMLFormElement>): void {
      event.preventDefault()
      const form = event.currentTarget
      setChecked(true)
      const found = supportProblems(fields)
      if (hasProblems(found)) return focusFirst(form, found)
      setRefused({})
      if (isUnderWay.current) return
      isUnderWay.current = true
      const onError = (error: Error): void => {
        const problems = refusedFields(error, fields)
        setRefused(problems)
        focusFirst(form, problems)
      }
      // Only bots fill in the honeypot.
      const website = new FormData(form).get('website')
      sending.mutate({ ...fields, ...(typeof website === 'string' && website !== '' && { website }) }, { onError })
    },
    isSending: sending.isPending,
    /** Why the whole message was not sent; null also when fields were refused. */
    failure: hasProblems(refused) ? null : sending.error,
  }
}

/** The fields that the server refused. Only the server detects some invalid domains. */
function refusedFields(error: unknown, fields: SupportFields): SupportProblems {
  if (!(error instanceof ApiError) || !Array.isArray(error.detail)) return {}
  const known = supportProblems(fields)
  return Object.fromEntries(
    error.detail.flatMap(({ loc }) => {
      const name = loc[1]
      return typeof name === 'string' && name in fields ? [[name, known[name as keyof SupportFields] ?? 'form']] : [] // a key, see `in`
    }),
  )
}

function focusFirst(form: HTMLFormElement, problems: SupportProblems): void {
  const first = supportFields.find((name) => problems[name] !== undefined)
  const field = first && form.elements.namedItem(first)
  if (field instanceof HTMLElement) field.focus()
}

/** What was typed into the form; a field that was not touched is missing. */
type Draft = Partial<SupportFields>

const storageKey = 'support-draft'

/**
 * What was typed in this tab, kept across reloads until it is sent. A draft belongs to the account that was signed in: nobody
 * who signs in afterwards sees it. That of a visitor goes on after signing in.
 */
function useDraft(userId: string | null) {
  const [storage] = useState(() => openStorage(() => window.sessionStorage))
  const [draft, setDraft] = useState((): Draft => {
    const stored = parse(storage.get(storageKey))
    if (stored['owner'] !== undefined && stored['owner'] !== userId) return {}
    return Object.fromEntries(
      supportFields.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]])),
    )
  })
  return {
    draft,
    write(changed: Draft) {
      setDraft(changed)
      storage.set(storageKey, JSON.stringify({ ...changed, ...(userId !== null && { owner: userId }) }))
    },
    clear: () => storage.set(storageKey, null),
  }
}

/** The texts of a stored object; anything else may have been written by another version, or by hand. */
function parse(text: string | null): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
