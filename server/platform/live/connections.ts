import { WebSocket } from 'ws'
import type { Logger } from 'pino'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import { closeCodes, type ServerMessage } from '@keepsnap/contract/live.ts'
import { type Metrics, noMetrics } from '../metrics/metrics.ts'

/** One open socket of a signed-in user. */
export interface LiveConnection {
  socket: WebSocket
  userId: string
  /** Hexadecimal hash of the session token. */
  session: string
  /** Time of the last message or pong, in milliseconds. */
  lastSeenAt: number
  /** Time of the last message, in milliseconds. */
  lastMessageAt: number
}

/** The open sockets of this node, by user. */
export interface ConnectionRegistry {
  /** At the limit of sockets per user, the connection that has been idle longest is closed. */
  add(connection: LiveConnection): void
  all(): LiveConnection[]
  hasUser(userId: string): boolean
  /** Sends to one socket; one that does not read is terminated. */
  send(connection: LiveConnection, message: ServerMessage): void
  sendToUser(userId: string, message: ServerMessage): void
  closeWhere(matches: (connection: LiveConnection) => boolean, code: number, reason: string): void
}

export function createConnectionRegistry(metrics: Metrics = noMetrics): ConnectionRegistry {
  const sendText = ({ socket }: LiveConnection, messageText: string): void => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount > liveLimits.bufferedBytes) {
      metrics.count('keepsnap_live_slow_sockets_closed_total', {})
      socket.terminate()
      return
    }
    metrics.count('keepsnap_live_messages_total', {})
    socket.send(messageText)
  }
  const connectionsByUser = new Map<string, Set<LiveConnection>>()
  const allConnections = (): LiveConnection[] =>
    [...connectionsByUser.values()].flatMap((connections) => [...connections])
  const removeConnection = (connection: LiveConnection): void => {
    const connections = connectionsByUser.get(connection.userId)
    connections?.delete(connection)
    if (connections?.size === 0) connectionsByUser.delete(connection.userId)
  }
  const closeIdlest = (connections: ReadonlySet<LiveConnection>): void => {
    const [idlest] = [...connections].toSorted((a, b) => a.lastSeenAt - b.lastSeenAt)
    if (!idlest) return
    idlest.socket.close(closeCodes.displaced, 'too many open screens')
    removeConnection(idlest)
  }

  return {
    all: allConnections,
    hasUser: (userId) => connectionsByUser.has(userId),
    send: (connection, message) => sendText(connection, JSON.stringify(message)),
    sendToUser(userId, message) {
      const messageText = JSON.stringify(message)
      for (const connection of connectionsByUser.get(userId) ?? []) sendText(connection, messageText)
    },
    closeWhere(matches, code, reason) {
      for (const connection of allConnections()) if (matches(connection)) connection.socket.close(code, reason)
    },
    add(connection) {
      const connections = connectionsByUser.get(connection.userId) ?? new Set()
      if (connections.size >= liveLimits.socketsPerUser) closeIdlest(connections)
      connectionsByUser.set(connection.userId, connections.add(connection))
      connection.socket.on('pong', () => void (connection.lastSeenAt = Date.now()))
      connection.socket.on('close', () => removeConnection(connection))
    },
  }
}

/** How often `keepAlive` is called. */
export const keepAliveIntervalMs = 30_000
const socketDeadAfterMs = 75_000

/**
 * Terminates sockets that have not answered for too long, and pings the others: their protocol always, and the client with a
 * message once it has been silent for a minute.
 */
export function keepAlive(connections: ConnectionRegistry, now = Date.now()): void {
  for (const connection of connections.all()) {
    const { socket, lastSeenAt, lastMessageAt } = connection
    if (now - lastSeenAt > socketDeadAfterMs) {
      socket.terminate()
      continue
    }
    socket.ping()
    if (now - lastMessageAt >= liveLimits.pingAfterSilenceMs) connections.send(connection, { action: 'ping' })
  }
}

const maxSpreadMs = 10_000
const maxPauseMs = 100
const maxRetryMs = 2_000

/** Tells the pages of users who may have missed a message to fetch everything again. */
export function createRefetchNotices({ all, sendToUser }: Pick<ConnectionRegistry, 'all' | 'sendToUser'>) {
  const timersByUser = new Map<string, NodeJS.Timeout>()
  const send = (userId: string): void => {
    timersByUser.delete(userId)
    // Pages of every earlier version fetch everything after this message, too.
    sendToUser(userId, { action: 'plan_updated', type: 'plan_updated' })
  }
  // A notice that is already scheduled is sent after what was missed, so it is enough.
  const schedule = (userId: string, delayMs: number): void => {
    if (!timersByUser.has(userId)) timersByUser.set(userId, setTimeout(send, delayMs, userId).unref())
  }
  return {
    /** All users with open sockets, one after the other over some seconds, so that not all pages fetch at once. */
    sendToAll(): void {
      const users = [...new Set(all().map(({ userId }) => userId))]
      const pauseMs = Math.min(maxSpreadMs / users.length, maxPauseMs)
      for (const [index, userId] of users.entries()) schedule(userId, index * pauseMs)
    },
    /** One user, within some seconds; several calls until then send one notice. */
    // The database may be overloaded: what failed together is not fetched again together.
    sendToUser: (userId: string): void => schedule(userId, Math.random() * maxRetryMs),
    stop(): void {
      for (const timer of timersByUser.values()) clearTimeout(timer)
      timersByUser.clear()
    },
  }
}

/** Runs the tasks of one key one after the other, and those of different keys concurrently. */
interface SerialQueues {
  add(key: string, task: () => Promise<void>): void
}

/** `onError` receives what a task rejects with; the next task of the key runs all the same. */
export function createSerialQueues(onError: (error: unknown) => void): SerialQueues {
  const lastTaskByKey = new Map<string, Promise<void>>()
  return {
    add(key, task) {
      const lastTask = (lastTaskByKey.get(key) ?? Promise.resolve()).then(task).catch(onError)
      lastTaskByKey.set(key, lastTask)
      void lastTask.then(() => lastTaskByKey.get(key) === lastTask && lastTaskByKey.delete(key))
    },
  }
}

const sessionCheckMs = 2_000

interface SessionCheckOptions {
  /** Those of the sessions, by the hashes of their tokens, that have not ended. */
  liveSessions(sessions: readonly string[]): Promise<Set<string>>
  log: Logger
}

/**
 * Closes the sockets of sessions whose end was missed: between the authentication of a socket and its registration, or
 * while the bus was disconnected.
 */
export function createSessionCheck(
  connections: Pick<ConnectionRegistry, 'all'>,
  { liveSessions, log }: SessionCheckOptions,
) {
  let checkTimer: NodeJS.Timeout | undefined
  let isStopped = false
  const closeEnded = async (): Promise<void> => {
    const checkedConnections = connections.all()
    if (checkedConnections.length === 0) return
    const liveSessionHashes = await liveSessions([...new Set(checkedConnections.map(({ session }) => session))])
    for (const { socket, session } of checkedConnections)
      if (!liveSessionHashes.has(session)) socket.close(closeCodes.revoked, 'signed out')
  }
  const run = (): void =>
    void closeEnded().catch((error: unknown) => {
      log.debug({ err: error }, 'sessions could not be checked')
      schedule()
    })
  const schedule = (): void => {
    if (isStopped) return
    checkTimer ??= setTimeout(() => {
      checkTimer = undefined
      run()
    }, sessionCheckMs)
    checkTimer.unref()
  }
  return {
    run,
    /** Runs once, soon, for all connections that are added in the meantime; again if it fails. */
    schedule,
    stop(): void {
      isStopped = true
      clearTimeout(checkTimer)
    },
  }
}
