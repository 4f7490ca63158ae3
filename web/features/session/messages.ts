import { ApiError } from '../../lib/api-errors.ts'
import type { Catalogue } from '../../messages/en.ts'

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
