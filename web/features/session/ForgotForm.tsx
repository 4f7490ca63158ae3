import { isEmail } from '@keepsnap/contract/emails.ts'
import { useRef, useState, type SubmitEvent } from 'react'
import { errorMessage } from '../../lib/error-message.ts'
import { useText } from '../../lib/i18n.tsx'
import { forgot } from '../../messages/en/forgot.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { useRequestReset } from './email-link-queries.ts'

interface Props {
  label: string
  /** The address entered on the sign-in page. */
  initialEmail: string
  onSent: (email: string) => void
}

/** Requests a password reset link by email. */
export function ForgotForm({ label, initialEmail, onSent }: Props) {
  const text = useText({ forgot })
  const [email, setEmail] = useState(initialEmail)
  const [submitted, setSubmitted] = useState(false)
  const emailField = useRef<HTMLInputElement>(null)
  const requestReset = useRequestReset()
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
