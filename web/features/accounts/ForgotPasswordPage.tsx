import { type SubmitEvent, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useMutation } from '@tanstack/react-query'
import { isEmail } from '@keepsnap/contract/form-rules.ts'
import { requestPasswordReset } from '@keepsnap/contract/security.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { forgot, session } from '../../messages/en/accounts.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { paths } from '../../lib/paths.ts'
import back from '../../pictures/balloons-900.webp'
import photo from '../../pictures/topper-720.webp'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { AuthLayout } from './AuthLayout.tsx'

const side = { back, photo, sample: 'topper' } as const

/** Requests a password reset link, then shows the address it was sent to. */
export function ForgotPasswordPage() {
  const text = useText({ forgot })
  const { email: label } = useText({ session })
  const [initialEmail, setInitialEmail] = useState(emailIn(useLocation().state))
  const [sentTo, setSentTo] = useState<string | null>(null)
  const startAgain = (): void => {
    setInitialEmail('')
    setSentTo(null)
  }
  const loginLink = (
    <p className="small">
      <Link className="link" to={paths.login}>
        {text.toLogin}
      </Link>
    </p>
  )
  if (sentTo !== null) {
    return (
      <AuthLayout title={text.title} heading={text.sent.heading} lead={text.sent.lead} side={side} focusHeading>
        <p>
          <b>
            <EmailAddress email={sentTo} />
          </b>
        </p>
        <Note tone="plain">{text.sent.hint}</Note>
        <Button large block onClick={startAgain}>
          {text.sent.another}
        </Button>
        {loginLink}
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={text.title} heading={text.heading} lead={text.lead} side={side}>
      <ForgotForm label={label} initialEmail={initialEmail} onSent={setSentTo} />
      {loginLink}
    </AuthLayout>
  )
}

interface Props {
  label: string
  /** The address entered on the sign-in page. */
  initialEmail: string
  onSent: (email: string) => void
}

/** Requests a password reset link by email. */
function ForgotForm({ label, initialEmail, onSent }: Props) {
  const text = useText({ forgot })
  const [email, setEmail] = useState(initialEmail)
  const [submitted, setSubmitted] = useState(false)
  const emailField = useRef<HTMLInputElement>(null)
  const api = useApi()
  const requestReset = useMutation({
    mutationFn: (address: string) => api.call(requestPasswordReset, { body: { email: address } }),
  })
  const emailAddress = email.trim()
  const error = submitted && !isEmail(emailAddress) ? text.emailNeeded : undefined

  const submitForgotForm = (event: SubmitEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    if (!isEmail(emailAddress)) emailField.current?.focus()
    else if (!requestReset.isPending) requestReset.mutate(emailAddress, { onSuccess: () => onSent(emailAddress) })
  }
  return (
    <>
      {requestReset.isError && <Note tone="bad">{errorMessage(requestReset.error, text.genericError)}</Note>}
      <form className="stack auth__fields" onSubmit={submitForgotForm} noValidate>
        <Field
          label={label}
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          ref={emailField}
          value={email}
          error={error}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Button type="submit" tone="primary" large block busy={requestReset.isPending}>
          {text.submit}
        </Button>
      </form>
    </>
  )
}

/** The email address in the location state, which the sign-in page passes on. */
function emailIn(state: unknown): string {
  const { email } = (state ?? {}) as { email?: unknown } // any state of the previous page; checked below
  return typeof email === 'string' ? email : ''
}
