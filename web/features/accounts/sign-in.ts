import { useMutation } from '@tanstack/react-query'
import { register, signIn } from '@keepsnap/contract/accounts.ts'
import { ApiError, isAboutField } from '../../lib/api-errors.ts'
import type { Catalogue } from '../../messages/en.ts'
import { deviceTimeZone } from '../../lib/time.ts'
import { useApi, useSession } from '../../lib/app-services.tsx'
import { pageLanguage } from '../../lib/language-choice.ts'

/** The message about a failed sign-in. */
export function loginMessage(error: unknown, text: Catalogue['session']['errors']): string {
  if (!(error instanceof ApiError)) return text.network
  if (error.status === 401) return text.invalid
  if (error.status >= 500) return text.server(error.status)
  return text.loginFailed(error.explanation ?? text.unknown)
}

/** The message about a failed registration. */
export function registerMessage(error: unknown, text: Catalogue['session']['errors']): string {
  if (!(error instanceof ApiError)) return text.network
  if (isRegistered(error)) return text.registered
  if (error.status === 422) return text.validation(error.explanation ?? text.checkInput)
  if (error.status >= 500) return text.server(error.status)
  return error.explanation ?? text.registerFailed
}

/** Whether the registration failed because the address already has an account. */
export const isRegistered = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 400 &&
  (error.sentence ?? '').toLowerCase().includes('already registered')

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
