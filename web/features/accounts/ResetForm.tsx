import { type SubmitEvent, useRef, useState } from 'react'
import { errorMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { reset, session } from '../../messages/en/accounts.ts'
import { Button } from '../../ui/Button.tsx'
import { emptyPassword, newPasswordErrors, NewPasswordFields } from '../../ui/PasswordFields.tsx'
import { Note } from '../../ui/Note.tsx'
import { isInvalidLink, useResetPassword } from './email-links.ts'

interface Props {
  token: string
  /** Whether the account has API keys or webhooks. */
  onDone: (hasIntegrations: boolean) => void
  /** The link is invalid: the user needs a new one. */
  onInvalidLink: (reason: string) => void
}

/** Sets the new password. */
export function ResetForm({ token, onDone, onInvalidLink }: Props) {
  const text = useText({ reset })
  const passwordText = useText({ session })
  const [newPassword, setNewPassword] = useState(emptyPassword)
  const [submitted, setSubmitted] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const resetPassword = useResetPassword()
  const errors = newPasswordErrors(newPassword, passwordText)

  const submitNewPassword = (event: SubmitEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    const [first] = Object.keys(errors)
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    else if (!resetPassword.isPending) {
      const onError = (error: Error): void => {
        if (isInvalidLink(error)) onInvalidLink(errorMessage(error, text.reset.invalid.missing))
      }
      resetPassword.mutate(
        { token, new_password: newPassword.password },
        { onSuccess: (reply) => onDone(reply.has_integrations), onError },
      )
    }
  }
  return (
    <>
      {resetPassword.isError && <Note tone="bad">{errorMessage(resetPassword.error, text.genericError)}</Note>}
      <form className="stack auth__fields" ref={form} onSubmit={submitNewPassword} noValidate>
        <NewPasswordFields
          labels={text.reset}
          value={newPassword}
          errors={submitted ? errors : {}}
          onChange={setNewPassword}
        />
        <Button type="submit" tone="primary" large block busy={resetPassword.isPending}>
          {text.reset.submit}
        </Button>
      </form>
    </>
  )
}
