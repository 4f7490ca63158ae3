import { Check, Info, Mail, TriangleAlert } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { translateSentence } from '../lib/server-sentences.ts'
import type { Catalogue } from '../messages/en.ts'
import { guest } from '../messages/en/guests.ts'
import { refusals } from '../messages/en/refusals.ts'
import { useText } from '../lib/i18n.tsx'
import { GalleryLink, GuestLayout, useGuestLanguage, WideLink } from './GuestLayout.tsx'
import { GuestPrint } from './GuestPhotoPage.tsx'
import { Report } from './Report.tsx'

type RequestPageProps = Extract<GuestPage, { page: 'request' }>

/** The page behind the request code: the thumbnail, and a form that sends the photo to an email address. */
export function RequestPage({ page, placeholder }: { page: RequestPageProps; placeholder: string }) {
  const { photo, state } = page
  return (
    <GuestLayout
      look="form"
      logo={page.logo}
      footer={<Report path={photo.callsPath} report={page.report} />}
      data={{
        'data-calls': photo.callsPath,
        // The other states are answers to the form.
        ...((state === 'form' || state === 'off') && { 'data-visit': 'code' }),
        ...(photo.thumbnailUrl === null && { 'data-wait': 'show' }),
      }}
    >
      <GuestPrint photo={photo} placeholder={placeholder} showName checkAgainPath={photo.pagePath} />
      <div className="guest__actions">
        {state === 'off' ? (
          <EmailOff />
        ) : (
          <>
            <EmailForm page={page} hidden={state === 'sent'} />
            <RequestSent page={page} />
          </>
        )}
        <GalleryLink path={page.galleryPath} />
      </div>
    </GuestLayout>
  )
}

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

/** The form for the email address. It works without JavaScript; with it, script/enhance.ts sends it. */
function EmailForm({ page, hidden }: { page: RequestPageProps; hidden: boolean }) {
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
      action={page.photo.formPath}
      hidden={hidden}
      data-request={`${page.photo.callsPath}/request-email`}
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

function RequestSent({ page: { state, email, photo, processing } }: { page: RequestPageProps }) {
  const text = useText({ guest }).sent
  const at = email.lastIndexOf('@')
  return (
    <div className="stack" hidden={state !== 'sent'} data-sent>
      <span className="guest__tick">
        <Check className="icon" />
      </span>
      <h1 tabIndex={-1}>{text.heading}</h1>
      <p>
        {text.onItsWay}{' '}
        <b className="guest__addr email-address" translate="no">
          <span data-name>{email.slice(0, Math.max(at, 0))}</span>
          <wbr />
          <span data-domain>{email.slice(Math.max(at, 0))}</span>
        </b>
        . <span>{processing ? text.afterProcessing : text.arrival}</span>
      </p>
      <p className="note">
        <Info className="icon" />
        <span>{text.spam}</span>
      </p>
      <WideLink href={photo.pagePath} data-another>
        {text.another}
      </WideLink>
      <output className="guest__toast">{text.toast}</output>
    </div>
  )
}

function EmailOff() {
  const text = useText({ guest })
  return (
    <div className="stack">
      <h1>{text.request.emailOff.heading}</h1>
      <p className="muted">{text.request.emailOff.lead}</p>
      <WideLink href={pages.home}>{text.gone.home}</WideLink>
    </div>
  )
}
