import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replaceWebhookSecret,
  replayDelivery,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookEventType,
} from '@keepsnap/contract/integrations.ts'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { isTransient } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import type { PasswordConfirmation } from '../../ui/usePasswordConfirmation.tsx'

const webhooksKey = ['webhooks', 'list'] as const
const deliveriesKey = ['webhooks', 'deliveries'] as const
const deliveriesPageSize = 20
/** How often the log is read while something in it is about to change, in milliseconds. */
const soonMs = 2_000
const laterMs = 30_000

/** The user's webhooks, oldest first. */
export const webhooksQuery = (api: Api) =>
  queryOptions({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => api.call(listWebhooks, {}, { signal }),
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

/** Which deliveries a log shows. */
export type DeliveryFilter = 'all' | 'failed'

interface DeliveriesPage {
  deliveries: WebhookDelivery[]
  has_more: boolean
}

/** When to read a log again; false when nothing in it waits. */
function refetchAfter(pages: readonly DeliveriesPage[], now: number): number | false {
  const waiting = pages.flatMap(({ deliveries }) => deliveries).filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return false
  const next = Math.min(...waiting.map(({ next_attempt_at: at }) => (at === null ? now : Date.parse(at))))
  return next - now < laterMs ? soonMs : laterMs
}

/** The deliveries of a webhook, newest first, page by page. It is read again while some of them wait. */
export const deliveriesQuery = (api: Api, id: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [...deliveriesKey, id, filter],
    queryFn: ({ pageParam, signal }): Promise<DeliveriesPage> =>
      api.call(
        listDeliveries,
        {
          params: { id },
          query: {
            limit: deliveriesPageSize,
            ...(pageParam !== null && { before: pageParam }),
            ...(filter === 'failed' && { state: filter }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ deliveries, has_more: hasMore }) => (hasMore ? (deliveries.at(-1)?.id ?? null) : null),
    refetchInterval: ({ state: { data } }) => refetchAfter(data?.pages ?? [], Date.now()),
  })

/** What the form of a webhook contains. */
export interface WebhookFields {
  url: string
  events: WebhookEventType[]
  enabled: boolean
  /** Only in accounts that have events. */
  event_id?: string | null
}

/**
 * Calls that change webhooks; each reads the list again, and those that send something also the log. `run` makes those for which
 * the server may ask for the password.
 */
export function useWebhookActions(run: PasswordConfirmation['run'] = (act) => act()) {
  const api = useApi()
  const queryClient = useQueryClient()
  const refreshList = () => queryClient.invalidateQueries({ queryKey: webhooksKey })
  const refreshAll = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
  return {
    create: useMutation({
      mutationFn: ({ url, events, event_id }: WebhookFields) =>
        run(() => api.call(createWebhook, { body: { url, events, ...(event_id !== undefined && { event_id }) } })),
      onSettled: refreshList,
    }),
    change: useMutation({
      mutationFn: ({ id, ...body }: WebhookFields & { id: string }) =>
        run(() => api.call(changeWebhook, { params: { id }, body })),
      onSettled: refreshAll,
    }),
    replaceSecret: useMutation({
      mutationFn: (id: string) => run(() => api.call(replaceWebhookSecret, { params: { id } })),
      onSettled: refreshList,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.call(deleteWebhook, { params: { id } }),
      async onSuccess(_, id) {
        // Its response may be from before the deletion.
        await queryClient.cancelQueries({ queryKey: webhooksKey, exact: true })
        queryClient.setQueryData<Webhook[]>(webhooksKey, (list) => list?.filter((webhook) => webhook.id !== id))
        void refreshList()
      },
      onError: refreshList,
    }),
    test: useMutation({
      mutationFn: (id: string) => api.call(testWebhook, { params: { id } }),
      onSettled: refreshAll,
    }),
  }
}

export function useReplay(id: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (deliveryId: string) => api.call(replayDelivery, { params: { id, delivery_id: deliveryId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...deliveriesKey, id] }),
  })
}
