import { WebSocket } from 'ws'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import { closeCodes, type ServerMessage } from '@keepsnap/contract/live.ts'
import { noMetrics, type Metrics } from '../metrics/metrics.ts'

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
