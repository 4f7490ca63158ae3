import { type ClientMessage, liveTicket, type ServerMessage, wsPath } from '@keepsnap/contract/live.ts'
import { ApiError, isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import type { LiveEvent } from './state-machine.ts'

/** The WebSocket of the live connection; at most one at a time. */
export interface LiveSocket {
  /** Closes the socket, asks for a new ticket and opens a new socket with it. */
  connect(): void
  close(): void
  /** False when the socket is not open. */
  send(message: ClientMessage): boolean
  isOpen(): boolean
}

interface LiveSocketOptions {
  api: Pick<Api, 'call' | 'origin'>
  openSocket: (url: string) => WebSocket
  onEvent: (event: LiveEvent) => void
  onMessage: (message: ServerMessage) => void
}

const openState = 1 // WebSocket.OPEN, also where the class does not exist
/** Longest duration of a handshake; browsers wait for minutes. */
const handshakeTimeoutMs = 20_000

export function createLiveSocket({ api, openSocket, onEvent, onMessage }: LiveSocketOptions): LiveSocket {
  let socket: WebSocket | null = null
  /** Number of the current attempt, so that the results of earlier attempts are ignored. */
  let attempt = 0

  function receive(data: unknown): void {
    onEvent({ type: 'message-received', at: Date.now() })
    const message = typeof data === 'string' ? parseMessage(data) : null
    if (message?.action === 'ping') onEvent({ type: 'ping-received' })
    else if (message && message.action !== 'pong') onMessage(message)
  }
  function close(): void {
    attempt += 1
    socket?.close()
    socket = null
  }
  async function connect(): Promise<void> {
    close()
    const current = attempt
    try {
      const { ticket } = await api.call(liveTicket, {})
      if (attempt !== current) return
      const opened = openSocket(urlOf(api.origin, ticket))
      socket = opened
      listen(opened, { isCurrent: () => socket === opened, onEvent, receive })
    } catch (error) {
      if (attempt !== current) return
      const temporary = isTransient(error) || (error instanceof ApiError && error.status === 429)
      onEvent({ type: 'ticket-failed', temporary, at: Date.now() })
    }
  }
  const isOpen = (): boolean => socket?.readyState === openState
  return {
    connect: () => void connect(),
    close,
    send(message) {
      if (!isOpen()) return false
      socket?.send(JSON.stringify(message))
      return true
    },
    isOpen,
  }
}

const urlOf = (origin: string, ticket: string): string =>
  `${origin.replace(/^http/, 'ws')}${wsPath}?${new URLSearchParams({ token: ticket })}`

interface Listeners {
  /** False once another socket has replaced this one. */
  isCurrent: () => boolean
  onEvent: (event: LiveEvent) => void
  receive: (data: unknown) => void
}

/** Reports what happens to a socket for as long as it is the current one. */
function listen(socket: WebSocket, { isCurrent, onEvent, receive }: Listeners): void {
  const handshakeTimer = setTimeout(() => socket.close(), handshakeTimeoutMs)
  const on = <Name extends keyof WebSocketEventMap>(
    name: Name,
    react: (event: WebSocketEventMap[Name]) => void,
  ): void =>
    socket.addEventListener(name, (event) => {
      clearTimeout(handshakeTimer)
      if (isCurrent()) react(event)
    })
  on('open', () => onEvent({ type: 'opened', at: Date.now() }))
  on('error', () => onEvent({ type: 'socket-error' }))
  on('close', ({ code }) => onEvent({ type: 'closed', code, at: Date.now() }))
  on('message', ({ data }) => receive(data))
}

/** Messages may be named by `type` instead of `action`. */
const actionOfType: Record<string, ServerMessage['action']> = {
  photo_added: 'new_photo',
  photo_deleted: 'photo_deleted',
  plan_updated: 'plan_updated',
}
const actionsWithPhoto = new Set(['latest_photo', 'new_photo', 'photo_update'])
const actionsWithoutData = [
  'ping',
  'pong',
  'identified',
  'test',
  'user_update',
  'plan_updated',
  'api_keys_changed',
  'test_code_opened',
  'error',
]
const knownActions = new Set([
  ...actionsWithoutData,
  'photo_deleted',
  'photos_changed',
  'photo_request',
  'photo_reported',
  'photo_hold',
  'photos_changed',
  ...actionsWithPhoto,
])

const hasId = (value: unknown): boolean => typeof value === 'object' && value !== null && 'id' in value

const isHold = (value: unknown): boolean => typeof value === 'object' && value !== null && 'photo_id' in value

/** A message of the server; null when the text is not a valid one. */
export function parseMessage(text: string): ServerMessage | null {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof message !== 'object' || message === null) return null
  const { action, type, photo, request, id, photo_id, hold, photo_count } = message as Record<string, unknown> // each field is checked below
  const name = typeof action === 'string' ? action : typeof type === 'string' ? actionOfType[type] : undefined
  if (name === undefined || !knownActions.has(name)) return null
  if (actionsWithPhoto.has(name) && !hasId(photo)) return null
  if (name === 'photo_request' && !hasId(request)) return null
  if (name === 'photo_reported' && typeof photo_id !== 'string') return null
  if (name === 'photo_hold' && hold !== null && !isHold(hold)) return null
  if (name === 'photos_changed' && typeof photo_count !== 'number') return null
  if (name === 'photo_deleted' && typeof id !== 'string') return null
  if (name === 'photos_changed' && typeof photo_count !== 'number') return null
  return { ...message, action: name } as ServerMessage // the fields of this action were checked above
}
