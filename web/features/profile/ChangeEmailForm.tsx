import { normalizeEmail, isEmail } from '@keepsnap/contract/emails.ts'
import { useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { account } from '../../messages/en/account.ts'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { Field } from '../../ui/Field.tsx'
import { CurrentPasswordField } from '../../ui/CurrentPasswordField.tsx'
import { useChangeEmail } from './queries.ts'

interface Props {
  currentEmail: string
  onSent: (email: string) => void
  onClose: () => void
}

/** Asks for the new email address and for the password. */
export function ChangeEmailForm({ currentEmail, onSent, onClose }: Props) {
  const { changeEmail: text, genericError } = useText({ account })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const changeEmail = useChangeEmail()
  const newEmail = email.trim()
  const isSame = normalizeEmail(newEmail) === normalizeEmail(currentEmail)
  const errors = {
    ...(!isEmail(newEmail) && { email: text.emailNeeded }),
    ...(isSame && { email: text.emailSame }),
    ...(password === '' && { password: text.passwordNeeded }),
  }
  return (
    <DialogForm
      errors={errors}
      problem={changeEmail.isError ? errorMessage(changeEmail.error, genericError) : undefined}
      submit={text.submit}
      busy={changeEmail.isPending}
      onSubmit={() => changeEmail.mutate({ email: newEmail, password }, { onSuccess: () => onSent(newEmail) })}
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
