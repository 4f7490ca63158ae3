import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { isInvalidLink, useResetLinkCheck } from './email-links.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { useSession } from '../../lib/app-services.tsx'
import { accessReview, loginPathTo, paths } from '../../lib/paths.ts'
import { hasFailed, Loading } from '../../ui/QueryView.tsx'
import { reset } from '../../messages/en/accounts.ts'
import photo from '../../pictures/dance-720.webp'
import back from '../../pictures/table-1200.webp'
import { buttonClass } from '../../ui/Button.tsx'
import { AuthLayout } from './AuthLayout.tsx'

// A chunk of its own: a link that is used or expired needs no form.
const ResetForm = lazy(async () => ({ default: (await import('./ResetForm.tsx')).ResetForm }))

const side = { back, photo, sample: 'dance' } as const

/** Opened by the link in a password reset email. */
export function ResetPasswordPage() {
  const text = useText({ reset })
  const token = useSearchParams()[0].get('token')
  const navigate = useNavigate()
  const [refusedReason, setRefusedReason] = useState<string | null>(null)
  const linkCheck = useResetLinkCheck(token)
  const session = useSession()
  const onPasswordSet = (hasIntegrations: boolean): void => {
    // If this browser was signed in, it no longer is.
    session.end('signed-out')
    void navigate(hasIntegrations ? loginPathTo(accessReview) : paths.login, {
      replace: true,
      state: { message: text.reset.done },
    })
  }
  const { heading, missing, request } = text.reset.invalid
  const invalidReason = isInvalidLink(linkCheck.error) ? errorMessage(linkCheck.error, missing) : refusedReason
  if (!token || invalidReason !== null) {
    return (
      <AuthLayout
        title={heading}
        heading={heading}
        lead={invalidReason ?? missing}
        side={side}
        focusHeading={invalidReason !== null}
      >
        <Link className={buttonClass({ tone: 'primary', large: true, block: true })} to={paths.forgotPassword}>
          {request}
        </Link>
        <p className="small">
          <Link className="link" to={paths.login}>
            {text.toLogin}
          </Link>
        </p>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={text.reset.title} heading={text.reset.heading} lead={text.reset.lead} side={side}>
      {linkCheck.isPending && !hasFailed(linkCheck) ? (
        <Loading />
      ) : (
        <Suspense fallback={<Loading />}>
          <ResetForm token={token} onDone={onPasswordSet} onInvalidLink={setRefusedReason} />
        </Suspense>
      )}
    </AuthLayout>
  )
}
