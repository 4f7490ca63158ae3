import { deleteAccount, exportState, requestExport, type Archive } from '@keepsnap/contract/privacy.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi, useSession } from '../../lib/app-services.tsx'

const exportKey = ['user', 'export'] as const
const exportPollMs = 4_000

/** The last archive; polled while it is being created. */
export const exportQuery = (api: Api) =>
  queryOptions({
    queryKey: exportKey,
    queryFn: ({ signal }) => api.call(exportState, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'queued' ? exportPollMs : false),
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

export function useRequestExport() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call(requestExport, {}),
    async onSuccess(archive) {
      await queryClient.cancelQueries({ queryKey: exportKey })
      queryClient.setQueryData<Archive>(exportKey, archive)
    },
  })
}

export function useDeleteAccount(onDeleted: () => void) {
  const api = useApi()
  const session = useSession()
  return useMutation({
    mutationFn: (password: string) =>
      session.whileReplacing(async () => {
        await api.call(deleteAccount, { body: { password } })
        onDeleted()
      }),
  })
}
