import { Client, type ClientConfig } from 'pg'

/** A database connection that listens on a channel and is reopened whenever it is lost. */
export interface ListenConnection {
  isListening(): boolean
  close(): Promise<void>
}

export interface ListenOptions {
  channel: string
  onNotification(payload: string): void
  /** Called when listening has begun, and when the connection or an attempt to open it has failed. */
  onStateChange(isListening: boolean): void
}

const checkMs = 10_000
const retryMs = { first: 200, max: 5_000 }

/** Keeps a connection listening until `close`; retries with exponential backoff, and checks every 10 s that it responds. */
export function keepListening(database: ClientConfig, options: ListenOptions): ListenConnection {
  const { channel, onNotification, onStateChange } = options
  let current: Client | undefined
  let isListening = false
  let isClosed = false
  let retryTimer: NodeJS.Timeout | undefined

  const reconnect = (lost: Client, delayMs: number): void => {
    if (current !== lost || isClosed) return
    current = undefined
    isListening = false
    onStateChange(false)
    void lost.end().catch(() => {})
    retryTimer = setTimeout(() => void open(Math.min(delayMs * 2, retryMs.max)), delayMs)
  }
  const open = async (nextDelayMs: number): Promise<void> => {
    const client = new Client({ ...database, connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true })
    current = client
    client.on('error', () => reconnect(client, nextDelayMs))
    client.on('end', () => reconnect(client, nextDelayMs))
    client.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      if (current !== client) return
      isListening = true
      onStateChange(true)
    } catch {
      reconnect(client, nextDelayMs)
    }
  }
  const check = setInterval(() => {
    const client = current
    if (client && isListening) client.query('select 1').catch(() => reconnect(client, retryMs.first))
  }, checkMs)
  check.unref()
  void open(retryMs.first)

  return {
    isListening: () => isListening,
    async close() {
      isClosed = true
      clearInterval(check)
      clearTimeout(retryTimer)
      await current?.end().catch(() => {})
    },
  }
}
