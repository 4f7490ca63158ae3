import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { closeCodes, type ServerMessage } from '@keepsnap/contract/live.ts'
import type { PhotoHold } from '@keepsnap/contract/screen.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { PhotoRequest } from '@keepsnap/contract/guests.ts'
import type { Bus, BusEvent } from '../../platform/live/bus.ts'
import type { Metrics, MetricSource } from '../../platform/metrics/metrics.ts'
import {
  type ConnectionRegistry,
  createConnectionRegistry,
  createRefetchNotices,
  createSerialQueues,
  createSessionCheck,
  keepAlive,
  keepAliveIntervalMs,
  type LiveConnection,
  type RefetchNotices,
} from '../../platform/live/connections.ts'

/** The queries that messages are made from. */
export interface HubQueries {
  latestPhoto(userId: string): Promise<Photo | undefined>
  photo(userId: string, id: string): Promise<Photo | undefined>
  photoCount(userId: string): Promise<number>
  request(userId: string, id: string): Promise<PhotoRequest | undefined>
  hold(userId: string): Promise<PhotoHold | null>
  isActive(userId: string): Promise<boolean>
  /** Those of the sessions, by the hashes of their tokens, that have not ended. */
  liveSessions(sessions: readonly string[]): Promise<Set<string>>
}

/** Sends the events of the bus to the sockets of this node. */
export interface Hub {
  add(connection: LiveConnection): void
  /** Sends to one socket; one that does not read is terminated. */
  send(connection: LiveConnection, message: ServerMessage): void
  /** Sends the user's latest photo, if there is one. */
  sendLatestPhoto(connection: LiveConnection): Promise<void>
  /** Whether `close` was called: a socket that is added now would keep the HTTP server from closing. */
  isClosing(): boolean
  /** Closes all sockets over some seconds, so that the clients do not all reconnect at once. */
  close(): Promise<void>
}

export interface HubOptions {
  bus: Bus
  queries: HubQueries
  log: Logger
  metrics: Metrics
}

const maxClosingSocketsMs = 4_000

/** Turns events into messages to the sockets of the user concerned. */
function createEventForwarder(connections: ConnectionRegistry, queries: HubQueries) {
  const forwardPhoto = async ({ user, photo: id, what }: BusEvent & { kind: 'photo' }): Promise<void> => {
    if (what === 'deleted') return connections.sendToUser(user, { action: 'photo_deleted', type: 'photo_deleted', id })
    const photo = await queries.photo(user, id)
    if (!photo) return
    if (what === 'added') connections.sendToUser(user, { action: 'new_photo', type: 'photo_added', photo })
    else connections.sendToUser(user, { action: 'photo_update', photo })
  }
  const forwardPhotos = async ({ user, change, photos: ids }: BusEvent & { kind: 'photos' }): Promise<void> => {
    const photo_count = await queries.photoCount(user)
    connections.sendToUser(user, { action: 'photos_changed', change, ids, photo_count })
  }
  const forwardRequest = async ({ user, request: id }: BusEvent & { kind: 'request' }): Promise<void> => {
    const request = await queries.request(user, id)
    if (request) connections.sendToUser(user, { action: 'photo_request', request })
  }
  const forwardUser = async ({ user }: BusEvent & { kind: 'user' }): Promise<void> => {
    if (await queries.isActive(user)) connections.sendToUser(user, { action: 'user_update' })
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
      return connections.sendToUser(event.user, { action: 'photo_hold', hold: await queries.hold(event.user) })
    if (event.kind === 'plan')
      return connections.sendToUser(event.user, { action: 'plan_updated', type: 'plan_updated' })
    if (event.kind === 'key') return connections.sendToUser(event.user, { action: 'api_keys_changed' })
    if (event.kind === 'test-code') return connections.sendToUser(event.user, { action: 'test_code_opened' })
    if (event.kind === 'test') return connections.sendToUser(event.user, { action: 'test' })
    connections.sendToUser(event.user, { action: 'photo_reported', photo_id: event.photo })
  }
}

/** When the content of an event cannot be read, tells the pages of its user to fetch everything again. */
const sendNoticeOnFailure =
  (forwardEvent: (event: BusEvent) => Promise<void>, refetchNotices: RefetchNotices) =>
  async (event: BusEvent): Promise<void> => {
    try {
      await forwardEvent(event)
    } catch (error) {
      if (event.kind !== 'session') refetchNotices.sendToUser(event.user)
      throw error
    }
  }

/** Sends what does not depend on a new event. */
function createStateSender(connections: ConnectionRegistry, queries: HubQueries) {
  const sendLatestPhoto = async (connection: LiveConnection): Promise<void> => {
    const photo = await queries.latestPhoto(connection.userId)
    if (photo) connections.send(connection, { action: 'latest_photo', photo })
  }
  return {
    sendLatestPhoto,
    /** What a big screen shows, for one that may have missed messages about it. */
    async sendCurrentState(connection: LiveConnection): Promise<void> {
      await sendLatestPhoto(connection)
      connections.send(connection, { action: 'photo_hold', hold: await queries.hold(connection.userId) })
    },
  }
}

async function closeGradually(connections: ConnectionRegistry): Promise<void> {
  const openConnections = connections.all()
  const closePauseMs = Math.min(maxClosingSocketsMs / Math.max(openConnections.length, 1), 20)
  for (const { socket } of openConnections) {
    socket.close(closeCodes.restart, 'restarting')
    await wait(closePauseMs)
  }
  for (const { socket } of connections.all()) socket.terminate()
}

const socketSource = (connections: ConnectionRegistry): MetricSource => ({
  part: 'WebSockets',
  names: ['keepsnap_live_sockets'],
  read: () => [{ name: 'keepsnap_live_sockets', labels: {}, value: connections.all().length }],
})

export function createHub(options: HubOptions): Hub {
  const { bus, queries, log, metrics } = options
  const connections = createConnectionRegistry(metrics)
  metrics.addSource(socketSource(connections))
  const sessionCheck = createSessionCheck(connections, { liveSessions: queries.liveSessions, log })
  const refetchNotices = createRefetchNotices(connections)
  const forwardOrSendNotice = sendNoticeOnFailure(createEventForwarder(connections, queries), refetchNotices)
  const { sendLatestPhoto, sendCurrentState } = createStateSender(connections, queries)

  // One at a time per user, so that the messages about a photo keep the order of the events.
  const queuesByUser = createSerialQueues((error) => log.warn({ err: error }, 'a WebSocket message could not be sent'))
  bus.onEvent((event) =>
    queuesByUser.add(event.kind === 'session' ? 'sessions' : event.user, () => forwardOrSendNotice(event)),
  )
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
    send: connections.send,
    sendLatestPhoto,
    add(connection) {
      connections.add(connection)
      sessionCheck.schedule()
    },
    isClosing: () => isClosing,
    async close() {
      isClosing = true
      clearInterval(pingTimer)
      sessionCheck.stop()
      refetchNotices.stop()
      await closeGradually(connections)
    },
  }
}
