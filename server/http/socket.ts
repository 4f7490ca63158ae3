import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { Logger } from 'pino'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import { closeCodes, type ClientMessage } from '@keepsnap/contract/live.ts'
import type { Hub, Member } from '../live/hub.ts'
import type { Actor } from './access.ts'
import { isLiveUpgrade, refuseRaw } from './connections.ts'
import type { Origins } from './origins.ts'

export interface SocketQuestions {
  /** Whose session or one-time ticket a token is. */
  actorOf(token: string): Promise<Actor | undefined>
  isAdmin(userId: string): Promise<boolean>
  /** Sends a test message to all of a user's sockets, on every node. */
  sendTest(userId: string): Promise<void>
}

/** A client's message, or undefined when it is none. */
function messageOf(data: RawData, isBinary: boolean): ClientMessage | undefined {
  if (isBinary) return undefined
  try {
    const message: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString() : '')
    if (typeof message !== 'object' || message === null || !('action' in message)) return undefined
    // Each field is looked at before it is used.
    return message as ClientMessage
  } catch {
    return undefined
  }
}

/** Counts messages; false when more came within a minute than a client may send. */
function budget(): () => boolean {
  let began = Date.now()
  let count = 0
  return () => {
    if (Date.now() - began > 60_000) {
      began = Date.now()
      count = 0
    }
    count += 1
    return count <= liveLimits.messagesPerMinute
  }
}

function converse(member: Member, { hub, ask, log }: { hub: Hub; ask: SocketQuestions; log: Logger }): void {
  const { socket } = member
  const mayGoOn = budget()
  const answer = async (message: ClientMessage | undefined): Promise<void> => {
    switch (message?.action) {
      case 'ping':
        return hub.send(member, { action: 'pong' })
      case 'pong':
        return
      case 'identify':
        if (message.user_id !== member.userId) {
          return hub.send(member, {
            action: 'error',
            code: 'forbidden',
            detail: 'This connection belongs to another user.',
          })
        }
        hub.send(member, { action: 'identified' })
        return hub.sendLatest(member)
      case 'test':
        if (await ask.isAdmin(member.userId)) return ask.sendTest(member.userId)
        return hub.send(member, { action: 'error', code: 'forbidden', detail: 'Only admins can send a test.' })
      default:
        return hub.send(member, { action: 'error', code: 'bad_message', detail: 'This message is not understood.' })
    }
  }
  socket.on('message', (data, isBinary) => {
    member.heardAt = Date.now()
    if (!mayGoOn()) return socket.close(closeCodes.overload, 'too many messages')
    answer(messageOf(data, isBinary)).catch((error: unknown) =>
      log.warn({ err: error }, 'a live message could not be answered'),
    )
  })
  socket.on('error', () => socket.terminate())
}

/** Accepts live connections on /ws: right Host and Origin, a live token or ticket, then the protocol of contract/live.ts. */
export function acceptSockets(
  app: FastifyInstance,
  { hub, origins, ask, log }: { hub: Hub; origins: Origins; ask: SocketQuestions; log: Logger },
): void {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: liveLimits.frameBytes,
    maxFragments: 256,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const open = (socket: WebSocket, actor: Actor): void => {
    const member = { socket, userId: actor.userId, session: actor.sessionHash.toString('hex'), heardAt: Date.now() }
    converse(member, { hub, ask, log })
    hub.join(member)
    hub.send(member, { action: 'identified' })
    hub.sendLatest(member).catch((error: unknown) => log.warn({ err: error }, 'the newest photo could not be sent'))
  }
  const upgrade = async (req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (!isLiveUpgrade(req)) return refuseRaw(socket, 'not_found', 'There is nothing at this address.')
    if (!origins.isHost(req.headers.host))
      return refuseRaw(socket, 'misdirected', 'This server does not answer to this name.')
    if (req.headers.origin !== undefined && !origins.isOrigin(req.headers.origin))
      return refuseRaw(socket, 'forbidden', 'Pages of this origin may not open a live connection.')
    const actor = await ask.actorOf(new URLSearchParams(req.url?.split('?')[1]).get('token') ?? '')
    if (!actor) return refuseRaw(socket, 'unauthorized', 'Please sign in.')
    server.handleUpgrade(req, socket, head, (opened) => open(opened, actor))
  }
  server.on('wsClientError', (_error, socket) =>
    refuseRaw(socket, 'bad_request', 'This is no handshake of a WebSocket.'),
  )
  app.server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    upgrade(req, socket, head).catch(() =>
      refuseRaw(socket, 'unavailable', 'The service is busy for a moment. Please try again.'),
    )
  })
}
