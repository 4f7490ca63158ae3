import { createTestCode, getTestEmail, sendTestEmail, type TestEmail } from '@keepsnap/contract/readiness.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../lib/app-services.tsx'

const pollMs = 2_000
const testEmailKey = ['test-email'] as const

/** Sends a test email, and polls its delivery. */
export function useTestEmail() {
  const api = useApi()
  const queryClient = useQueryClient()
  const sending = useMutation({
    mutationFn: () => api.call(sendTestEmail, {}),
    async onSuccess(email) {
      await queryClient.cancelQueries({ queryKey: testEmailKey })
      queryClient.setQueryData<TestEmail>(testEmailKey, email)
    },
  })
  const query = useQuery({
    queryKey: testEmailKey,
    queryFn: ({ signal }) => api.call(getTestEmail, {}, { signal }),
    enabled: sending.isSuccess,
    refetchInterval: ({ state }) => (state.data?.state === 'queued' ? pollMs : false),
    retry: false,
  })
  return { send: () => sending.mutate(), error: sending.error, isSending: sending.isPending, query }
}

/** Makes a code to try with a phone. */
export function useTestCode() {
  const api = useApi()
  return useMutation({ mutationFn: () => api.call(createTestCode, {}) })
}
