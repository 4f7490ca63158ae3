import { WebSocket } from 'ws'
import type { Logger } from 'pino'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import { closeCodes, type ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import type { Bus, BusEvent } from './bus.ts'

/** What the hub asks about users, answered by whoever composes it. */
export interface HubQuestions {
  latestPhoto(userId: string): Promise<Photo | undefined>
  photo(userId: string, id: string): Promise<Photo | undefined>
  request(userId: string, id: string): Promise<PhotoRequest | undefined>
  isActive(userId: string): Promise<boolean>
  /** Which of these sessions, by the hashes of their tokens, still open something. */
  living(sessions: readonly string[]): Promise<Set<string>>
}

/** One open socket of a signed-in user. */
export interface Member {
  socket: WebSocket
  userId: string
  /** Hexadecimal hash of the session's token. */
  session: string
  /** Milliseconds of the last message or pong. */
  heardAt: number
}

export interface Hub {
  join(member: Member): void
  /** Sends to one socket; one that does not read is dropped. */
  send(member: Member, message: ServerMessage): void
  /** Sends the state of things: the newest photo, when there is one. */
  sendLatest(member: Member): Promise<void>
  /** Says goodbye to everybody, spread over some seconds, so that they do not come back in one instant. */
  close(): Promise<void>
  sockets(): number
}

const checkMs = 30_000
const deadAfterMs = 75_000
const lookMs = 2_000
const goodbyeMs = 4_000

/** The sockets of this node: what the bus tells is read once a user and sent to each of the user's sockets. */
export function createHub({ bus, ask, log }: { bus: Bus; ask: HubQuestions; log: Logger }): Hub {
  const byUser = new Map<string, Set<Member>>()

  const deliver = ({ socket }: Member, text: string): void => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount > liveLimits.bufferedBytes) socket.terminate()
    else socket.send(text)
  }
  const send = (member: Member, message: ServerMessage): void => deliver(member, JSON.stringify(message))
  const sendAll = (userId: string, message: ServerMessage): void => {
    const text = JSON.stringify(message)
    for (const member of byUser.get(userId) ?? []) deliver(member, text)
  }
  const leave = (member: Member): void => {
    const members = byUser.get(member.userId)
    members?.delete(member)
    if (members?.size === 0) byUser.delete(member.userId)
  }
  const closeWhere = (test: (member: Member) => boolean, code: number, reason: string): void => {
    for (const members of byUser.values())
      for (const member of members) if (test(member)) member.socket.close(code, reason)
  }
  /** Sessions that ended while nobody could tell, as between a socket's admission and its joining. */
  const closeDead = async (): Promise<void> => {
    const there = [...byUser.values()].flatMap((members) => [...members])
    if (there.length === 0) return
    const living = await ask.living([...new Set(there.map(({ session }) => session))])
    for (const { socket, session } of there) if (!living.has(session)) socket.close(closeCodes.revoked, 'signed out')
  }
  const closeDeadQuietly = (): void =>
    void closeDead().catch((error: unknown) => log.debug({ err: error }, 'sessions could not be looked at'))
  let looking: NodeJS.Timeout | undefined
  /** Soon, once for all that join at the same time. */
  const lookSoon = (): void => {
    looking ??= setTimeout(() => {
      looking = undefined
      closeDeadQuietly()
    }, lookMs)
    looking.unref()
  }
  const sendLatest = async (member: Member): Promise<void> => {
    const photo = await ask.latestPhoto(member.userId)
    if (photo) send(member, { action: 'latest_photo', photo })
  }

  const tellPhoto = async (event: BusEvent & { kind: 'photo' }): Promise<void> => {
    if (event.what === 'deleted')
      return sendAll(event.user, { action: 'photo_deleted', type: 'photo_deleted', id: event.photo })
    const photo = await ask.photo(event.user, event.photo)
    if (!photo) return
    sendAll(
      event.user,
      event.what === 'added' ? { action: 'new_photo', type: 'photo_added', photo } : { action: 'photo_update', photo },
    )
  }
  const tellRequest = async (event: BusEvent & { kind: 'request' }): Promise<void> => {
    const request = await ask.request(event.user, event.request)
    if (request) sendAll(event.user, { action: 'photo_request', request })
  }
  const hear = async (event: BusEvent): Promise<void> => {
    if (event.kind === 'session')
      return closeWhere(({ session }) => session === event.session, closeCodes.revoked, 'signed out')
    if (!byUser.has(event.user)) return
    if (event.kind === 'photo') return tellPhoto(event)
    if (event.kind === 'test') return sendAll(event.user, { action: 'test' })
    if (event.kind === 'report') return sendAll(event.user, { action: 'photo_reported', photo_id: event.photo })
    if (event.kind === 'request') return tellRequest(event)
    if (await ask.isActive(event.user)) sendAll(event.user, { action: 'user_update' })
    else closeWhere(({ userId }) => userId === event.user, closeCodes.revoked, 'signed out')
  }
  // One after the other, so that a photo's messages arrive in the order in which they happened.
  const lines = new Map<string, Promise<void>>()
  bus.onEvent((event) => {
    const lane = event.kind === 'session' ? '' : event.user
    const next = (lines.get(lane) ?? Promise.resolve())
      .then(() => hear(event))
      .catch((error: unknown) => log.warn({ err: error }, 'a live message could not be sent'))
    lines.set(lane, next)
    void next.then(() => lines.get(lane) === next && lines.delete(lane))
  })
  bus.onGap(() => {
    if (!bus.isListening()) return
    closeDeadQuietly()
    for (const members of byUser.values()) for (const member of members) void sendLatest(member).catch(() => {})
  })

  const check = setInterval(() => {
    const now = Date.now()
    closeDeadQuietly()
    for (const members of byUser.values()) {
      for (const { socket, heardAt } of members) {
        if (now - heardAt > deadAfterMs) socket.terminate()
        else socket.ping()
      }
    }
  }, checkMs)
  check.unref()

  return {
    send,
    sendLatest,
    join(member) {
      const members = byUser.get(member.userId) ?? new Set()
      byUser.set(member.userId, members)
      if (members.size >= liveLimits.socketsPerUser) {
        const [idlest] = [...members].sort((a, b) => a.heardAt - b.heardAt)
        idlest?.socket.close(closeCodes.displaced, 'too many open screens')
        if (idlest) leave(idlest)
      }
      members.add(member)
      lookSoon()
      member.socket.on('pong', () => void (member.heardAt = Date.now()))
      member.socket.on('close', () => leave(member))
    },
    sockets: () => [...byUser.values()].reduce((sum, members) => sum + members.size, 0),
    async close() {
      clearInterval(check)
      clearTimeout(looking)
      const all = [...byUser.values()].flatMap((members) => [...members])
      const pause = Math.min(goodbyeMs / Math.max(all.length, 1), 20)
      for (const { socket } of all) {
        socket.close(closeCodes.restart, 'restarting')
        await new Promise((go) => setTimeout(go, pause))
      }
      for (const { socket } of all) socket.terminate()
    },
  }
}
