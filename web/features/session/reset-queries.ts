import { requestPasswordReset, resetPassword, verifyEmail } from '@keepsnap/contract/security.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-errors.ts'
import { currentUserQuery } from '../../lib/current-user.ts'
import { useApi } from '../../lib/app-services.tsx'

/** Asks for a link that sets a new password. */
export function useRequestReset() {
  const api = useApi()
  return useMutation({ mutationFn: (email: string) => api.call(requestPasswordReset, { body: { email } }) })
}

/** Sets a new password by such a link. Every session of the account ends. */
export function useResetPassword() {
  const api = useApi()
  return useMutation({
    mutationFn: (body: { token: string; new_password: string }) => api.call(resetPassword, { body }),
  })
}

/** Spends a link that confirms an address. */
export function useVerifyEmail() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => api.call(verifyEmail, { body: { token } }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: currentUserQuery(api).queryKey }),
  })
}

/** Whether the link itself was refused, so that only a new one helps; spec section 4. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /token|link/i.test(error.explanation ?? '')

/** What to say about a call that failed: the server's own words first; spec section 8. */
export const resetMessage = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.explanation) || otherwise
