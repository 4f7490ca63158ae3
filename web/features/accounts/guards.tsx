import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useCurrentUser, useSession, useSessionState } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { isPlanChoice, loginPath, paths, returnPath } from '../../lib/paths.ts'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState, Loading } from '../../ui/QueryView.tsx'

/** Renders the page for signed-in users only. Others are redirected to the sign-in page, which returns here. */
export function RequireSignedIn({ children }: { children: ReactNode }) {
  const current = useCurrentUser()
  const { pathname } = useLocation()
  const { profileFailed } = useText({ states })
  if (current.state === 'signed-out') return <RedirectToLogin />
  if (current.state === 'loading') return <Loading />
  // Settings show the profile, so they say that it could not be loaded.
  if (current.state === 'failed')
    return <Unreachable retry={current.retry} sentence={pathname === paths.settings ? profileFailed : undefined} />
  return children
}

/**
 * Redirects to the sign-in page, which returns here afterwards; after a sign-out it does not. Also for pages without a
 * guard whose call was answered 401.
 */
export function RedirectToLogin() {
  const location = useLocation()
  const { endReason } = useSessionState()
  return <Navigate to={endReason === 'signed-out' ? paths.login : loginPath(location)} replace />
}

interface RequireSignedOutProps {
  /** Where signed-in users are redirected to; `home` does not apply after choosing a plan. */
  redirectTo: 'home' | 'return path'
  children: ReactNode
}

/** Renders the page until a user is signed in. */
export function RequireSignedOut({ redirectTo, children }: RequireSignedOutProps) {
  const current = useCurrentUser()
  const session = useSession()
  const { search } = useLocation()
  // The form stays mounted while its own new token is checked. Only an earlier token shows the loading state.
  const [initialState] = useState(current.state)
  useEffect(() => session.clearEndReason(), [session])
  if (current.state === 'signed-in') {
    const returnTo = returnPath(search, window.location.origin)
    // Users who register to buy a plan continue with that plan.
    const target = redirectTo === 'return path' || isPlanChoice(returnTo) ? returnTo : paths.home
    return <Navigate to={target} replace />
  }
  if (current.state === 'failed') return <Unreachable retry={current.retry} />
  if (current.state === 'loading' && initialState === 'loading') return <Loading />
  return children
}

function Unreachable({ retry, sentence }: { retry: () => Promise<unknown>; sentence?: string | undefined }) {
  const text = useText({ states })
  const [isBusy, setIsBusy] = useState(false)
  const tryAgain = async (): Promise<void> => {
    setIsBusy(true)
    await retry()
    setIsBusy(false)
  }
  return (
    <ErrorState sentence={sentence ?? text.unreachable.heading} hint={text.unreachable.lead}>
      <Button tone="primary" large busy={isBusy} onClick={() => void tryAgain()}>
        {text.tryAgain}
      </Button>
    </ErrorState>
  )
}
