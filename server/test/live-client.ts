import { WebSocket } from 'ws'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { newId } from '../lib/ids.ts'
import { publish } from '../platform/live/bus.ts'
import type { TestServer } from './harness.ts'
import type { TestUser } from './test-data.ts'

/** A program's connection to the live channel, with all that it heard. */
export interface LiveClient {
  socket: WebSocket
  received: ServerMessage[]
  /** Resolves with the first message, heard or still to come, that fits. */
  next(matches: (message: ServerMessage) => boolean, withinMs?: number): Promise<ServerMessage>
  closed: Promise<{ code: number; reason: string }>
}

/** Opens a connection; rejects with the HTTP status when the handshake is refused. */
export async function connectLive(
  address: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<LiveClient> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${encodeURIComponent(token)}`, { headers })
  const received: ServerMessage[] = []
  const waiting: ((message: ServerMessage) => void)[] = []
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ServerMessage // what the contract says
    received.push(message)
    for (const onMessage of waiting.slice()) onMessage(message)
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('unexpected-response', (_, answer) => reject(new Error(String(answer.statusCode))))
    socket.on('error', reject)
  })
  const next = (matches: (message: ServerMessage) => boolean, withinMs = 60_000): Promise<ServerMessage> => {
    const before = received.find(matches)
    if (before) return Promise.resolve(before)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new Error(
              `no matching message within ${withinMs} ms; received ${received.map(({ action }) => action).join(', ')}`,
            ),
          ),
        withinMs,
      )
      const onMessage = (message: ServerMessage): void => {
        if (!matches(message)) return
        clearTimeout(timer)
        waiting.splice(waiting.indexOf(onMessage), 1)
        resolve(message)
      }
      waiting.push(onMessage)
    })
  }
  return { socket, received, next, closed }
}

/**
 * The actions that the only connection of a user has received, without those of events that are published from now on: a
 * message that waits for a timer is missing, however slow the machine is.
 */
export async function actionsReceivedBy(live: LiveClient, { db }: TestServer, { id }: TestUser) {
  const isLater = ({ action }: ServerMessage): boolean => action === 'api_keys_changed'
  await publish(db, { kind: 'key', user: id, key: newId() })
  await live.next(isLater)
  return live.received.slice(0, live.received.findIndex(isLater)).map(({ action }) => action)
}
