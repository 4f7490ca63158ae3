import {
  listAuditEntries,
  operatorHealth,
  operatorOverview,
  confirmOperator,
  type AuditEntry,
} from '@keepsnap/contract/operator.ts'
import { operatorIntegrity } from '@keepsnap/contract/operator-integrity.ts'
import { findEmails } from '@keepsnap/contract/operator-guests.ts'
import { findPhoto, listFailedPhotos, listReportedPhotos } from '@keepsnap/contract/operator-photos.ts'
import { operatorGetUser, operatorListUsers, type UserFilter } from '@keepsnap/contract/operator-users.ts'
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { usePasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'

const refetchInterval = 30_000
/** Key prefix of all queries of this page; an action invalidates them. */
export const operatorKey = ['operator'] as const

export const overviewQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'overview'],
    queryFn: ({ signal }) => api.call(operatorOverview, {}, { signal }),
    refetchInterval,
  })

export const healthQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'health'],
    queryFn: ({ signal }) => api.call(operatorHealth, {}, { signal }),
    refetchInterval,
  })

const runningMs = 3_000

export const integrityQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'integrity'],
    queryFn: ({ signal }) => api.call(operatorIntegrity, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? runningMs : refetchInterval),
  })

const photosPageSize = 8
/** Lists with more loaded pages are not polled. */
const maxRefetchedPages = 3

interface PhotoPage<Photo> {
  photos: Photo[]
  total: number
  skip: number
}

/** Options of both lists of photos: offset pagination, and polling while few pages are loaded. */
const photoPages = {
  initialPageParam: 0,
  getNextPageParam({ photos, total, skip }: PhotoPage<unknown>): number | null {
    const next = skip + photos.length
    return photos.length > 0 && next < total ? next : null
  },
  refetchInterval: ({ state }: { state: { data?: { pages: unknown[] } | undefined } }) =>
    (state.data?.pages.length ?? 1) <= maxRefetchedPages && refetchInterval,
}

export const failedPhotosQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [...operatorKey, 'failed-photos'],
    queryFn: ({ pageParam: skip, signal }) =>
      api.call(listFailedPhotos, { query: { skip, limit: photosPageSize } }, { signal }),
    ...photoPages,
  })

export const reportedPhotosQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: [...operatorKey, 'reported-photos'],
    queryFn: ({ pageParam: skip, signal }) =>
      api.call(listReportedPhotos, { query: { skip, limit: photosPageSize } }, { signal }),
    ...photoPages,
  })

export interface UserListInput {
  search: string
  filter: UserFilter
  skip: number
}
export const usersPageSize = 20

export const usersQuery = (api: Api, { search, filter, skip }: UserListInput) =>
  queryOptions({
    queryKey: [...operatorKey, 'users', { search, filter, skip }],
    queryFn: ({ signal }) => {
      const query = { filter, skip, limit: usersPageSize, ...(search && { search }) }
      return api.call(operatorListUsers, { query }, { signal })
    },
    placeholderData: keepPreviousData,
  })

export const userQuery = (api: Api, userId: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'user', userId],
    queryFn: ({ signal }) => api.call(operatorGetUser, { params: { user_id: userId } }, { signal }),
  })

export const emailsQuery = (api: Api, address: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'emails', address],
    queryFn: ({ signal }) => api.call(findEmails, { query: { address } }, { signal }),
    refetchInterval,
    // An address that is none stays so.
    retry: false,
  })

export const photoQuery = (api: Api, text: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'photo', text],
    queryFn: ({ signal }) => api.call(findPhoto, { query: { text } }, { signal }),
    retry: false,
  })

interface AuditPage {
  entries: AuditEntry[]
  has_more: boolean
}

interface AuditInput {
  limit: number
  /** Only entries about this account. */
  userId?: string
  /** Only entries of this kind of actor. */
  by?: AuditEntry['by']['kind'] | undefined
}

/** The audit log, newest first, page by page. */
export const auditQuery = (api: Api, { limit, userId, by }: AuditInput) =>
  infiniteQueryOptions({
    queryKey: [...operatorKey, 'audit', { limit, userId, by }],
    queryFn: ({ pageParam, signal }): Promise<AuditPage> => {
      const filters = { ...(userId && { user_id: userId }), ...(by && { by }) }
      const query = { limit, ...filters, ...(pageParam !== null && { before: pageParam }) }
      return api.call(listAuditEntries, { query }, { signal })
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ entries, has_more }) => (has_more ? (entries.at(-1)?.id ?? null) : null),
  })

/** An action of an operator, for which the server may ask for the password. */
export function useOperatorAction<Result>(
  text: Parameters<typeof usePasswordConfirmation>[0],
  { act, onDone }: { act: (reason: string) => Promise<Result>; onDone: (result: Result) => void },
) {
  const api = useApi()
  const queryClient = useQueryClient()
  const confirmation = usePasswordConfirmation(text, (password) => api.call(confirmOperator, { body: { password } }))
  const refetch = (): void => void queryClient.invalidateQueries({ queryKey: operatorKey })
  const mutation = useMutation({
    mutationFn: (reason: string) => confirmation.run(() => act(reason)),
    onSuccess(result) {
      refetch()
      onDone(result)
    },
    onError(error) {
      // What the page shows may be out of date, and the log has the refusal.
      if (error instanceof ApiError && confirmation.problemOf(error)) refetch()
    },
  })
  return { ...mutation, confirmation, problem: confirmation.problemOf(mutation.error) }
}
