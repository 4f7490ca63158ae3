import { limits } from '@keepsnap/contract/limits.ts'
import { brokenRules } from '@keepsnap/contract/passwords.ts'
import { useId } from 'react'
import type { Catalogue } from '../messages/en.ts'
import { PasswordField } from './PasswordField.tsx'
import { PasswordRules } from './PasswordRules.tsx'

/** A new password and its confirmation. */
export interface NewPasswordValue {
  password: string
  confirm: string
}
export const emptyPassword: NewPasswordValue = { password: '', confirm: '' }

/** The first rule that the password breaks, or that the two differ. Empty if the password is valid. */
export function newPasswordErrors(
  { password, confirm }: NewPasswordValue,
  text: Catalogue['session'],
): Partial<NewPasswordValue> {
  const [brokenRule] = brokenRules(password)
  if (brokenRule) return { password: text.passwordMessages[brokenRule] }
  return password === confirm ? {} : { confirm: text.register.mismatch }
}

interface Props {
  labels: NewPasswordValue
  value: NewPasswordValue
  errors: Partial<NewPasswordValue>
  onChange: (value: NewPasswordValue) => void
}

/** Two fields named `password` and `confirm`, with the rules and the strength meter. */
export function NewPasswordFields({ labels, value, errors, onChange }: Props) {
  const rulesId = useId()
  const newPasswordInput = { autoComplete: 'new-password', required: true, maxLength: limits.passwordChars }
  return (
    <>
      <PasswordField
        {...newPasswordInput}
        label={labels.password}
        name="password"
        aria-describedby={rulesId}
        value={value.password}
        error={errors.password}
        onChange={({ target }) => onChange({ ...value, password: target.value })}
      >
        <PasswordRules password={value.password} id={rulesId} />
      </PasswordField>
      <PasswordField
        {...newPasswordInput}
        label={labels.confirm}
        name="confirm"
        value={value.confirm}
        error={errors.confirm}
        onChange={({ target }) => onChange({ ...value, confirm: target.value })}
      />
    </>
  )
}
