import { useEffect, useState, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useCurrentUser } from '../../lib/current-user.ts'
import { useText } from '../../lib/i18n.tsx'
import { useSession, useSessionState } from '../../lib/parts.tsx'
import { loginFor, paths, returnPath } from '../../lib/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { ErrorState } from '../../ui/State.tsx'
import { states } from '../../messages/en/states.ts'

/** For pages that need a person: waits until it is known who looks, and sends strangers to sign in and back. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const who = useCurrentUser()
  if (who.state === 'out') return <ToLogin />
  if (who.state === 'resolving') return <Loading />
  if (who.state === 'broken') return <Unreachable retry={who.retry} />
  return children
}

/**
 * To the sign-in page, with the way back to here; without it for a person who has just signed out. Also for pages
 * without a gate whose call was answered 401.
 */
export function ToLogin() {
  const location = useLocation()
  const { ended } = useSessionState()
  return <Navigate to={ended === 'left' ? paths.login : loginFor(location)} replace />
}

/** For the pages that sign a person in: whoever is signed in already, or now, is sent on. */
export function SignedOutOnly({ then, children }: { then: 'home' | 'back'; children: ReactNode }) {
  const who = useCurrentUser()
  const session = useSession()
  const { search } = useLocation()
  // Only a visitor who came with a token waits; the form stays while the one it fetched is resolved.
  const [came] = useState(who.state)
  useEffect(() => session.settle(), [session])
  if (who.state === 'in')
    return <Navigate to={then === 'back' ? returnPath(search, window.location.origin) : paths.home} replace />
  if (who.state === 'broken') return <Unreachable retry={who.retry} />
  if (who.state === 'resolving' && came === 'resolving') return <Loading />
  return children
}

function Unreachable({ retry }: { retry: () => void }) {
  const text = useText({ states })
  return (
    <ErrorState sentence={text.unreachable.heading} hint={text.unreachable.lead}>
      <Button tone="primary" large onClick={retry}>
        {text.tryAgain}
      </Button>
    </ErrorState>
  )
}
