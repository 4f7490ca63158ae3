import { Link, useSearchParams } from 'react-router'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { verifyEmail } from '@keepsnap/contract/security.ts'
import { isInvalidLink } from './email-links.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { currentUserQuery, useApi, useSessionState } from '../../lib/app-services.tsx'
import { paths } from '../../lib/paths.ts'
import { verify as messages } from '../../messages/en/accounts.ts'
import photo from '../../pictures/topper-720.webp'
import back from '../../pictures/balloons-900.webp'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { AuthLayout } from './AuthLayout.tsx'

const side = { back, photo, sample: 'topper' } as const
const largeButton = { tone: 'primary', large: true, block: true } as const

/**
 * Opened by the link in a confirmation email. It requires a click, because security scanners open the links of emails,
 * and some of them run scripts.
 */
export function VerifyEmailPage() {
  const text = useText({ verify: messages })
  const token = useSearchParams()[0].get('token')
  const api = useApi()
  const queryClient = useQueryClient()
  const confirmation = useMutation({
    mutationFn: (link: string) => api.call(verifyEmail, { body: { token: link } }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey }),
  })
  const isSignedIn = useSessionState().token !== null

  if (confirmation.isSuccess) {
    return (
      <AuthLayout title={text.title} heading={text.done.heading} lead={text.done.lead} side={side} focusHeading>
        <p>
          <b>
            <EmailAddress email={confirmation.data.email} />
          </b>
        </p>
        <Link className={buttonClass(largeButton)} to={isSignedIn ? paths.settings : paths.login}>
          {isSignedIn ? text.done.settings : text.done.login}
        </Link>
      </AuthLayout>
    )
  }
  if (!token || isInvalidLink(confirmation.error)) {
    const { heading, lead, settings } = text.expired
    return (
      <AuthLayout title={heading} heading={heading} lead={lead} side={side} focusHeading={confirmation.isError}>
        <Link className={buttonClass(largeButton)} to={paths.settings}>
          {settings}
        </Link>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={text.title} heading={text.heading} lead={text.lead} side={side}>
      {confirmation.isError && <Note tone="bad">{errorMessage(confirmation.error, text.genericError)}</Note>}
      <Button {...largeButton} busy={confirmation.isPending} onClick={() => confirmation.mutate(token)}>
        {text.submit}
      </Button>
    </AuthLayout>
  )
}
