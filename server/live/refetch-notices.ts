import type { ConnectionRegistry } from './connection-registry.ts'

const maxSpreadMs = 10_000
const maxPauseMs = 100
const maxRetryMs = 2_000

/** Tells the pages of users who may have missed a message to fetch everything again. */
export interface RefetchNotices {
  /** All users with open sockets, one after the other over some seconds, so that not all pages fetch at once. */
  sendToAll(): void
  /** One user, within some seconds; several calls until then send one notice. */
  sendToUser(userId: string): void
  stop(): void
}

export function createRefetchNotices({
  all,
  sendToUser,
}: Pick<ConnectionRegistry, 'all' | 'sendToUser'>): RefetchNotices {
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
    sendToAll() {
      const users = [...new Set(all().map(({ userId }) => userId))]
      const pauseMs = Math.min(maxSpreadMs / users.length, maxPauseMs)
      for (const [index, userId] of users.entries()) schedule(userId, index * pauseMs)
    },
    // The database may be overloaded: what failed together is not fetched again together.
    sendToUser: (userId) => schedule(userId, Math.random() * maxRetryMs),
    stop() {
      for (const timer of timersByUser.values()) clearTimeout(timer)
      timersByUser.clear()
    },
  }
}
