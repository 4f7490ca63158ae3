import type { User } from '@keepsnap/contract/accounts.ts'
import { isEmail, normalizeEmail } from '@keepsnap/contract/emails.ts'
import { Check } from 'lucide-react'
import { useId, useState } from 'react'
import { errorMessage } from '../../lib/error-message.ts'
import { useText } from '../../lib/i18n.tsx'
import { account } from '../../messages/en/account.ts'
import { Button } from '../../ui/Button.tsx'
import { CurrentPasswordField } from '../../ui/CurrentPasswordField.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogForm } from '../../ui/DialogForm.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { useChangeEmail, useSendVerification } from './queries.ts'

/** The email address, which can be confirmed and changed. */
export function ProfileInfo({ user }: { user: User }) {
  const allText = useText({ account })
  const text = allText.profile
  const id = useId()
  const sendVerification = useSendVerification()
  const [changeEmailOpen, setChangeEmailOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <>
      <dl className="account-details">
        <div>
          <dt>{allText.email}</dt>
          <dd>
            <EmailAddress email={user.email} />{' '}
            {user.email_verified && (
              <span className="badge badge--ok">
                <Check className="icon" />
                {text.verified}
              </span>
            )}
          </dd>
        </div>
      </dl>
      {!user.email_verified && <Unverified sendVerification={sendVerification} email={user.email} />}
      {sentTo !== null && <Note tone="plain">{allText.changeEmail.sent(sentTo)}</Note>}
      <div className="row">
        {!user.email_verified && !sendVerification.isSuccess && (
          <Button busy={sendVerification.isPending} onClick={() => sendVerification.mutate()}>
            {text.resend}
          </Button>
        )}
        <Button onClick={() => setChangeEmailOpen(true)}>{text.change}</Button>
      </div>
      <Dialog open={changeEmailOpen} onClose={() => setChangeEmailOpen(false)} aria-labelledby={id}>
        <h2 id={id}>{allText.changeEmail.title}</h2>
        <ChangeEmailForm
          currentEmail={user.email}
          onClose={() => setChangeEmailOpen(false)}
          onSent={(email) => {
            setSentTo(email)
            setChangeEmailOpen(false)
          }}
        />
      </Dialog>
    </>
  )
}

function Unverified({
  sendVerification,
  email,
}: {
  sendVerification: ReturnType<typeof useSendVerification>
  email: string
}) {
  const allText = useText({ account })
  const text = allText.profile
  return (
    <>
      {sendVerification.isSuccess ? (
        <Note tone="ok">{text.resent(email)}</Note>
      ) : (
        <Note tone="warn">{text.unverified}</Note>
      )}
      {sendVerification.isError && <Note tone="bad">{errorMessage(sendVerification.error, allText.genericError)}</Note>}
    </>
  )
}

interface Props {
  currentEmail: string
  onSent: (email: string) => void
  onClose: () => void
}

/** Asks for the new email address and for the password. */
function ChangeEmailForm({ currentEmail, onSent, onClose }: Props) {
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
