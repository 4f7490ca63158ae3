import { Check, Info, Mail, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { limits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { translateSentence } from '../lib/server-sentences.ts'
import type { Catalogue } from '../messages/en.ts'
import { guest } from '../messages/en/guests.ts'
import { refusals } from '../messages/en/refusals.ts'
import { useText } from '../lib/i18n.tsx'
import { useGuestLanguage, WideLink } from './GuestLayout.tsx'

/** What the server answers to a request that it refuses, in English. */
const requestRefusals = [
  'Unable to load photo details. The photo may not exist or may be private.',
  'Too many requests from your network today. Please try again later.',
  'Too many people are requesting photos right now. Please try again later.',
  "Email isn't set up here. Please ask the person who took the photo.",
  'The service is busy right now. Please try again.',
  'The photos of this event are not open.',
  'The photos are open already. Reload the page to see them.',
  'These photos cannot be downloaded together, or not any more.',
]

/** The translations of these for the script; undefined in English. */
const translatedRefusals = (translations: Catalogue['refusals']): Record<string, string> | undefined =>
  translations.general === null
    ? undefined
    : Object.fromEntries(requestRefusals.map((one) => [one, translateSentence(one, translations) ?? '']))

interface AddressFormProps {
  /** What became of it without a script. */
  answer?: 'form' | 'bad' | 'failed' | 'sent'
  /** The address that was entered, and why it was refused. */
  email?: string
  problem?: string | null
  /** Where it is sent without a script; undefined where it is shown by one. */
  action?: string
  /** The call that the script makes. */
  call: string
  /** What is sent with the address; of forms that script/scanned-photos.ts handles. */
  also?: 'archive' | 'tell_me' | 'codes'
  heading: ReactNode
  send: string
  consent: string
  /** Whether the gallery opens later: a box asks to be told. */
  tellsOfGallery?: boolean
  children?: ReactNode
}

/** A form for an email address. The script sends it and shows what follows; `AddressSent` stands after it. */
export function AddressForm({
  answer = 'form',
  email = '',
  problem = null,
  action,
  call,
  also,
  heading,
  send,
  consent,
  tellsOfGallery = false,
  children,
}: AddressFormProps) {
  const text = useText({ guest }).request
  const translations = useText({ refusals })
  const translated = problem === null ? null : translateSentence(problem, translations)
  const messages = {
    failed: text.failed,
    offline: text.offline,
    problems: text.problems,
    refusals: translatedRefusals(translations),
  }
  const emailError = answer === 'bad' ? (translated ?? text.problems.form) : ''
  // Unlike other elements, those of forms are known by their ids.
  const emailId = also ? `email-${also}` : 'email'
  const websiteId = also ? `website-${also}` : 'website'
  return (
    <form
      className="stack"
      method="post"
      action={action}
      hidden={answer === 'sent'}
      data-request={call}
      data-messages={JSON.stringify(messages)}
      data-also={also && JSON.stringify({ [also]: also === 'codes' ? [] : true })}
    >
      {heading}
      <div className="guest__problem" hidden={answer !== 'failed' && answer !== 'bad'} data-failed tabIndex={-1}>
        <Note tone="bad">
          {text.failed}
          {answer === 'failed' && translated !== null && ` ${translated}`}
        </Note>
      </div>
      <div className={emailError === '' ? 'field' : 'field field--bad'}>
        <label htmlFor={emailId}>{text.label}</label>
        <input
          className="input"
          id={emailId}
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="send"
          required
          maxLength={limits.emailChars}
          placeholder={text.placeholder}
          defaultValue={answer === 'sent' ? '' : email}
          // Without JavaScript, this moves the focus to the field with the error.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={emailError !== ''}
          aria-invalid={emailError !== ''}
          aria-describedby={`${emailId}-error`}
        />
        <p className="error" id={`${emailId}-error`} role="alert" hidden={emailError === ''}>
          <TriangleAlert className="icon" />
          <span>{emailError}</span>
        </p>
      </div>
      {tellsOfGallery && (
        <label className="guest__box">
          <input type="checkbox" name="tell_me" value="on" />
          {text.tellMe}
        </label>
      )}
      {also && also !== 'codes' && <input type="hidden" name={also} value="on" />}
      <input type="hidden" name="language" value={useGuestLanguage()} />
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor={websiteId}>{text.honeypot}</label>
        <input id={websiteId} name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <button
        className={buttonClass({ tone: also ? 'quiet' : 'primary', large: true, block: true })}
        data-busy={text.sending}
      >
        <Mail className="icon" />
        <span data-label>{send}</span>
      </button>
      <p className="tiny muted guest__consent">
        {consent} <a href={pages.privacy}>{text.privacy}</a>
      </p>
      {children}
    </form>
  )
}

interface AddressSentProps {
  isShown?: boolean
  email?: string
  /** With a tabIndex: it gets the focus. */
  heading: ReactNode
  /** Before the address, and after it. */
  lead: string
  after: string
  /** Nobody looks for the email yet. */
  comesLater?: boolean
  /** Of the page with the form. */
  path: string
  children?: ReactNode
}

/** What follows an `AddressForm`, hidden until it was sent. */
export function AddressSent({
  isShown = false,
  email = '',
  heading,
  lead,
  after,
  comesLater = false,
  path,
  children,
}: AddressSentProps) {
  const text = useText({ guest }).sent
  const at = email.lastIndexOf('@')
  return (
    <div className="stack" hidden={!isShown} data-sent>
      <span className="guest__tick">
        <Check className="icon" />
      </span>
      {heading}
      <p>
        {lead}{' '}
        <b className="guest__addr email-address" translate="no">
          <span data-name>{email.slice(0, Math.max(at, 0))}</span>
          <wbr />
          <span>
            <span data-domain>{email.slice(Math.max(at, 0))}</span>.
          </span>
        </b>{' '}
        <span>{after}</span>
      </p>
      {!comesLater && (
        <p className="note">
          <Info className="icon" />
          <span>{text.spam}</span>
        </p>
      )}
      <WideLink href={path} data-another>
        {text.another}
      </WideLink>
      {children}
    </div>
  )
}
