import { queryOptions } from '@tanstack/react-query'
import { listAllEventGrants, listEventGrants } from '@keepsnap/contract/event-archives.ts'
import { listAllHelpers, listHelpers } from '@keepsnap/contract/event-helpers.ts'
import type { Api } from '../../lib/api.ts'

const sendingRefetchMs = 5_000

// Below the key of the events, so that messages about events fetch them again.

/** The links to all photos of an event, newest first. */
export const grantsOfEventQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['events', id, 'grants'] as const,
    queryFn: ({ signal }) => api.call(listEventGrants, { params: { id } }, { signal }),
    // No message says that an email was sent.
    refetchInterval: ({ state }) =>
      state.data?.grants.some((one) => one.state === 'queued') ? sendingRefetchMs : false,
  })

/** The links of all events that work. */
export const eventGrantsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['events', 'grants'] as const,
    queryFn: ({ signal }) => api.call(listAllEventGrants, {}, { signal }),
  })

/** The helpers of an event, newest first. */
export const helpersOfEventQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['events', id, 'helpers'] as const,
    queryFn: ({ signal }) => api.call(listHelpers, { params: { id } }, { signal }),
  })

/** The helpers of all events whose link works. */
export const helpersQuery = (api: Api) =>
  queryOptions({
    queryKey: ['events', 'helpers'] as const,
    queryFn: ({ signal }) => api.call(listAllHelpers, {}, { signal }),
  })
