import { sql, type RawBuilder } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'

/** What happened, by ids only: whoever hears it reads the rows. */
export type BusEvent =
  | { kind: 'photo'; what: 'added' | 'changed' | 'deleted'; user: string; photo: string }
  /** A session ended; `session` is the hexadecimal hash of its token. */
  | { kind: 'session'; session: string }
  /** Facts that sessions depend on changed: active or not, admin or not. */
  | { kind: 'user'; user: string }
  /** A guest asked for a photo, or the letter of such a request came through or failed. */
  | { kind: 'request'; user: string; request: string }
  /** A guest reported a photo, or its owner decided about it. */
  | { kind: 'report'; user: string; photo: string }
  /** An admin asked for a sign of life on all of the user's sockets. */
  | { kind: 'test'; user: string }

const channel = 'keepsnap'

/** Part of a statement that announces an event once for each row, when and only when its transaction commits. */
export const announcement = (event: BusEvent): RawBuilder<unknown> =>
  sql`pg_notify(${channel}, ${JSON.stringify(event)})`

/** Announces an event when, and only when, the transaction commits. */
export async function publish(db: Db, event: BusEvent): Promise<void> {
  await sql`select ${announcement(event)}`.execute(db)
}

export interface Bus {
  onEvent(listener: (event: BusEvent) => void): void
  /** Called after events may have been missed: everything remembered from events is stale. */
  onGap(listener: () => void): void
  /** Whether events arrive now; while false, nothing that relies on them may be trusted. */
  isListening(): boolean
  close(): Promise<void>
}

const checkMs = 10_000
const retryMs = { first: 200, most: 5_000 }

/** Hears what all nodes publish, over a connection of its own that is watched and renewed for ever. */
export function createBus(where: ClientConfig, log: Logger): Bus {
  const listeners: ((event: BusEvent) => void)[] = []
  const gapListeners: (() => void)[] = []
  let client: Client | undefined
  let listening = false
  let closed = false
  let retryTimer: NodeJS.Timeout | undefined

  const lose = (lost: Client, delayMs: number): void => {
    if (client !== lost || closed) return
    client = undefined
    if (listening) log.warn('the live channel lost its database connection')
    listening = false
    for (const tell of gapListeners) tell()
    void lost.end().catch(() => {})
    retryTimer = setTimeout(() => void start(Math.min(delayMs * 2, retryMs.most)), delayMs)
  }
  const start = async (delayMs: number): Promise<void> => {
    const own = new Client({ ...where, connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true })
    client = own
    own.on('error', () => lose(own, delayMs))
    own.on('end', () => lose(own, delayMs))
    own.on('notification', ({ payload }) => {
      const event = JSON.parse(payload ?? '{}') as BusEvent // published by this program alone
      for (const tell of listeners) tell(event)
    })
    try {
      await own.connect()
      await own.query(`listen ${channel}`)
      if (client !== own) return
      listening = true
      for (const tell of gapListeners) tell()
    } catch {
      lose(own, delayMs)
    }
  }
  const check = setInterval(() => {
    const own = client
    if (own && listening) own.query('select 1').catch(() => lose(own, retryMs.first))
  }, checkMs)
  check.unref()
  void start(retryMs.first)

  return {
    onEvent: (listener) => void listeners.push(listener),
    onGap: (listener) => void gapListeners.push(listener),
    isListening: () => listening,
    async close() {
      closed = true
      clearInterval(check)
      clearTimeout(retryTimer)
      await client?.end().catch(() => {})
    },
  }
}
