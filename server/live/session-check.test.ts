import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { closeCodes } from '@keepsnap/contract/live.ts'
import type { LiveConnection } from './connection-registry.ts'
import { createSessionCheck } from './session-check.ts'

afterEach(() => vi.useRealTimers())

test('sessions that could not be checked are checked again', async () => {
  vi.useFakeTimers()
  const closed: string[] = []
  const connectionOf = (session: string): LiveConnection => {
    const close = (code: number): unknown => closed.push(`${session}: ${code}`)
    // The check uses no other member of a socket.
    return { socket: { close } as unknown as WebSocket, userId: 'ann', session, lastSeenAt: 0, lastMessageAt: 0 }
  }
  const connections = ['ended', 'live'].map(connectionOf)
  let failures = 2
  const check = createSessionCheck(
    { all: () => connections },
    {
      log: pino({ level: 'silent' }),
      liveSessions: async () => {
        if (failures-- > 0) throw new Error('the database is busy')
        return new Set(['live'])
      },
    },
  )
  check.schedule()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(closed).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(closed).toEqual([`ended: ${closeCodes.revoked}`])
})
