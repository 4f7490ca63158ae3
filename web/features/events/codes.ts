import { queryOptions } from '@tanstack/react-query'
import { type EventCode, listEventCodes } from '@keepsnap/contract/event-guests.ts'
import { getEvent } from '@keepsnap/contract/events.ts'
import type { Api } from '../../lib/api.ts'

/** The codes of an event: its own first, then those of tables. */
export const eventCodesQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['event-codes', id],
    queryFn: async ({ signal }): Promise<EventCode[]> =>
      (await api.call(listEventCodes, { params: { id } }, { signal })).codes,
  })

/** One event, for what is shown of it elsewhere. */
export const oneEventQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['events', id],
    queryFn: ({ signal }) => api.call(getEvent, { params: { id } }, { signal }),
  })
