import { checkResetLink, requestPasswordReset, resetPassword, verifyEmail } from '@keepsnap/contract/security.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-errors.ts'
import { currentUserQuery, useApi } from '../../lib/app-services.tsx'

/** Requests an email with a password reset link. */
export function useRequestReset() {
  const api = useApi()
  return useMutation({ mutationFn: (email: string) => api.call(requestPasswordReset, { body: { email } }) })
}

/** The form is shown without the answer after this time; the server checks the token again anyway. */
const linkCheckTimeoutMs = 5_000

/** Checks the token of a reset link once, before a password is typed. Does not consume it. */
export function useResetLinkCheck(token: string | null) {
  const api = useApi()
  return useQuery({
    queryKey: ['reset-link', token],
    queryFn: ({ signal }) =>
      api.call(checkResetLink, { body: { token: token ?? '' } }, { signal, timeoutMs: linkCheckTimeoutMs }),
    enabled: Boolean(token),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Sets a new password with the token of a reset link. Every session of the account ends. */
export function useResetPassword() {
  const api = useApi()
  return useMutation({
    mutationFn: (body: { token: string; new_password: string }) => api.call(resetPassword, { body }),
  })
}

/** Confirms an email address with the token of a link, which works once. */
export function useVerifyEmail() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => api.call(verifyEmail, { body: { token } }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey }),
  })
}

/** Whether the call failed because the link is invalid or expired. */
export const isInvalidLink = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /token|link/i.test(error.sentence ?? '')
