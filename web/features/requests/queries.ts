import { listPhotoRequests, resendPhotoRequest, type PhotoRequest } from '@keepsnap/contract/requests.ts'
import { infiniteQueryOptions, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/parts.tsx'
import { foundIn, merged } from './request-pages.ts'

/** Of all requests, not of the page. */
export interface Counts {
  total: number
  sent: number
  failed: number
}
/** One answer of the list; `next` is where to go on, null at the end. */
export interface RequestPage {
  requests: PhotoRequest[]
  counts: Counts
  next: string | null
}
export type RequestPages = InfiniteData<RequestPage, string | null>

const pageSize = 50
const nextHeader = 'x-next-before'

export const requestKeys = { list: ['requests', 'list'] as const }

/** Requests for the user's photos, newest first, page by page. */
export const requestsQuery = (api: Api) =>
  infiniteQueryOptions({
    queryKey: requestKeys.list,
    async queryFn({ pageParam, signal }): Promise<RequestPage> {
      const query = { limit: pageSize, ...(pageParam !== null && { before: pageParam }) }
      const { reply, headers } = await api.send(listPhotoRequests, { query }, { signal })
      const { requests, ...counts } = reply
      return { requests, counts, next: headers.get(nextHeader) }
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ next }) => next,
  })

/** Has a failed letter sent again. It shows as queued at once, and as failed again when that does not work. */
export function useResend() {
  const api = useApi()
  const queries = useQueryClient()
  const put = (request: PhotoRequest): void =>
    void queries.setQueryData<RequestPages>(requestKeys.list, (pages) => pages && merged(pages, [request]).pages)
  /** Unless the live channel has told something newer meanwhile. */
  const settle = (request: PhotoRequest): void => {
    const now = foundIn(queries.getQueryData<RequestPages>(requestKeys.list), request.id)
    if (now?.state === 'queued') put(request)
  }
  return useMutation({
    mutationFn: ({ id }: PhotoRequest) => api.call(resendPhotoRequest, { params: { id } }),
    async onMutate(request) {
      await queries.cancelQueries({ queryKey: requestKeys.list })
      put({ ...request, state: 'queued', failure: null, due_at: null })
    },
    onSuccess: settle,
    onError: (_, request) => settle(request),
  })
}
