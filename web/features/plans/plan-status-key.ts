import type { QueryClient } from '@tanstack/react-query'

export const planStatusKey = ['plan-status'] as const

/** Photos were added or deleted: pages that show the usage fetch it again. */
export const refetchPlanStatus = (queryClient: QueryClient): void =>
  void queryClient.invalidateQueries({ queryKey: planStatusKey }, { cancelRefetch: false })
