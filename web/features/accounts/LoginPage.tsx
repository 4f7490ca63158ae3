import { type SubmitEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { useSessionState } from '../../lib/app-services.tsx'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { PasswordField } from '../../ui/PasswordFields.tsx'
import { session } from '../../messages/en/accounts.ts'
import back from '../../pictures/balloons-900.webp'
import photo from '../../pictures/topper-720.webp'
import { loginMessage, useSignIn } from './sign-in.ts'
import { AuthLayout } from './AuthLayout.tsx'

export function LoginPage() {
  const text = useText({ session }).login
  const { search } = useLocation()
  return (
    <AuthLayout title={text.title} heading={text.heading} side={{ back, photo, sample: 'topper' }}>
      <LoginForm />
      <p className="small muted">
        {text.newHere}{' '}
        <Link className="link" to={paths.register + search}>
          {text.register}
        </Link>
      </p>
    </AuthLayout>
  )
}

/** Email address and password. Shows the `message` of the location state, such as after a password reset. */
function LoginForm() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const emailField = useRef<HTMLInputElement>(null)
  const passwordField = useRef<HTMLInputElement>(null)
  const text = useText({ session })
  const signIn = useSignIn()
  const { token } = useSessionState()
  const message = messageInLocationState(useLocation().state)

  const submitLogin = (event: SubmitEvent): void => {
    event.preventDefault()
    if (!email) return emailField.current?.focus()
    if (!password) return passwordField.current?.focus()
    if (!signIn.isPending) signIn.mutate({ email: email.trim(), password })
  }
  return (
    <>
      {message && signIn.isIdle && <Note tone="ok">{message}</Note>}
      {signIn.isError && <Note tone="bad">{loginMessage(signIn.error, text.errors)}</Note>}
      <form className="stack auth__fields" onSubmit={submitLogin} noValidate>
        <Field
          label={text.email}
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          ref={emailField}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <PasswordField
          label={text.password}
          aside={
            <Link className="link small" to={paths.forgotPassword} state={{ email }}>
              {text.login.forgot}
            </Link>
          }
          autoComplete="current-password"
          required
          ref={passwordField}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <Button type="submit" tone="primary" large block busy={signIn.isPending || token !== null}>
          {text.login.submit}
        </Button>
      </form>
    </>
  )
}

function messageInLocationState(state: unknown): string | null {
  const { message } = (state ?? {}) as { message?: unknown } // any state of the previous page; checked below
  return typeof message === 'string' ? message : null
}
