import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { pino } from 'pino'
import { closeCodes } from '@keepsnap/contract/live.ts'
import {
  createConnectionRegistry,
  createRefetchNotices,
  createSerialQueues,
  createSessionCheck,
  keepAlive,
  type LiveConnection,
} from './connections.ts'

describe('keep alive', () => {
  /** What is done with a socket that was seen and sent a message so many seconds ago. */
  function callsAfter(secondsSinceSeen: number, secondsSinceMessage: number): string[] {
    const calls: string[] = []
    const recorder = Object.assign(new EventEmitter(), {
      readyState: WebSocket.OPEN,
      bufferedAmount: 0,
      send: (text: string) => calls.push(text),
      ping: () => calls.push('protocol ping'),
      terminate: () => calls.push('terminated'),
    })
    const now = 1_000_000
    const registry = createConnectionRegistry()
    registry.add({
      // The registry uses no other members of a socket.
      socket: recorder as unknown as WebSocket,
      userId: 'ann',
      session: 'session',
      lastSeenAt: now - secondsSinceSeen * 1000,
      lastMessageAt: now - secondsSinceMessage * 1000,
    })
    keepAlive(registry, now)
    return calls
  }

  test('a client that is silent for a minute gets a ping, which it answers with a pong', () => {
    expect(callsAfter(30, 30)).toEqual(['protocol ping'])
    expect(callsAfter(30, 60)).toEqual(['protocol ping', '{"action":"ping"}'])
  })
  test('a socket without any sign of life is terminated', () => {
    expect(callsAfter(76, 76)).toEqual(['terminated'])
  })
})

describe('refetch notices', () => {
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
})

describe('serial queues', () => {
  const pendingPromises = () => new Promise(setImmediate)

  test('runs the tasks of a key in order, and those of other keys meanwhile', async () => {
    const done: string[] = []
    const gate = Promise.withResolvers<void>()
    const queues = createSerialQueues(() => {})
    queues.add('a', async () => {
      await gate.promise
      done.push('a1')
    })
    queues.add('a', async () => void done.push('a2'))
    queues.add('b', async () => void done.push('b1'))
    await pendingPromises()
    expect(done).toEqual(['b1'])
    gate.resolve()
    await pendingPromises()
    expect(done).toEqual(['b1', 'a1', 'a2'])
  })

  test('reports the error of a task and runs the next one', async () => {
    const errors: unknown[] = []
    const done: string[] = []
    const queues = createSerialQueues((error) => errors.push(error))
    queues.add('a', () => Promise.reject(new Error('first')))
    queues.add('a', async () => void done.push('second'))
    await pendingPromises()
    expect([errors, done]).toEqual([[new Error('first')], ['second']])
  })
})

describe('session check', () => {
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
})
