import { emailKey, isEmail } from '@keepsnap/contract/emails.ts'
import { useRef, useState, type SubmitEvent } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { settingMessage } from '../../lib/setting-message.ts'
import { account } from '../../messages/en/account.ts'
import { states } from '../../messages/en/states.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { useChangeEmail } from './queries.ts'

interface Props {
  /** The address as it is. */
  now: string
  onSent: (email: string) => void
  onClose: () => void
}

/** A new address, and the password as proof. */
export function ChangeEmailForm({ now, onSent, onClose }: Props) {
  const { changeEmail: text, otherwise } = useText({ account })
  const { cancel } = useText({ states })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const change = useChangeEmail()
  const address = email.trim()
  const same = emailKey(address) === emailKey(now)
  const errors = {
    ...(!isEmail(address) && { email: text.emailNeeded }),
    ...(same && { email: text.emailSame }),
    ...(password === '' && { password: text.passwordNeeded }),
  }
  const shown: Partial<Record<string, string>> = tried ? errors : {}
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    setTried(true)
    const [first] = Object.keys(errors)
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    else if (!change.isPending) change.mutate({ email: address, password }, { onSuccess: () => onSent(address) })
  }
  return (
    <form className="stack dialog__form" ref={form} onSubmit={submit} noValidate>
      <p className="small muted">{text.lead}</p>
      {change.isError && <Note tone="bad">{settingMessage(change.error, otherwise)}</Note>}
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
      <PasswordField
        label={text.password}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        error={shown['password']}
        onChange={({ target }) => setPassword(target.value)}
      />
      <div className="dialog__acts">
        <Button onClick={onClose}>{cancel}</Button>
        <Button type="submit" tone="primary" busy={change.isPending}>
          {text.submit}
        </Button>
      </div>
    </form>
  )
}
