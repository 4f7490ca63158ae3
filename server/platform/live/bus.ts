import { type RawBuilder, sql } from 'kysely'
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { type Db, keepListening } from '../db/connect.ts'

/** What changed, by ids only: receivers read the rows themselves. */
export type BusEvent =
  | { kind: 'photo'; what: 'added' | 'changed' | 'deleted'; user: string; photo: string }
  /** A call has changed many photos, after an event about each of them. At most 200: PostgreSQL takes 8,000 bytes. */
  | { kind: 'photos'; change: 'delete' | 'hide' | 'show'; user: string; photos: string[] }
  /** A session ended; `session` is the hexadecimal hash of its token. */
  | { kind: 'session'; session: string }
  /** Something that authentication or guest access depends on changed, other than the plan: the account's state, rights, settings or logo. */
  | { kind: 'user'; user: string }
  /** A guest requested a photo, or the email of a request was sent or failed. */
  | { kind: 'request'; user: string; request: string }
  /** A guest reported a photo, or its owner decided about the report. */
  | { kind: 'report'; user: string; photo: string }
  /** The plan changed, until when it counts, or its price. Authentication and guest access depend on it as well. */
  | { kind: 'plan'; user: string }
  /** An API key of the user was created or deleted. */
  | { kind: 'key'; user: string; key: string }
  /** The photo that the user's big screens hold changed. */
  | { kind: 'hold'; user: string }
  /** Events of the account were created, changed or deleted, or photos moved. Guest access depends on them. */
  | { kind: 'events'; user: string }
  /** Photos of guests of an event began to wait for their review, or were decided. */
  | { kind: 'review'; user: string; event: string }
  /** Another event, or none, is the account's current one. */
  | { kind: 'current-event'; user: string }
  /** A device has opened the user's test code. */
  | { kind: 'test-code'; user: string }
  /** An admin asked for a test message on all of their sockets. */
  | { kind: 'test'; user: string }

/** The channel of PostgreSQL. */
const busChannel = 'keepsnap'

/** An SQL expression that publishes an event for each row of its statement, when and only when the transaction commits. */
export const publishExpression = (event: BusEvent): RawBuilder<unknown> =>
  sql`pg_notify(${busChannel}, ${JSON.stringify(event)})`

/** Publishes an event when, and only when, the transaction commits. */
export async function publish(db: Db, event: BusEvent): Promise<void> {
  await sql`select ${publishExpression(event)}`.execute(db)
}

/** The events of all nodes, by PostgreSQL's LISTEN and NOTIFY. */
export interface Bus {
  onEvent(listener: (event: BusEvent) => void): void
  /** Called when events may have been missed, on disconnecting and on reconnecting: caches must be emptied. */
  onMissedEvents(listener: () => void): void
  /** Whether events arrive now. While false, caches that rely on them must not be used. */
  isListening(): boolean
  close(): Promise<void>
}

/** Receives the events over a database connection of its own, which is reopened whenever it is lost. */
export function createBus(database: ClientConfig, log: Logger): Bus {
  const eventListeners: ((event: BusEvent) => void)[] = []
  const missedEventsListeners: (() => void)[] = []
  let wasListening = false
  const connection = keepListening(database, {
    channel: busChannel,
    onNotification(payload) {
      const event = JSON.parse(payload) as BusEvent // published by this program alone
      for (const listener of eventListeners) listener(event)
    },
    onStateChange(isListening) {
      if (wasListening && !isListening) log.warn('the event bus lost its database connection and is reconnecting')
      wasListening = isListening
      for (const listener of missedEventsListeners) listener()
    },
  })
  return {
    onEvent: (listener) => void eventListeners.push(listener),
    onMissedEvents: (listener) => void missedEventsListeners.push(listener),
    isListening: connection.isListening,
    close: connection.close,
  }
}
