import { register, signIn, signOut } from '@keepsnap/contract/accounts.ts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useApi, useSession } from '../../lib/parts.tsx'
import { paths } from '../../lib/paths.ts'

interface Credentials {
  email: string
  password: string
}

export function useSignIn() {
  const api = useApi()
  const session = useSession()
  return useMutation({
    mutationFn: ({ email, password }: Credentials) => api.call(signIn, { body: { username: email, password } }),
    onSuccess: ({ access_token }) => session.begin(access_token),
  })
}

export function useRegister() {
  const api = useApi()
  const session = useSession()
  return useMutation({
    mutationFn: (body: Credentials) => api.call(register, { body }),
    onSuccess: ({ access_token }) => session.begin(access_token),
  })
}

/** Ends the session here whatever the server says to it: a person who signs out on a shared screen must be out. */
export function useSignOut() {
  const api = useApi()
  const session = useSession()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => api.call(signOut, {}, { timeoutMs: 3_000 }),
    onSettled: () => {
      session.end('left')
      return navigate(paths.login)
    },
  })
}
