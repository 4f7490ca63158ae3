import type { User } from '@keepsnap/contract/accounts.ts'
import { Check } from 'lucide-react'
import { useId, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { account } from '../../messages/en/account.ts'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import { ChangeEmailForm } from './ChangeEmailForm.tsx'
import { useSendVerification } from './queries.ts'

/** Username and email address; the address can be confirmed and changed. */
export function ProfileInfo({ user }: { user: User }) {
  const allText = useText({ account })
  const text = allText.profile
  const id = useId()
  const send = useSendVerification()
  const [open, setOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <>
      <dl className="dl">
        <div>
          <dt>{allText.username}</dt>
          <dd translate="no">{user.username}</dd>
        </div>
        <div>
          <dt>{allText.email}</dt>
          <dd>
            <EmailAddress email={user.email} />{' '}
            {user.email_verified && (
              <span className="badge badge--ok">
                <Check className="i" />
                {text.verified}
              </span>
            )}
          </dd>
        </div>
      </dl>
      {!user.email_verified && <Unverified send={send} email={user.email} />}
      {sentTo !== null && <Note tone="plain">{allText.changeEmail.sent(sentTo)}</Note>}
      <div className="row">
        {!user.email_verified && !send.isSuccess && (
          <Button busy={send.isPending} onClick={() => send.mutate()}>
            {text.resend}
          </Button>
        )}
        <Button onClick={() => setOpen(true)}>{text.change}</Button>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} aria-labelledby={id}>
        <h2 id={id}>{allText.changeEmail.title}</h2>
        <ChangeEmailForm
          currentEmail={user.email}
          onClose={() => setOpen(false)}
          onSent={(email) => {
            setSentTo(email)
            setOpen(false)
          }}
        />
      </Dialog>
    </>
  )
}

function Unverified({ send, email }: { send: ReturnType<typeof useSendVerification>; email: string }) {
  const allText = useText({ account })
  const text = allText.profile
  return (
    <>
      {send.isSuccess ? <Note tone="ok">{text.resent(email)}</Note> : <Note tone="warn">{text.unverified}</Note>}
      {send.isError && <Note tone="bad">{errorMessage(send.error, allText.genericError)}</Note>}
    </>
  )
}
