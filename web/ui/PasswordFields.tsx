import { type ComponentProps, useEffect, useId, useState } from 'react'
import { Check, Eye, EyeOff } from 'lucide-react'
import {
  brokenRules,
  commonStems,
  isCommonPassword,
  passwordRules,
  passwordScore,
} from '@keepsnap/contract/form-rules.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/frame.ts'
import { session } from '../messages/en/accounts.ts'
import type { Catalogue } from '../messages/en.ts'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'

let loading: Promise<ReadonlySet<string>> | undefined

/** The list is a file of its own, loaded once, when somebody begins to type a password. */
function loadStems(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common/src/passwords.json').then(({ default: list }) => commonStems(list))
  loading.catch(() => (loading = undefined))
  return loading
}

/** Whether many people use a password; undefined until that is known. If the list cannot be loaded, no password is common. */
function useCommonPassword(password: string): boolean | undefined {
  const [stems, setStems] = useState<ReadonlySet<string>>()
  const isTyped = password !== ''
  useEffect(() => {
    if (!isTyped) return
    let isCancelled = false
    const use = (loaded: ReadonlySet<string>): void => {
      if (!isCancelled) setStems(loaded)
    }
    loadStems().then(use, () => use(new Set()))
    return () => {
      isCancelled = true
    }
  }, [isTyped])
  return stems && isCommonPassword(password, stems)
}

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'inside'>) {
  const [passwordShown, setPasswordShown] = useState(false)
  const text = useText({ states })
  const showPasswordButton = (
    <Button
      tone="ghost"
      icon
      aria-label={passwordShown ? text.hidePassword : text.showPassword}
      onClick={() => setPasswordShown(!passwordShown)}
    >
      {passwordShown ? <EyeOff className="icon" /> : <Eye className="icon" />}
    </Button>
  )
  return (
    <Field
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={passwordShown ? 'text' : 'password'}
      inside={showPasswordButton}
    />
  )
}

interface CurrentPasswordFieldProps {
  label: string
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** Asks for the password of the account before a change that only its owner may make. */
export const CurrentPasswordField = ({ onChange, ...field }: CurrentPasswordFieldProps) => (
  <PasswordField
    {...field}
    autoComplete="current-password"
    required
    onChange={({ target }) => onChange(target.value)}
  />
)

/** Strength meter and rules of a new password. The field refers to `id` as its description. */
export function PasswordRules({ password, id }: { password: string; id: string }) {
  const text = useText({ session })
  const brokenPasswordRules = brokenRules(password)
  const isCommon = useCommonPassword(password)
  // Nothing is said until it is known: a common password is never more than weak.
  const strengthScore =
    isCommon === undefined ? '' : isCommon ? Math.min(passwordScore(password), 1) : passwordScore(password)
  return (
    <>
      <div className="password-strength" data-score={password && strengthScore}>
        <span className="password-strength__bars" aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
        </span>
        <span className="small">
          {text.strength} <output>{password && strengthScore !== '' && text.strengthLabels[strengthScore]}</output>
        </span>
      </div>
      <output className="password-common small">
        {isCommon && brokenPasswordRules.length === 0 && text.commonPassword}
      </output>
      <ul className="password-rules" id={id}>
        {passwordRules.map((rule) => (
          <li key={rule} data-ok={!brokenPasswordRules.includes(rule)}>
            <Check className="icon" />
            <span className="visually-hidden">
              {brokenPasswordRules.includes(rule) ? text.ruleNotMet : text.ruleMet}
            </span>
            {text.rules[rule]}
          </li>
        ))}
      </ul>
    </>
  )
}

/** A new password and its confirmation. */
interface NewPasswordValue {
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

interface NewPasswordFieldsProps {
  labels: NewPasswordValue
  value: NewPasswordValue
  errors: Partial<NewPasswordValue>
  onChange: (value: NewPasswordValue) => void
}

/** Two fields named `password` and `confirm`, with the rules and the strength meter. */
export function NewPasswordFields({ labels, value, errors, onChange }: NewPasswordFieldsProps) {
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
