import {
  changeEvent,
  createEvent,
  deleteEvent,
  type Event,
  getEvent,
  listEvents,
  movePhotos,
  setCurrentEvent,
  undoDeleteEvent,
} from '@keepsnap/contract/events.ts'
import { type FakeServer, refuse } from './fake-server.ts'
import { sampleEvent } from './samples.ts'

interface Served {
  list: Event[]
  /** Bodies of the calls that changed an event, with its id. */
  changes: object[]
  /** Bodies of the calls that moved photos. */
  moves: { ids: string[]; event_id: string | null }[]
}

/** Answers every call about events from a list in memory; `eventOf` says where a photo is before it is moved. */
export function serveEvents(server: FakeServer, events: Event[], eventOf = new Map<string, string | null>()): Served {
  const served: Served = { list: events, changes: [], moves: [] }
  const changed = (id: string, fields: Partial<Event>) => {
    served.list = served.list.map((event) => (event.id === id ? { ...event, ...fields } : event))
    return served.list.find((event) => event.id === id) ?? refuse(404, 'This event does not exist.', 'not_found')
  }
  server.answer(listEvents, () => ({ events: served.list }))
  server.answer(getEvent, ({ params: { id } }) => changed(id, {}))
  server.answer(createEvent, ({ body, user }) => {
    const event = sampleEvent(served.list.length + 1, body)
    served.list = [event, ...served.list]
    user!.current_event_id ??= null
    return event
  })
  server.answer(changeEvent, ({ params: { id }, body: { archived, ...fields } }) => {
    served.changes.push({ id, ...fields, ...(archived !== undefined && { archived }) })
    const archivedAt = archived === undefined ? {} : { archived_at: archived ? '2026-11-20T10:00:00.000Z' : null }
    return changed(id, { ...fields, ...archivedAt })
  })
  server.answer(deleteEvent, ({ params: { id }, query }) => {
    served.changes.push({ id, deleted: query.photos })
    return changed(id, { deleted_at: '2026-11-20T10:00:00.000Z', gone_at: '2026-11-27T10:00:00.000Z' })
  })
  server.answer(undoDeleteEvent, ({ params: { id } }) => changed(id, { deleted_at: null, gone_at: null }))
  server.answer(setCurrentEvent, ({ body: { event_id }, user }) => {
    user!.current_event_id = event_id // the endpoint requires a user
    served.list = served.list.map((event) => ({ ...event, is_current: event.id === event_id }))
    return { event_id }
  })
  server.answer(movePhotos, ({ body: { ids, event_id } }) => {
    served.moves.push({ ids, event_id })
    const results = ids.map((id) => {
      const from = eventOf.get(id) ?? null
      eventOf.set(id, event_id)
      return { id, outcome: from === event_id ? ('unchanged' as const) : ('done' as const), from }
    })
    return { results }
  })
  return served
}
