import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import { closeCodes } from '@keepsnap/contract/live.ts'
import { createConnectionRegistry, type LiveConnection } from './connection-registry.ts'

afterEach(() => vi.useRealTimers())

/** A socket that records what is sent to it. */
class RecordingSocket extends EventEmitter {
  readyState: number = WebSocket.OPEN
  bufferedAmount = 0
  readonly calls: unknown[] = []
  send(text: string): void {
    this.calls.push(JSON.parse(text))
  }
  close(code: number): void {
    this.calls.push(code)
  }
  terminate(): void {
    this.calls.push('terminated')
  }
}

function createConnection(userId: string, lastSeenAt = 0) {
  const recorder = new RecordingSocket()
  // The registry uses no other members of a socket.
  const socket = recorder as unknown as WebSocket
  const connection: LiveConnection = { socket, userId, session: `session of ${userId}`, lastSeenAt, lastMessageAt: 0 }
  return { recorder, connection }
}
const message = { action: 'user_update' } as const

test('a message reaches the open sockets of its user only', () => {
  const registry = createConnectionRegistry()
  const [first, closing, stranger] = [createConnection('ann'), createConnection('ann'), createConnection('ben')]
  for (const { connection } of [first, closing, stranger]) registry.add(connection)
  closing.recorder.readyState = WebSocket.CLOSING
  registry.sendToUser('ann', message)
  expect([first, closing, stranger].map(({ recorder }) => recorder.calls)).toEqual([[message], [], []])
})

test('a socket whose client does not read is terminated', () => {
  const registry = createConnectionRegistry()
  const { recorder, connection } = createConnection('ann')
  registry.add(connection)
  recorder.bufferedAmount = liveLimits.bufferedBytes + 1
  registry.send(connection, message)
  expect(recorder.calls).toEqual(['terminated'])
})

test('a closed socket is forgotten', () => {
  const registry = createConnectionRegistry()
  const { recorder, connection } = createConnection('ann')
  registry.add(connection)
  expect(registry.hasUser('ann')).toBe(true)
  recorder.emit('close')
  expect([registry.hasUser('ann'), registry.all()]).toEqual([false, []])
})

test('at the limit of sockets, the one that was idle longest is closed', () => {
  const registry = createConnectionRegistry()
  const connections = Array.from({ length: liveLimits.socketsPerUser }, (_, n) => createConnection('ann', 10 + n))
  for (const { connection } of connections) registry.add(connection)
  vi.useFakeTimers({ now: 1_000 })
  connections[0]?.recorder.emit('pong')
  registry.add(createConnection('ann', 2_000).connection)
  const closed = connections.filter(({ recorder }) => recorder.calls.length > 0)
  expect(closed).toEqual([connections[1]])
  expect(closed[0]?.recorder.calls).toEqual([closeCodes.displaced])
})

test('sockets are closed by session', () => {
  const registry = createConnectionRegistry()
  const [ann, ben] = [createConnection('ann'), createConnection('ben')]
  for (const { connection } of [ann, ben]) registry.add(connection)
  registry.closeWhere(({ session }) => session === 'session of ben', closeCodes.revoked, 'signed out')
  expect([ann.recorder.calls, ben.recorder.calls]).toEqual([[], [closeCodes.revoked]])
})
