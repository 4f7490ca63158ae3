import { isEmail } from '@keepsnap/contract/emails.ts'
import { useRef, useState, type SubmitEvent } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { forgot } from '../../messages/en/forgot.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { resetMessage, useRequestReset } from './reset-queries.ts'

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
  const field = useRef<HTMLInputElement>(null)
  const request = useRequestReset()
  const address = email.trim()
  const error = submitted && !isEmail(address) ? text.emailNeeded : undefined

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    if (!isEmail(address)) field.current?.focus()
    else if (!request.isPending) request.mutate(address, { onSuccess: () => onSent(address) })
  }
  return (
    <>
      {request.isError && <Note tone="bad">{resetMessage(request.error, text.genericError)}</Note>}
      <form className="stack auth__fields" onSubmit={submit} noValidate>
        <Field
          label={label}
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          ref={field}
          value={email}
          error={error}
          onChange={({ target }) => setEmail(target.value)}
        />
        <Button type="submit" tone="primary" large block busy={request.isPending}>
          {text.submit}
        </Button>
      </form>
    </>
  )
}
