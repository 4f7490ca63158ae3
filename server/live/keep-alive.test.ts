import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createConnectionRegistry } from './connection-registry.ts'
import { keepAlive } from './keep-alive.ts'

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
