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
  /** What was typed on the sign-in page. */
  email: string
  onSent: (email: string) => void
}

/** Asks where the link shall go. */
export function ForgotForm({ label, email: typed, onSent }: Props) {
  const text = useText({ forgot })
  const [email, setEmail] = useState(typed)
  const [tried, setTried] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const request = useRequestReset()
  const address = email.trim()
  const error = tried && !isEmail(address) ? text.emailNeeded : undefined

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setTried(true)
    if (!isEmail(address)) box.current?.focus()
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
          ref={box}
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
