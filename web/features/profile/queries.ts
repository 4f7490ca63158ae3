import { changeEmail, sendVerification } from '@keepsnap/contract/security.ts'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../lib/app-services.tsx'

/** Resends the email that confirms the address. */
export function useSendVerification() {
  const api = useApi()
  return useMutation({ mutationFn: () => api.call(sendVerification, {}) })
}

/** Sends a confirmation email to the new address. */
export function useChangeEmail() {
  const api = useApi()
  return useMutation({
    mutationFn: (body: { email: string; password: string }) => api.call(changeEmail, { body }),
  })
}
