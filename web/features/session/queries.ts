import { register, signIn } from '@keepsnap/contract/accounts.ts'
import { useMutation } from '@tanstack/react-query'
import { deviceTimeZone } from '../../lib/device-time-zone.ts'
import { isAboutField } from '../../lib/api-errors.ts'
import { useApi, useSession } from '../../lib/app-services.tsx'
import { pageLanguage } from '../../lib/language-choice.ts'

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
    mutationFn: async (credentials: Credentials) => {
      const timeZone = deviceTimeZone()
      const body = { ...credentials, language: pageLanguage() }
      if (timeZone === undefined) return api.call(register, { body })
      try {
        return await api.call(register, { body: { ...body, time_zone: timeZone } })
      } catch (error) {
        // A browser may know newer time zones than the server.
        if (isAboutField(error, 'time_zone')) return api.call(register, { body })
        throw error
      }
    },
    onSuccess: ({ access_token }) => session.begin(access_token),
  })
}
