import { register, signIn } from '@keepsnap/contract/accounts.ts'
import { useMutation } from '@tanstack/react-query'
import { deviceTimeZone } from '../../lib/device-time-zone.ts'
import { useApi, useSession } from '../../lib/app-services.tsx'

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
    mutationFn: (credentials: Credentials) => {
      const timeZone = deviceTimeZone()
      return api.call(register, { body: { ...credentials, ...(timeZone !== undefined && { time_zone: timeZone }) } })
    },
    onSuccess: ({ access_token }) => session.begin(access_token),
  })
}
