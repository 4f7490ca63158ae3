import { signOut } from '@keepsnap/contract/accounts.ts'
import { useNavigate } from 'react-router'
import { useApi, useSession } from '../../lib/app-services.tsx'
import { paths } from '../../lib/paths.ts'

const patienceMs = 3_000

/** Ends the session here whatever the server says to it: a person who signs out on a shared screen must be out. */
export function useSignOut(): () => Promise<void> {
  const api = useApi()
  const session = useSession()
  const navigate = useNavigate()
  return async () => {
    await api.call(signOut, {}, { timeoutMs: patienceMs }).catch(() => {})
    session.end('signed-out')
    await navigate(paths.login)
  }
}
