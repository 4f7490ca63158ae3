import { useMutation } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { memo, type SubmitEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { changeEmail, sendVerification } from '@keepsnap/contract/security.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import {
  brandNameProblem,
  isEmail,
  nameChars,
  type NameProblem,
  normalizeEmail,
  normalizeName,
  usernameProblem,
} from '@keepsnap/contract/form-rules.ts'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { account, names } from '../../messages/en/settings.ts'
import { Button } from '../../ui/Button.tsx'
import { CurrentPasswordField } from '../../ui/PasswordFields.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Field, SelectField } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { languages } from '../../messages/en/frame.ts'
import { LanguageLinks } from '../../ui/LanguageLinks.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { type Saved, useSaved } from '../../ui/useSaved.ts'
import { deviceTimeZone } from '../../lib/time.ts'

/** The email address, which can be confirmed and changed. */
export function ProfileInfo({ user }: { user: User }) {
  const allText = useText({ account })
  const text = allText.profile
  const api = useApi()
  /** Sends the email that confirms the address again. */
  const resend = useMutation({ mutationFn: () => api.call(sendVerification, {}) })
  const [changeEmailOpen, setChangeEmailOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <>
      <dl className="account-details">
        <Fact name={allText.email}>
          <EmailAddress email={user.email} />{' '}
          {user.email_verified && (
            <span className="badge badge--ok">
              <Check className="icon" />
              {text.verified}
            </span>
          )}
        </Fact>
      </dl>
      {!user.email_verified && (
        <>
          <Note tone={resend.isSuccess ? 'ok' : 'warn'}>
            {resend.isSuccess ? text.resent(user.email) : text.unverified}
          </Note>
          {resend.isError && <Note tone="bad">{errorMessage(resend.error, allText.genericError)}</Note>}
        </>
      )}
      {sentTo !== null && <Note tone="plain">{allText.changeEmail.sent(sentTo)}</Note>}
      <div className="row">
        {!user.email_verified && !resend.isSuccess && (
          <Button busy={resend.isPending} onClick={() => resend.mutate()}>
            {text.resend}
          </Button>
        )}
        <Button onClick={() => setChangeEmailOpen(true)}>{text.change}</Button>
      </div>
      <Dialog open={changeEmailOpen} onClose={() => setChangeEmailOpen(false)} title={allText.changeEmail.title}>
        <ChangeEmailForm
          currentEmail={user.email}
          onClose={() => setChangeEmailOpen(false)}
          onSent={(email) => {
            setSentTo(email)
            setChangeEmailOpen(false)
          }}
        />
      </Dialog>
    </>
  )
}

interface ChangeEmailProps {
  currentEmail: string
  onSent: (email: string) => void
  onClose: () => void
}

/** Asks for the new email address and for the password. */
function ChangeEmailForm({ currentEmail, onSent, onClose }: ChangeEmailProps) {
  const { changeEmail: text, genericError } = useText({ account })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const api = useApi()
  const newEmail = email.trim()
  const change = useMutation({
    mutationFn: () => api.call(changeEmail, { body: { email: newEmail, password } }),
  })
  const isSame = normalizeEmail(newEmail) === normalizeEmail(currentEmail)
  const errors = {
    ...(!isEmail(newEmail) && { email: text.emailNeeded }),
    ...(isSame && { email: text.emailSame }),
    ...(password === '' && { password: text.passwordNeeded }),
  }
  return (
    <DialogForm
      errors={errors}
      problem={change.isError ? errorMessage(change.error, genericError) : undefined}
      submit={text.submit}
      busy={change.isPending}
      onSubmit={() => change.mutate(undefined, { onSuccess: () => onSent(newEmail) })}
      onClose={onClose}
    >
      {(shown) => (
        <>
          <p className="small muted">{text.lead}</p>
          <Field
            label={text.email}
            name="email"
            type="email"
            autoComplete="email"
            inputMode="email"
            required
            value={email}
            error={shown['email']}
            onChange={({ target }) => setEmail(target.value)}
          />
          <CurrentPasswordField
            label={text.password}
            name="password"
            value={password}
            error={shown['password']}
            onChange={setPassword}
          />
        </>
      )}
    </DialogForm>
  )
}

/** The language of the pages and of emails to the user. */
export function LanguageField() {
  const text = useText({ languages })
  return (
    <div className="field">
      {/* The name of the group of links. */}
      <span className="label" aria-hidden="true">
        {text.label}
      </span>
      <LanguageLinks />
      <p className="tiny muted">{text.hint}</p>
    </div>
  )
}

/** The username, which only its owner and admins see. */
export function UsernameField({ user }: { user: User }) {
  const { username: messages } = useText({ names })
  const problemOf = (name: string): string | undefined => messageOf(usernameProblem(name), messages)
  const { username } = useText({ account }).profile
  return (
    <NameField
      name="username"
      value={user.username}
      text={username}
      maxChars={nameChars.username}
      problemOf={problemOf}
    />
  )
}

/** The name that guests are shown. It may be left empty. */
export function BrandNameField({ user }: { user: User }) {
  const { brandName: messages } = useText({ names })
  const problemOf = (name: string): string | undefined =>
    name === '' ? undefined : messageOf(brandNameProblem(name), messages)
  const { brandName } = useText({ account }).profile
  const text = user.email_verified
    ? brandName
    : { ...brandName, hint: `${brandName.hint} ${brandName.afterConfirming}` }
  return (
    <NameField
      name="brand_name"
      value={user.brand_name ?? ''}
      text={text}
      maxChars={nameChars.brandName}
      problemOf={problemOf}
    />
  )
}

const messageOf = (problem: NameProblem | null, messages: Record<NameProblem, string>): string | undefined =>
  problem === null ? undefined : messages[problem]

interface NameFieldProps {
  name: 'username' | 'brand_name'
  /** What is saved. */
  value: string
  text: { label: string; hint: string; saved: string; failed: string }
  maxChars: number
  problemOf: (name: string) => string | undefined
}

/** A text that is saved with its own button. */
function NameField({ name, value, text, maxChars, problemOf }: NameFieldProps) {
  const { save: saveLabel } = useText({ account }).profile
  const [draft, setDraft] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | undefined>()
  const form = useRef<HTMLFormElement>(null)
  const hintId = useId()
  const setting = useSaved(name, text, null)

  const change = (typed: string): void => {
    setDraft(typed)
    setProblem(undefined)
    setting.clearError()
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const typed = normalizeName(draft ?? value)
    const found = problemOf(typed)
    setProblem(found)
    if (found !== undefined) form.current?.querySelector('input')?.focus()
    else if (!setting.isSaving) {
      setDraft(typed)
      setting.change(typed === '' ? null : typed)
    }
  }
  return (
    <form className="text-setting" ref={form} onSubmit={submit} noValidate>
      <Field
        label={text.label}
        name={name}
        autoComplete="off"
        spellCheck={false}
        translate="no"
        maxLength={2 * maxChars}
        value={draft ?? value}
        error={problem ?? setting.error}
        aria-describedby={hintId}
        onChange={({ target }) => change(target.value)}
      />
      <Button type="submit" busy={setting.isSaving} aria-label={`${saveLabel}: ${text.label}`}>
        {saveLabel}
      </Button>
      <p className="tiny muted" id={hintId}>
        {text.hint}
      </p>
      <SaveStatus message={setting.message?.tone === 'ok' ? setting.message : null} />
    </form>
  )
}

/** Every time zone of this browser, with the saved one and the device's, which it may spell differently. */
const TimeZoneOptions = memo(function TimeZoneOptions({ saved }: { saved: string | null }) {
  const names = [saved, deviceTimeZone(), ...Intl.supportedValuesOf('timeZone')]
  return [...new Set(names.filter((name) => name !== null && name !== undefined))].sort().map((name) => (
    <option key={name} value={name} translate="no">
      {name.replaceAll('_', ' ')}
    </option>
  ))
})

/** Debounces saving: with the keyboard, every arrow key changes the value. */
const saveDebounceMs = 1_000

/** The time zone of times in emails and of guests' file names, saved when it is chosen. */
export function TimeZoneField({ user }: { user: User }) {
  const text = useText({ account }).profile.timeZone
  const hintId = useId()
  const setting = useSaved('time_zone', text, null)
  const byKeyboard = useRef(false)
  const choice = useChoice(user.time_zone ?? '', setting)
  return (
    <SelectField
      label={text.label}
      value={choice.value}
      aria-describedby={hintId}
      aria-busy={setting.isSaving || undefined}
      onChange={({ target }) => {
        choice.change(target.value)
        if (!byKeyboard.current) choice.commit()
      }}
      onBlur={choice.commit}
      onKeyDown={() => (byKeyboard.current = true)}
      onPointerDown={() => (byKeyboard.current = false)}
      below={
        <>
          <p className="tiny muted" id={hintId}>
            {text.hint}
          </p>
          {setting.error !== undefined && <Note tone="bad">{setting.error}</Note>}
          <SaveStatus message={setting.message?.tone === 'ok' ? setting.message : null} saving={setting.isSaving} />
        </>
      }
    >
      <option value="">{text.server}</option>
      <TimeZoneOptions saved={user.time_zone} />
    </SelectField>
  )
}

/**
 * A choice that is saved when it is committed. `value`: what is saved, or what was chosen and is not saved yet; when that cannot
 * be saved, what is saved returns.
 */
function useChoice(saved: string, { change: save, clearError, isSaving }: Saved<string | null>) {
  const [chosenTimeZone, setChosenTimeZone] = useState<string | null>(null)
  const pendingSave = useRef<{ timer: ReturnType<typeof setTimeout>; save: () => void } | null>(null)
  const commit = useCallback((): void => {
    const next = pendingSave.current
    pendingSave.current = null
    clearTimeout(next?.timer)
    next?.save()
  }, [])
  // Saves on unmount, too.
  useEffect(() => commit, [commit])
  const change = (value: string): void => {
    clearTimeout(pendingSave.current?.timer)
    pendingSave.current = null
    clearError()
    setChosenTimeZone(value)
    const clearChosen = () => setChosenTimeZone((latest) => (latest === value ? null : latest))
    if (value === saved && !isSaving) clearChosen()
    else
      pendingSave.current = {
        timer: setTimeout(commit, saveDebounceMs),
        save: () => save(value === '' ? null : value, clearChosen),
      }
  }
  return { value: chosenTimeZone ?? saved, change, commit }
}
