import { signOut } from '@keepsnap/contract/accounts.ts'
import { useNavigate } from 'react-router'
import { useApi, useSession } from '../../lib/app-services.tsx'
import { paths } from '../../lib/paths.ts'

const signOutTimeoutMs = 3_000

/** Ends the session in this browser even if the server does not respond: signing out on a shared device must work. */
export function useSignOut(): () => Promise<void> {
  const api = useApi()
  const session = useSession()
  const navigate = useNavigate()
  return async () => {
    // Other calls may be refused before this one has returned.
    await session.whileReplacing(async () => {
      await api.call(signOut, {}, { timeoutMs: signOutTimeoutMs }).catch(() => {})
      session.end('signed-out')
    })
    await navigate(paths.login)
  }
}
