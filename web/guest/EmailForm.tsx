import { Mail, TriangleAlert } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { translateSentence } from '../lib/server-sentences.ts'
import type { Catalogue } from '../messages/en.ts'
import { guest } from '../messages/en/guest.ts'
import { refusals } from '../messages/en/refusals.ts'
import { useText } from '../lib/i18n.tsx'
import { useGuestLanguage } from './GuestLanguageLinks.tsx'
import { photoRequestPath } from './paths.ts'

type RequestPageProps = Extract<GuestPage, { page: 'request' }>

/** What the server answers to a request that it refuses, in English. */
const requestRefusals = [
  'Unable to load photo details. The photo may not exist or may be private.',
  'Too many requests from your network today. Please try again later.',
  'Too many people are requesting photos right now. Please try again later.',
  "Email isn't set up here. Please ask the person who took the photo.",
  'The service is busy right now. Please try again.',
]

/** The translations of these for the script; undefined in English. */
const translatedRefusals = (translations: Catalogue['refusals']): Record<string, string> | undefined =>
  translations.general === null
    ? undefined
    : Object.fromEntries(requestRefusals.map((one) => [one, translateSentence(one, translations) ?? '']))

/** The form for the email address. It works without JavaScript; with it, script/request-form.ts sends it. */
export function EmailForm({ page, hidden }: { page: RequestPageProps; hidden: boolean }) {
  const text = useText({ guest }).request
  const translations = useText({ refusals })
  const { state } = page
  const { failed, offline, problems } = text
  const problem = page.problem === null ? null : translateSentence(page.problem, translations)
  const messages = { failed, offline, problems, refusals: translatedRefusals(translations) }
  const emailError = state === 'bad' ? (problem ?? problems.form) : ''
  return (
    <form
      className="stack"
      method="post"
      action={photoRequestPath(page.photo.id)}
      hidden={hidden}
      data-request={`/photos/${encodeURIComponent(page.photo.id)}/request-email`}
      data-messages={JSON.stringify(messages)}
    >
      <h1>{text.heading}</h1>
      <div className="guest__problem" hidden={state !== 'failed' && state !== 'bad'} data-failed tabIndex={-1}>
        <Note tone="bad">
          {failed}
          {state === 'failed' && problem !== null && ` ${problem}`}
        </Note>
      </div>
      <div className={emailError === '' ? 'field' : 'field field--bad'}>
        <label htmlFor="email">{text.label}</label>
        <input
          className="input"
          id="email"
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
          defaultValue={state === 'sent' ? '' : page.email}
          // Without JavaScript, this moves the focus to the field with the error.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={emailError !== ''}
          aria-invalid={emailError !== ''}
          aria-describedby="email-error"
        />
        <p className="error" id="email-error" role="alert" hidden={emailError === ''}>
          <TriangleAlert className="icon" />
          <span>{emailError}</span>
        </p>
      </div>
      <input type="hidden" name="language" value={useGuestLanguage()} />
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">{text.honeypot}</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <button className={buttonClass({ tone: 'primary', large: true, block: true })} data-busy={text.sending}>
        <Mail className="icon" />
        <span data-label>{text.send}</span>
      </button>
      <p className="tiny muted guest__consent">
        {text.consent} <a href={pages.privacy}>{text.privacy}</a>
      </p>
      <a className={buttonClass({ tone: 'ghost', block: true })} href={pages.home}>
        {text.cancel}
      </a>
    </form>
  )
}
