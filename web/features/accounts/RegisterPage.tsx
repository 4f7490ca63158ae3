import { type KeyboardEvent, type SubmitEvent, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { brokenRules, isEmail } from '@keepsnap/contract/form-rules.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { useText } from '../../lib/i18n.tsx'
import { useSessionState } from '../../lib/app-services.tsx'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { PasswordField, PasswordRules } from '../../ui/PasswordFields.tsx'
import { session } from '../../messages/en/accounts.ts'
import photo from '../../pictures/dance-720.webp'
import back from '../../pictures/table-1200.webp'
import { frame } from '../../messages/en/frame.ts'
import { isRegistered, registerMessage, useRegister } from './sign-in.ts'
import { AuthLayout } from './AuthLayout.tsx'

export function RegisterPage() {
  const text = useText({ session }).register
  const { links } = useText({ frame })
  const { search } = useLocation()
  const lead = text.lead(plans.free.features.max_photos)
  return (
    <AuthLayout title={text.title} heading={text.heading} lead={lead} side={{ back, photo, sample: 'dance' }}>
      <RegisterForm />
      <p className="small muted">
        {text.agree[0]}
        <Link to={paths.terms}>{links.terms}</Link>
        {text.agree[1]}
        <Link to={paths.privacy}>{links.privacy}</Link>
        {text.agree[2]}
      </p>
      <p className="small muted">
        {text.haveAccount}{' '}
        <Link className="link" to={paths.login + search}>
          {text.login}
        </Link>
      </p>
    </AuthLayout>
  )
}

type FieldName = 'email' | 'password' | 'confirm'

/** Creates an account. Errors are shown after the first attempt, until they are corrected. */
function RegisterForm() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const rulesId = useId()
  const text = useText({ session })
  const register = useRegister()
  const { token } = useSessionState()
  const { search } = useLocation()
  const [brokenRule] = brokenRules(password)

  const errors: Record<FieldName, string | undefined> = {
    email: isEmail(email.trim()) ? undefined : text.register.emailNeeded,
    password: brokenRule && text.passwordMessages[brokenRule],
    confirm: brokenRule || password === confirm ? undefined : text.register.mismatch,
  }
  const firstInvalid = Object.entries(errors).find(([, error]) => error)?.[0]
  const shownErrors: Partial<typeof errors> = submitted ? errors : {}

  const submitRegistration = (event: SubmitEvent | KeyboardEvent): void => {
    event.preventDefault()
    if (register.isPending) return
    setSubmitted(true)
    if (firstInvalid) form.current?.querySelector<HTMLInputElement>(`[name="${firstInvalid}"]`)?.focus()
    else register.mutate({ email: email.trim(), password })
  }
  // While the button is disabled, browsers do not submit on Enter: this shows the errors instead.
  const submitOnEnter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && brokenRule) submitRegistration(event)
  }
  return (
    <>
      {register.isError && (
        <Note tone="bad">
          <span>{registerMessage(register.error, text.errors)}</span>{' '}
          {isRegistered(register.error) && <Link to={paths.login + search}>{text.register.login}</Link>}
        </Note>
      )}
      <form className="stack auth__fields" ref={form} onSubmit={submitRegistration} noValidate>
        <Field
          label={text.email}
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          value={email}
          error={shownErrors.email}
          onKeyDown={submitOnEnter}
          onChange={({ target }) => setEmail(target.value)}
        />
        <PasswordField
          label={text.password}
          name="password"
          autoComplete="new-password"
          required
          maxLength={limits.passwordChars}
          aria-describedby={rulesId}
          value={password}
          error={shownErrors.password}
          onKeyDown={submitOnEnter}
          onChange={({ target }) => setPassword(target.value)}
        >
          <PasswordRules password={password} id={rulesId} />
        </PasswordField>
        <PasswordField
          label={text.register.confirm}
          name="confirm"
          autoComplete="new-password"
          required
          maxLength={limits.passwordChars}
          value={confirm}
          error={shownErrors.confirm}
          onKeyDown={submitOnEnter}
          onChange={({ target }) => setConfirm(target.value)}
        />
        <Button
          type="submit"
          tone="primary"
          large
          block
          busy={register.isPending || token !== null}
          disabled={brokenRule !== undefined}
        >
          {text.register.submit}
        </Button>
      </form>
    </>
  )
}
