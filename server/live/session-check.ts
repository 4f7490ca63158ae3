import type { Logger } from 'pino'
import { closeCodes } from '@keepsnap/contract/live.ts'
import type { ConnectionRegistry } from './connection-registry.ts'

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
