import { ApiError } from '../../lib/api-errors.ts'
import type { Catalogue } from '../../messages/en.ts'

/** What to say about a sign-in that failed; spec section 8. */
export function loginMessage(error: unknown, text: Catalogue['session']['errors']): string {
  if (!(error instanceof ApiError)) return text.network
  if (error.status === 401) return text.invalid
  if (error.status >= 500) return text.server(error.status)
  return text.loginFailed(error.explanation ?? text.unknown)
}

/** What to say about a registration that failed; spec section 8. */
export function registerMessage(error: unknown, text: Catalogue['session']['errors']): string {
  if (!(error instanceof ApiError)) return text.network
  if (isRegistered(error)) return text.registered
  if (error.status === 422) return text.validation(error.explanation ?? text.checkInput)
  if (error.status >= 500) return text.server(error.status)
  return error.explanation ?? text.registerFailed
}

/** Whether the address has an account already: then signing in is the way on. */
export const isRegistered = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 400 &&
  (error.explanation ?? '').toLowerCase().includes('already registered')
