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

const clientOptions = { connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true }
const connectionCheckMs = 10_000
const reconnectMs = { first: 200, max: 5_000 }

/** Keeps a connection listening until `close`; retries with exponential backoff, and checks every 10 s that it responds. */
export function keepListening(database: ClientConfig, options: ListenOptions): ListenConnection {
  const { channel, onNotification, onStateChange } = options
  let currentClient: Client | undefined
  let isListening = false
  let isClosed = false
  let retryTimer: NodeJS.Timeout | undefined

  const reconnect = (lostClient: Client, delayMs: number): void => {
    if (currentClient !== lostClient || isClosed) return
    currentClient = undefined
    isListening = false
    onStateChange(false)
    void lostClient.end().catch(() => {})
    retryTimer = setTimeout(() => void openConnection(Math.min(delayMs * 2, reconnectMs.max)), delayMs)
  }
  const openConnection = async (nextDelayMs: number): Promise<void> => {
    const listenClient = new Client({ ...database, ...clientOptions })
    currentClient = listenClient
    listenClient.on('error', () => reconnect(listenClient, nextDelayMs))
    listenClient.on('end', () => reconnect(listenClient, nextDelayMs))
    listenClient.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await listenClient.connect()
      await listenClient.query(`listen ${channel}`)
      if (currentClient !== listenClient) return
      isListening = true
      onStateChange(true)
    } catch {
      reconnect(listenClient, nextDelayMs)
    }
  }
  const connectionCheck = setInterval(() => {
    const listenClient = currentClient
    if (listenClient && isListening)
      listenClient.query('select 1').catch(() => reconnect(listenClient, reconnectMs.first))
  }, connectionCheckMs)
  connectionCheck.unref()
  void openConnection(reconnectMs.first)

  return {
    isListening: () => isListening,
    async close() {
      isClosed = true
      clearInterval(connectionCheck)
      clearTimeout(retryTimer)
      await currentClient?.end().catch(() => {})
    },
  }
}
