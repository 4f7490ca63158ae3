import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router'
import type { User } from '@keepsnap/contract/accounts.ts'
import { changeEvent, type Event, listEvents, setCurrentEvent } from '@keepsnap/contract/events.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Input } from '@keepsnap/contract/endpoint.ts'
import { refusalMessage } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { useApi, useCurrentUser, userKey } from '../../lib/app-services.tsx'
import type { Format } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.tsx'
import { createListeners } from '../../lib/listeners.ts'
import { eventParameter, pageOfEvent, paths } from '../../lib/paths.ts'
import { openStorage } from '../../lib/storage.ts'
import { eventMenu } from '../../messages/en/events.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { type Saved, useSavedValue } from '../../ui/useSaved.ts'

export const eventsKey = ['events'] as const

/** All events of the account, the current one, then the newest first, archived and deleted ones too. */
export const eventsQuery = (api: Api) =>
  queryOptions({
    queryKey: eventsKey,
    queryFn: async ({ signal }) => {
      const { events } = await api.call(listEvents, {}, { signal })
      return [...events].sort((one, other) => Number(other.is_current) - Number(one.is_current))
    },
    staleTime: 60_000,
  })

/** Accounts without events see nothing of them but a line in the account menu. */
export const hasEvents = (user: User | null): boolean => user !== null && user.current_event_id !== undefined

/** The events of an account that has any; none in others, without a request. */
export function useEvents(): readonly Event[] | undefined {
  const { data } = useQuery({ ...eventsQuery(useApi()), enabled: hasEvents(useCurrentUser().user) })
  return data
}

/** One that is neither archived nor deleted: photos can go there. */
export const isOpen = (event: Event): boolean => event.archived_at === null && event.deleted_at === null

export function useEvent(id: string | null | undefined): Event | undefined {
  const events = useEvents()
  return events?.find((event) => event.id === id)
}

/** The name of what an id of an event, `none` or null means. */
export function useEventName(): (id: string | null) => string {
  const text = useText({ eventMenu })
  const events = useEvents()
  return useCallback(
    (id) => {
      if (id === null) return text.all
      if (id === 'none') return text.none
      return events?.find((event) => event.id === id)?.name ?? (events ? text.unknown : '…')
    },
    [events, text],
  )
}

/** Insights of an event: of its days and the month after them, once it has begun. */
export function insightsOfEvent({ id, starts_on: from, ends_on: last }: Event, today: string): string {
  const page = pageOfEvent(paths.insights, id)
  if (from === null || from > today) return page
  const end = new Date(Date.parse(last ?? from) + 30 * 24 * 3_600_000).toISOString().slice(0, 10)
  return `${page}&${new URLSearchParams({ from, to: end < today ? end : today })}`
}

// Which photos the pages show

/** Of this browser: whether the account that was here last has events. */
const eventsHintKey = 'has-events'
const shownKeyOf = (user: User): string => `shown-event-${user.id}`
const storage = openStorage(() => window.localStorage)
const choices = createListeners<void>()

interface Choice {
  event: string | null
  /** The current event when it was chosen: another one ends the choice. */
  current: string | null
}

function choiceIn(stored: string | null, user: User): Choice | null {
  try {
    const choice = JSON.parse(stored ?? 'null') as Choice | null // as `chooseEvent` stored it
    return choice?.current === user.current_event_id ? choice : null
  } catch {
    return null
  }
}

/** Lets the pages of this browser show the photos of an event; null: all. New photos go where they went before. */
export function chooseEvent(user: User, event: string | null): void {
  const current = user.current_event_id ?? null
  storage.set(shownKeyOf(user), event === current ? null : JSON.stringify({ event, current } satisfies Choice))
  choices.notify()
}

/**
 * Which photos the pages show: the id of an event, `none` for those without one, null for all; undefined until it is known. It is what
 * the URL says, else what the user chose last, else the current event.
 */
export function useChosenEvent(): string | null | undefined {
  const { state, user } = useCurrentUser()
  const inUrl = useSearchParams()[0].get(eventParameter)
  const stored = useSyncExternalStore(
    choices.add,
    () => (user ? storage.get(shownKeyOf(user)) : null),
    () => null,
  )
  const has = hasEvents(user)
  useEffect(() => {
    if (user) storage.set(eventsHintKey, has ? 'yes' : null)
    // Other pages go on showing it.
    if (user && has && inUrl !== null) chooseEvent(user, inUrl || null)
  }, [user, has, inUrl])
  const events = useEvents()
  if (!user) return state === 'loading' && storage.get(eventsHintKey) !== null ? undefined : null
  if (!has) return null
  const current = user.current_event_id ?? null
  const choice = choiceIn(stored, user)
  const chosen = inUrl !== null ? inUrl || null : choice ? choice.event : current
  // The server refuses the name of one that was deleted.
  const isGone =
    chosen !== 'none' && events?.every(({ id, deleted_at }) => id !== chosen || deleted_at !== null) && chosen !== null
  return isGone ? current : chosen
}

/** The event that new photos go to and Latest shows; null: none, or an account without events. */
export const useCurrentEventId = (): string | null => useCurrentUser().user?.current_event_id ?? null

/** Whether guests give an email address to get a photo: as its event says, else as the account does. */
export function useGateOf(): (photo: Pick<Photo, 'event_id'>) => Pick<User, 'ask_email_to_receive_photo'> {
  const asks = useCurrentUser().user?.ask_email_to_receive_photo ?? false
  const events = useEvents()
  return useCallback(
    ({ event_id }) => ({
      ask_email_to_receive_photo: events?.find(({ id }) => id === event_id)?.ask_email ?? asks,
    }),
    [events, asks],
  )
}

/** The part of a query that limits it to an event; nothing for all photos. */
export const eventQuery = (event: string | null | undefined): { event?: string } =>
  event === null || event === undefined ? {} : { event }

// Changes

/** Reads again what depends on events. The live connection, which may be down, says so too. */
export function useRefetchEvents(): () => void {
  const queryClient = useQueryClient()
  const { queryKey } = eventsQuery(useApi())
  return useCallback(() => {
    void queryClient.invalidateQueries({ queryKey })
    void queryClient.invalidateQueries({ queryKey: userKey })
  }, [queryClient, queryKey])
}

/** Makes an event the current one, or none, and says so. */
export function useSetCurrentEvent() {
  const api = useApi()
  const queryClient = useQueryClient()
  const refetch = useRefetchEvents()
  const toast = useToast()
  const text = useText({ eventMenu })
  return useMutation({
    mutationFn: (event: Pick<Event, 'id' | 'name'> | null) =>
      api.call(setCurrentEvent, { body: { event_id: event?.id ?? null } }),
    onSuccess({ event_id }, event) {
      queryClient.setQueryData<User>(userKey, (user) => user && { ...user, current_event_id: event_id })
      toast({ text: event ? text.madeCurrent(event.name) : text.madeNone })
    },
    onError: (error) => toast({ text: refusalMessage(error, text.failed), tone: 'bad' }),
    onSettled: refetch,
  })
}

type Changes = Input<typeof changeEvent>['body']

/** Changes an event. Its answer is shown at once; what follows from it, such as URLs of another gate, is read again. */
export function useChangeEvent(id: string): (body: Changes) => Promise<void> {
  const api = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = eventsQuery(api)
  const refetch = useRefetchEvents()
  return async (body) => {
    const changed = await api.call(changeEvent, { params: { id }, body })
    queryClient.setQueryData(queryKey, (list) => list?.map((event) => (event.id === id ? changed : event)))
    refetch()
  }
}

/** One setting of an event, saved at once. */
export function useSavedOfEvent<Name extends keyof Changes & keyof Event>(
  event: Event,
  name: Name,
  text: { saved: string; failed: string },
): Saved<Event[Name]> {
  const change = useChangeEvent(event.id)
  const { queryKey } = eventsQuery(useApi())
  const save = (value: Event[Name]): Promise<void> => change({ [name]: value })
  return useSavedValue({ saved: event[name], save, scope: `event-${event.id}`, queryKey, text })
}

// As people read it

const noon = (day: string): string => `${day}T12:00:00`

/** The days of an event; null without any. */
export function daysOf({ starts_on: from, ends_on: to }: Pick<Event, 'starts_on' | 'ends_on'>, format: Format) {
  if (from === null) return null
  if (to === null || to === from) return format.date(noon(from))
  const written = new Intl.DateTimeFormat(format.locale, { dateStyle: 'long' })
  return written.formatRange(new Date(noon(from)), new Date(noon(to)))
}

const dayMs = 24 * 60 * 60_000

/** Whole days until an event begins. */
export function daysUntil({ starts_on: from }: Pick<Event, 'starts_on'>, now: Date = new Date()): number {
  if (from === null) return 0
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12)
  return Math.max(1, Math.round((Date.parse(noon(from)) - today.getTime()) / dayMs))
}
