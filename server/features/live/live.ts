import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { limits, liveLimits } from '@keepsnap/contract/limits.ts'
import { closeCodes, liveTicket, type ClientMessage } from '@keepsnap/contract/live.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import { hasSeveralHosts, isWebSocketUpgrade, rejectSocket } from '../../platform/http/connections.ts'
import type { HttpServer } from '../../platform/http/http-types.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { hashOf, newSecret } from '../../lib/ids.ts'
import { publish, type BusEvent } from '../../platform/live/bus.ts'
import {
  createConnectionRegistry,
  createRefetchNotices,
  createSerialQueues,
  createSessionCheck,
  keepAlive,
  keepAliveIntervalMs,
  type ConnectionRegistry,
  type LiveConnection,
} from '../../platform/live/connections.ts'
import { existingSessions } from '../accounts/sessions.ts'
import { requestOf, requestView } from '../guests/requests.ts'
import { photoView } from '../photos/photo-view.ts'
import { waitingCount } from '../events/guest-counts.ts'
import { holdOf } from '../screen/holds.ts'

const maxTicketChars = 128

/** Issues tickets for the live channel, so that no session token is part of a URL. */
export function liveTicketRoutes(serve: Serve, { db }: Dependencies): void {
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

const restarting = 'The server is restarting. Please try again.'

/**
 * Accepts WebSockets on /ws with a valid Host and Origin and a live session token or ticket, and sends them what the event bus
 * says about their users. Returns what closes them.
 */
export function acceptLiveConnections(http: HttpServer, deps: ApiDependencies): Pick<Hub, 'close'> {
  const { authenticator, db, origins, log } = deps
  const hub = createHub(deps)
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
    answerMessages(hub, connection, deps)
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
    const token = new URLSearchParams(req.url?.split('?')[1]).get('token') ?? ''
    const actor = (await redeemTicket(db, token)) ?? (await authenticator.actorOf(token))
    if (!actor) return rejectSocket(socket, 'unauthorized', 'Please sign in.')
    if (hub.isClosing()) return rejectSocket(socket, 'unavailable', restarting)
    webSocketServer.handleUpgrade(req, socket, head, (opened) => openConnection(opened, actor))
  }
  webSocketServer.on('wsClientError', (_error, socket) =>
    rejectSocket(socket, 'bad_request', 'This is not a WebSocket handshake.'),
  )
  http.server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    handleUpgrade(req, socket, head).catch(() =>
      rejectSocket(socket, 'unavailable', 'The service is busy right now. Please try again.'),
    )
  })
  return hub
}

const isUserFlagSet = async (db: Db, userId: string, column: 'is_active' | 'is_admin'): Promise<boolean> =>
  (await db.selectFrom('users').select(`${column} as yes`).where('id', '=', userId).executeTakeFirst())?.yes ?? false

/** Answers the messages of one connection: the protocol of contract/live.ts. */
function answerMessages(hub: Hub, connection: LiveConnection, { db, log }: Dependencies): void {
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
        if (await isUserFlagSet(db, userId, 'is_admin')) return publish(db, { kind: 'test', user: userId })
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

/** Sends the events of the bus to the sockets of this node. */
function createHub(deps: Dependencies) {
  const { bus, db, log, metrics, photoReads, urls } = deps
  const connections = createConnectionRegistry(metrics)
  metrics.addSource({
    part: 'WebSockets',
    names: ['keepsnap_live_sockets'],
    read: () => [{ name: 'keepsnap_live_sockets', labels: {}, value: connections.all().length }],
  })
  const sessionCheck = createSessionCheck(connections, { liveSessions: (hashes) => existingSessions(db, hashes), log })
  const refetchNotices = createRefetchNotices(connections)
  const forwardEvent = createEventForwarder(connections, deps)
  const sendLatestPhoto = async (connection: LiveConnection): Promise<void> => {
    const row = await photoReads.latest(connection.userId)
    if (row) connections.send(connection, { action: 'latest_photo', photo: photoView(urls)(row) })
  }

  // One at a time per user, so that the messages about a photo keep the order of the events.
  const queuesByUser = createSerialQueues((error) => log.warn({ err: error }, 'a WebSocket message could not be sent'))
  bus.onEvent((event) =>
    queuesByUser.add(event.kind === 'session' ? 'sessions' : event.user, () =>
      forwardEvent(event).catch((error: unknown) => {
        // What could not be read is fetched by the pages themselves.
        if (event.kind !== 'session') refetchNotices.sendToUser(event.user)
        throw error
      }),
    ),
  )
  /** What a big screen shows, for one that may have missed messages about it. */
  const sendCurrentState = async (connection: LiveConnection): Promise<void> => {
    await sendLatestPhoto(connection)
    connections.send(connection, { action: 'photo_hold', hold: await holdOf(db, connection.userId) })
  }
  bus.onMissedEvents(() => {
    if (!bus.isListening()) return
    sessionCheck.run()
    metrics.count('keepsnap_live_refetches_total', {}, connections.all().length)
    for (const connection of connections.all()) void sendCurrentState(connection).catch(() => {})
    refetchNotices.sendToAll()
  })
  const pingTimer = setInterval(() => {
    sessionCheck.run()
    keepAlive(connections)
  }, keepAliveIntervalMs)
  pingTimer.unref()
  let isClosing = false

  return {
    /** Sends to one socket; one that does not read is terminated. */
    send: connections.send,
    /** Sends the user's latest photo, if there is one. */
    sendLatestPhoto,
    add(connection: LiveConnection): void {
      connections.add(connection)
      sessionCheck.schedule()
    },
    /** Whether `close` was called: a socket that is added now would keep the HTTP server from closing. */
    isClosing: () => isClosing,
    /** Closes all sockets over some seconds, so that the clients do not all reconnect at once. */
    async close(): Promise<void> {
      isClosing = true
      clearInterval(pingTimer)
      sessionCheck.stop()
      refetchNotices.stop()
      await closeGradually(connections)
    },
  }
}

type Hub = ReturnType<typeof createHub>

/** Turns events into messages to the sockets of the user concerned. */
function createEventForwarder(connections: ConnectionRegistry, deps: Dependencies) {
  const { db, mail, photoReads, urls } = deps
  const viewRequest = requestView(urls, { outbox: mail.kind === 'outbox' })
  const forwardPhoto = async ({ user, photo: id, what }: BusEvent & { kind: 'photo' }): Promise<void> => {
    if (what === 'deleted') return connections.sendToUser(user, { action: 'photo_deleted', type: 'photo_deleted', id })
    const row = await photoReads.one(user, id)
    if (!row) return
    const photo = photoView(urls)(row)
    if (what === 'added') connections.sendToUser(user, { action: 'new_photo', type: 'photo_added', photo })
    else connections.sendToUser(user, { action: 'photo_update', photo })
  }
  const forwardPhotos = async ({ user, change, photos: ids }: BusEvent & { kind: 'photos' }): Promise<void> => {
    const photo_count = await photoReads.count(user)
    connections.sendToUser(user, { action: 'photos_changed', change, ids, photo_count })
  }
  const forwardRequest = async ({ user, request: id }: BusEvent & { kind: 'request' }): Promise<void> => {
    const row = await requestOf(db, user, id)
    if (row) connections.sendToUser(user, { action: 'photo_request', request: viewRequest(row) })
  }
  const forwardUser = async ({ user }: BusEvent & { kind: 'user' }): Promise<void> => {
    if (await isUserFlagSet(db, user, 'is_active')) connections.sendToUser(user, { action: 'user_update' })
    else connections.closeWhere(({ userId }) => userId === user, closeCodes.revoked, 'signed out')
  }
  return async (event: BusEvent): Promise<void> => {
    if (event.kind === 'session')
      return connections.closeWhere(({ session }) => session === event.session, closeCodes.revoked, 'signed out')
    if (!connections.hasUser(event.user)) return
    if (event.kind === 'photo') return forwardPhoto(event)
    if (event.kind === 'photos') return forwardPhotos(event)
    if (event.kind === 'request') return forwardRequest(event)
    if (event.kind === 'user') return forwardUser(event)
    if (event.kind === 'hold')
      return connections.sendToUser(event.user, { action: 'photo_hold', hold: await holdOf(db, event.user) })
    if (event.kind === 'plan')
      return connections.sendToUser(event.user, { action: 'plan_updated', type: 'plan_updated' })
    if (event.kind === 'key') return connections.sendToUser(event.user, { action: 'api_keys_changed' })
    if (event.kind === 'test-code') return connections.sendToUser(event.user, { action: 'test_code_opened' })
    if (event.kind === 'review')
      return connections.sendToUser(event.user, {
        action: 'review_changed',
        event_id: event.event,
        waiting_count: await waitingCount(db, event.event),
      })
    if (event.kind === 'events' || event.kind === 'current-event') {
      const action = event.kind === 'events' ? 'events_changed' : 'current_event'
      connections.sendToUser(event.user, { action })
      // Another may be the latest: photos were moved, or deleted with their event.
      const row = await photoReads.latest(event.user)
      if (row) connections.sendToUser(event.user, { action: 'latest_photo', photo: photoView(urls)(row) })
      return
    }
    if (event.kind === 'test') return connections.sendToUser(event.user, { action: 'test' })
    connections.sendToUser(event.user, { action: 'photo_reported', photo_id: event.photo })
  }
}

const maxClosingSocketsMs = 4_000

async function closeGradually(connections: ConnectionRegistry): Promise<void> {
  const openConnections = connections.all()
  const closePauseMs = Math.min(maxClosingSocketsMs / Math.max(openConnections.length, 1), 20)
  for (const { socket } of openConnections) {
    socket.close(closeCodes.restart, 'restarting')
    await wait(closePauseMs)
  }
  for (const { socket } of connections.all()) socket.terminate()
}
