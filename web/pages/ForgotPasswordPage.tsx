import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ForgotForm } from '../features/session/ForgotForm.tsx'
import { useText } from '../lib/i18n.tsx'
import { paths } from '../lib/paths.ts'
import { forgot } from '../messages/en/forgot.ts'
import { session } from '../messages/en/session.ts'
import back from '../pictures/balloons-900.webp'
import photo from '../pictures/topper-720.webp'
import { EmailAddress } from '../ui/EmailAddress.tsx'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { AuthLayout } from './AuthLayout.tsx'

const side = { back, photo, sample: 'topper' } as const

/** Requests a password reset link, then shows the address it was sent to. */
export function ForgotPasswordPage() {
  const text = useText({ forgot })
  const { email: label } = useText({ session })
  const [initialEmail, setInitialEmail] = useState(emailIn(useLocation().state))
  const [sentTo, setSentTo] = useState<string | null>(null)
  const startAgain = (): void => {
    setInitialEmail('')
    setSentTo(null)
  }
  const loginLink = (
    <p className="small">
      <Link className="link" to={paths.login}>
        {text.toLogin}
      </Link>
    </p>
  )
  if (sentTo !== null) {
    return (
      <AuthLayout title={text.title} heading={text.sent.heading} lead={text.sent.lead} side={side} focusHeading>
        <p>
          <b>
            <EmailAddress email={sentTo} />
          </b>
        </p>
        <Note tone="plain">{text.sent.hint}</Note>
        <Button large block onClick={startAgain}>
          {text.sent.another}
        </Button>
        {loginLink}
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={text.title} heading={text.heading} lead={text.lead} side={side}>
      <ForgotForm label={label} initialEmail={initialEmail} onSent={setSentTo} />
      {loginLink}
    </AuthLayout>
  )
}

/** The email address in the location state, which the sign-in page passes on. */
function emailIn(state: unknown): string {
  const { email } = (state ?? {}) as { email?: unknown } // any state of the previous page; checked below
  return typeof email === 'string' ? email : ''
}
