import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { LiveConnection } from './connection-registry.ts'
import { createRefetchNotices } from './refetch-notices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Notices for users with open sockets, and who has received one. */
function noticesFor(users: readonly string[]) {
  const sent: string[] = []
  const connections = users.map((userId): LiveConnection => {
    // Notices use no member of a socket.
    return { socket: {} as WebSocket, userId, session: '', lastSeenAt: 0, lastMessageAt: 0 }
  })
  const notices = createRefetchNotices({
    all: () => connections,
    sendToUser: (userId, { action }) => void sent.push(`${userId}: ${action}`),
  })
  return { notices, sent }
}
const userIds = (count: number): string[] => Array.from({ length: count }, (_, number) => `user ${number}`)

test('every user gets one notice, the first at once and the last within ten seconds', () => {
  const { notices, sent } = noticesFor([...userIds(1_000), 'user 0'])
  notices.sendToAll()
  notices.sendToAll()
  vi.advanceTimersByTime(1)
  expect(sent).toEqual(['user 0: plan_updated'])
  vi.advanceTimersByTime(5_000)
  expect(sent.length).toBeGreaterThan(400)
  expect(sent.length).toBeLessThan(600)
  vi.advanceTimersByTime(5_000)
  expect(sent).toEqual(userIds(1_000).map((userId) => `${userId}: plan_updated`))
})

test('several failures within two seconds cause one notice, and a later one causes another', () => {
  const { notices, sent } = noticesFor(['ann'])
  for (let failure = 0; failure < 3; failure++) notices.sendToUser('ann')
  expect(sent).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(sent).toEqual(['ann: plan_updated'])
  notices.sendToUser('ann')
  vi.advanceTimersByTime(2_000)
  expect(sent).toEqual(['ann: plan_updated', 'ann: plan_updated'])
})

test('nothing is sent after the end', () => {
  const { notices, sent } = noticesFor(['ann', 'ben'])
  notices.sendToAll()
  notices.sendToUser('cem')
  notices.stop()
  vi.advanceTimersByTime(60_000)
  expect(sent).toEqual([])
})
