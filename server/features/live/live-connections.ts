import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { sql } from 'kysely'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Logger } from 'pino'
import { limits, liveLimits } from '@keepsnap/contract/limits.ts'
import { type ClientMessage, closeCodes, liveTicket } from '@keepsnap/contract/live.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Authenticator, SessionActor } from '../../platform/http/authenticator.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { hashOf, newSecret } from '../../lib/ids.ts'
import type { LiveConnection } from '../../platform/live/connections.ts'
import { hasSeveralHosts, isWebSocketUpgrade, rejectSocket } from '../../platform/http/connections.ts'
import type { HttpServer } from '../../platform/http/http-types.ts'
import type { Origins } from '../../platform/http/origins.ts'
import { photoView } from '../photos/photo-view.ts'
import { existingSessions } from '../accounts/sessions.ts'
import { holdOf } from '../screen/holds.ts'
import type { PhotoReads } from '../photos/gallery.ts'
import { requestOf, requestView } from '../guests/requests.ts'
import { publish } from '../../platform/live/bus.ts'
import { createHub, type Hub } from './hub.ts'

const maxTicketChars = 128

/** Issues tickets for the live channel, so that no session token is part of a URL. */
export function liveTicketRoutes(serve: Serve, { db }: Pick<Dependencies, 'db'>): void {
  serve(liveTicket, async (_, { actor }) => {
    const ticket = newSecret()
    await db
      .insertInto('ws_tickets')
      .values({
        ticket_hash: hashOf(ticket),
        session_hash: actor.sessionHash,
        expires_at: sql<Date>`now() + make_interval(secs => ${liveLimits.ticketSeconds})`,
      })
      .execute()
    return { ticket }
  })
}

/** The session of a ticket. A ticket works once, for 30 seconds, while its session has not expired. */
async function redeemTicket(db: Db, ticket: string): Promise<SessionActor | undefined> {
  if (ticket.length > maxTicketChars) return undefined
  const { rows } = await sql<{ user_id: string; session_hash: Buffer }>`
    with redeemed as (delete from ws_tickets where ticket_hash = ${hashOf(ticket)} returning session_hash, expires_at)
    select sessions.user_id, redeemed.session_hash from redeemed
    join sessions on sessions.token_hash = redeemed.session_hash join users on users.id = sessions.user_id
    where redeemed.expires_at > now() and users.is_active
      and sessions.last_used_at > now() - make_interval(days => ${limits.sessionIdleDays})
      and sessions.created_at > now() - make_interval(days => ${limits.sessionMaxDays})`.execute(db)
  const redeemedTicket = rows[0]
  return redeemedTicket && { by: 'session', userId: redeemedTicket.user_id, sessionHash: redeemedTicket.session_hash }
}

export const deleteExpiredTickets = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('ws_tickets')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute())

export interface WebSocketOptions {
  hub: Hub
  origins: Origins
  log: Logger
  /** The owner of a session token or one-time ticket. */
  actorOf(token: string): Promise<SessionActor | undefined>
  isAdmin(userId: string): Promise<boolean>
  /** Sends a test message to all sockets of a user, on every node. */
  sendTest(userId: string): Promise<void>
}

const restarting = 'The server is restarting. Please try again.'

/** A client's message; undefined when it is not one. */
function parseMessage(data: RawData, isBinary: boolean): ClientMessage | undefined {
  if (isBinary) return undefined
  try {
    const message: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString() : '')
    if (typeof message !== 'object' || message === null || !('action' in message)) return undefined
    // Every field is checked before it is used.
    return message as ClientMessage
  } catch {
    return undefined
  }
}

/** Counts messages; false once a client has sent more within a minute than it may. */
function createMessageLimit(): () => boolean {
  let startedAt = Date.now()
  let count = 0
  return () => {
    if (Date.now() - startedAt > 60_000) {
      startedAt = Date.now()
      count = 0
    }
    count += 1
    return count <= liveLimits.messagesPerMinute
  }
}

/** Answers the messages of one connection: the protocol of contract/live.ts. */
function answerMessages(connection: LiveConnection, { hub, isAdmin, sendTest, log }: WebSocketOptions): void {
  const { socket, userId } = connection
  const isWithinLimit = createMessageLimit()
  const answerMessage = async (message: ClientMessage | undefined): Promise<void> => {
    switch (message?.action) {
      case 'ping':
        return hub.send(connection, { action: 'pong' })
      case 'pong':
        return
      case 'identify':
        if (message.user_id !== userId) {
          return hub.send(connection, {
            action: 'error',
            code: 'forbidden',
            detail: 'This connection belongs to another user.',
          })
        }
        hub.send(connection, { action: 'identified' })
        return hub.sendLatestPhoto(connection)
      case 'test':
        if (await isAdmin(userId)) return sendTest(userId)
        return hub.send(connection, { action: 'error', code: 'forbidden', detail: 'Only admins can send a test.' })
      default:
        return hub.send(connection, { action: 'error', code: 'bad_message', detail: 'Unknown message.' })
    }
  }
  socket.on('message', (data, isBinary) => {
    connection.lastSeenAt = Date.now()
    connection.lastMessageAt = connection.lastSeenAt
    if (!isWithinLimit()) return socket.close(closeCodes.overload, 'too many messages')
    answerMessage(parseMessage(data, isBinary)).catch((error: unknown) =>
      log.warn({ err: error }, 'a WebSocket message could not be answered'),
    )
  })
  socket.on('error', () => socket.terminate())
}

/** Accepts WebSockets on /ws with a valid Host and Origin and a live session token or ticket. */
function acceptWebSockets(app: HttpServer, options: WebSocketOptions): void {
  const { hub, origins, log, actorOf } = options
  const webSocketServer = new WebSocketServer({
    noServer: true,
    maxPayload: liveLimits.frameBytes,
    maxFragments: 256,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const openConnection = (socket: WebSocket, { userId, sessionHash }: SessionActor): void => {
    const socketOpenedAt = Date.now()
    const session = sessionHash.toString('hex')
    const connection = { socket, userId, session, lastSeenAt: socketOpenedAt, lastMessageAt: socketOpenedAt }
    answerMessages(connection, options)
    hub.add(connection)
    hub.send(connection, { action: 'identified' })
    hub
      .sendLatestPhoto(connection)
      .catch((error: unknown) => log.warn({ err: error }, 'the latest photo could not be sent'))
  }
  const handleUpgrade = async (req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (!isWebSocketUpgrade(req)) return rejectSocket(socket, 'not_found', 'There is nothing at this URL.')
    if (hasSeveralHosts(req)) return rejectSocket(socket, 'bad_request', 'The request has more than one Host header.')
    if (!origins.isHost(req.headers.host))
      return rejectSocket(socket, 'misdirected', 'This server does not serve this host name.')
    // Only programs send no Origin; a page of another site cannot know the token, which no browser adds by itself.
    if (req.headers.origin !== undefined && !origins.isOrigin(req.headers.origin))
      return rejectSocket(socket, 'forbidden', 'Pages from this origin cannot open a live connection.')
    // Before the ticket is used up, and after the time that this takes. The client tries again.
    if (hub.isClosing()) return rejectSocket(socket, 'unavailable', restarting)
    const actor = await actorOf(new URLSearchParams(req.url?.split('?')[1]).get('token') ?? '')
    if (!actor) return rejectSocket(socket, 'unauthorized', 'Please sign in.')
    if (hub.isClosing()) return rejectSocket(socket, 'unavailable', restarting)
    webSocketServer.handleUpgrade(req, socket, head, (opened) => openConnection(opened, actor))
  }
  webSocketServer.on('wsClientError', (_error, socket) =>
    rejectSocket(socket, 'bad_request', 'This is not a WebSocket handshake.'),
  )
  app.server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    handleUpgrade(req, socket, head).catch(() =>
      rejectSocket(socket, 'unavailable', 'The service is busy right now. Please try again.'),
    )
  })
}

/** Accepts this node's WebSockets and connects them to the event bus. */
export function acceptLiveConnections(
  http: HttpServer,
  {
    deps,
    authenticator,
    origins,
  }: { deps: Dependencies & { photoReads: PhotoReads }; authenticator: Authenticator; origins: Origins },
): Hub {
  const { db, bus, log, metrics, urls, photoReads } = deps
  const viewPhoto = photoView(urls)
  const viewRequest = requestView(urls, { outbox: deps.mail.kind === 'outbox' })
  const isUserFlagSet = async (userId: string, column: 'is_active' | 'is_admin'): Promise<boolean> =>
    (await db.selectFrom('users').select(`${column} as yes`).where('id', '=', userId).executeTakeFirst())?.yes ?? false
  const hub = createHub({
    bus,
    log,
    metrics,
    queries: {
      latestPhoto: async (userId) => photoReads.latest(userId).then((row) => row && viewPhoto(row)),
      photo: async (userId, id) => photoReads.one(userId, id).then((row) => row && viewPhoto(row)),
      photoCount: (userId) => photoReads.count(userId),
      request: async (userId, id) => requestOf(db, userId, id).then((row) => row && viewRequest(row)),
      hold: (userId) => holdOf(db, userId),
      isActive: (userId) => isUserFlagSet(userId, 'is_active'),
      liveSessions: (hashes) => existingSessions(db, hashes),
    },
  })
  acceptWebSockets(http, {
    hub,
    origins,
    log,
    actorOf: async (token) => (await redeemTicket(db, token)) ?? authenticator.actorOf(token),
    isAdmin: (userId) => isUserFlagSet(userId, 'is_admin'),
    sendTest: (userId) => publish(db, { kind: 'test', user: userId }),
  })
  return hub
}
