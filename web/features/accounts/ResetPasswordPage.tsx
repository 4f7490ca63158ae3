import { type SubmitEvent, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useMutation, useQuery } from '@tanstack/react-query'
import { checkResetLink, resetPassword } from '@keepsnap/contract/security.ts'
import { isInvalidLink } from './email-links.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { useText } from '../../lib/i18n.tsx'
import { useApi, useSession } from '../../lib/app-services.tsx'
import { accessReview, loginPathTo, paths } from '../../lib/paths.ts'
import { hasFailed, Loading } from '../../ui/QueryView.tsx'
import { reset, session as sessionText } from '../../messages/en/accounts.ts'
import photo from '../../pictures/dance-720.webp'
import back from '../../pictures/table-1200.webp'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { emptyPassword, newPasswordErrors, NewPasswordFields } from '../../ui/PasswordFields.tsx'
import { AuthLayout } from './AuthLayout.tsx'

const side = { back, photo, sample: 'dance' } as const

/** The form is shown without the answer after this time; the server checks the token again anyway. */
const linkCheckTimeoutMs = 5_000

/** Opened by the link in a password reset email. */
export function ResetPasswordPage() {
  const text = useText({ reset })
  const token = useSearchParams()[0].get('token')
  const navigate = useNavigate()
  const [refusedReason, setRefusedReason] = useState<string | null>(null)
  const api = useApi()
  // Before a password is typed. Does not consume the link.
  const linkCheck = useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) =>
      api.call(checkResetLink, { body: { token: token ?? '' } }, { signal, timeoutMs: linkCheckTimeoutMs }),
    enabled: Boolean(token),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
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
        <ResetForm token={token} onDone={onPasswordSet} onInvalidLink={setRefusedReason} />
      )}
    </AuthLayout>
  )
}

interface Props {
  token: string
  /** Whether the account has API keys or webhooks. */
  onDone: (hasIntegrations: boolean) => void
  /** The link is invalid: the user needs a new one. */
  onInvalidLink: (reason: string) => void
}

/** Sets the new password. */
function ResetForm({ token, onDone, onInvalidLink }: Props) {
  const text = useText({ reset })
  const passwordText = useText({ session: sessionText })
  const [newPassword, setNewPassword] = useState(emptyPassword)
  const [submitted, setSubmitted] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const api = useApi()
  // Every session of the account ends.
  const change = useMutation({
    mutationFn: (body: { token: string; new_password: string }) => api.call(resetPassword, { body }),
  })
  const errors = newPasswordErrors(newPassword, passwordText)

  const submitNewPassword = (event: SubmitEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    const [first] = Object.keys(errors)
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
    else if (!change.isPending) {
      const onError = (error: Error): void => {
        if (isInvalidLink(error)) onInvalidLink(errorMessage(error, text.reset.invalid.missing))
      }
      change.mutate(
        { token, new_password: newPassword.password },
        { onSuccess: (reply) => onDone(reply.has_integrations), onError },
      )
    }
  }
  return (
    <>
      {change.isError && <Note tone="bad">{errorMessage(change.error, text.genericError)}</Note>}
      <form className="stack auth__fields" ref={form} onSubmit={submitNewPassword} noValidate>
        <NewPasswordFields
          labels={text.reset}
          value={newPassword}
          errors={submitted ? errors : {}}
          onChange={setNewPassword}
        />
        <Button type="submit" tone="primary" large block busy={change.isPending}>
          {text.reset.submit}
        </Button>
      </form>
    </>
  )
}
