import { liveLimits } from '@keepsnap/contract/limits.ts'
import type { ConnectionRegistry } from './connection-registry.ts'

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
