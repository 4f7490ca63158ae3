import { type ClientMessage, liveTicket, type ServerMessage, wsPath } from '@keepsnap/contract/live.ts'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import { ApiError, isTransient } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { createListeners } from '../../lib/listeners.ts'
import {
  initialLiveState,
  type LiveEffect,
  type LiveEvent,
  type LiveStatus,
  type LiveTimer,
  transition,
} from './state-machine.ts'

/** The WebSocket of the live connection; at most one at a time. */
interface LiveSocket {
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

function createLiveSocket({ api, openSocket, onEvent, onMessage }: LiveSocketOptions): LiveSocket {
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

/** The live connection of this tab; there is one. */
export interface LiveConnection {
  status(): LiveStatus
  /** When the last message arrived or the socket opened, in milliseconds; null if never. */
  lastContactAt(): number | null
  /** Calls back after every change of the status. */
  subscribe(listener: () => void): () => void
  /** Calls back with every message of the server except pings and pongs. */
  onMessage(listener: (message: ServerMessage) => void): () => void
  start(userId: string): void
  stop(): void
  /** The server answered a poll: a connection that has failed tries again. */
  pollSucceeded(): void
  /** Asks the server for a test message; false when the connection is not open. Admins only. */
  sendTest(): boolean
}

interface LiveConnectionOptions {
  api: Pick<Api, 'call' | 'origin'>
  /** Its `visibilitychange` and `online` events cause a reconnection. */
  page: Window
  openSocket?: (url: string) => WebSocket
  /** The session was revoked: asks the server who is signed in. Rejects unless the server says that it is the same user. */
  checkUser: () => Promise<unknown>
}

/** Performs the effects that the state machine asks for. */
export function createLiveConnection({
  api,
  page,
  checkUser,
  openSocket = (url) => new WebSocket(url),
}: LiveConnectionOptions): LiveConnection {
  let state = initialLiveState
  let userId: string | null = null
  let stopEvents = (): void => {}
  const statusListeners = createListeners<void>()
  const messageListeners = createListeners<ServerMessage>()
  const timers = createTimers((timer) => dispatch({ type: 'timer', timer }))
  const socket = createLiveSocket({ api, openSocket, onEvent: dispatch, onMessage: messageListeners.notify })

  function dispatch(event: LiveEvent): void {
    const { status } = state
    const next = transition(state, event)
    state = next.state
    for (const effect of next.effects) perform(effect, { socket, timers, checkUser: startUserCheck, userId })
    if (state.status !== status) statusListeners.notify()
  }
  function startUserCheck(): void {
    // A failed check is repeated by the state machine.
    checkUser().then(
      () => dispatch({ type: 'user-checked', at: Date.now() }),
      () => {},
    )
  }
  function stop(): void {
    stopEvents()
    userId = null
    dispatch({ type: 'stop' })
  }
  return {
    status: () => state.status,
    lastContactAt: () => Math.max(state.lastMessageAt, state.openedAt ?? 0) || null,
    subscribe: statusListeners.add,
    onMessage: messageListeners.add,
    start(id) {
      if (userId === id) return
      if (userId !== null) stop()
      userId = id
      stopEvents = startEvents(page, dispatch, socket.isOpen)
      dispatch({ type: 'start' })
    },
    stop,
    pollSucceeded: () => dispatch({ type: 'reconnect-hint', reason: 'poll' }),
    sendTest: () => socket.send({ action: 'test' }),
  }
}

interface Timers {
  set(timer: LiveTimer, ms: number): void
  clear(): void
}

function createTimers(onTimer: (timer: LiveTimer) => void): Timers {
  const running = new Map<LiveTimer, ReturnType<typeof setTimeout>>()
  return {
    set(timer, ms) {
      clearTimeout(running.get(timer))
      running.set(
        timer,
        setTimeout(() => onTimer(timer), ms),
      )
    },
    clear() {
      for (const timer of running.values()) clearTimeout(timer)
    },
  }
}

interface EffectTargets {
  socket: LiveSocket
  timers: Timers
  checkUser: () => void
  userId: string | null
}

function perform(effect: LiveEffect, { socket, timers, checkUser, userId }: EffectTargets): void {
  switch (effect.do) {
    case 'connect':
      return socket.connect()
    case 'close':
      return socket.close()
    case 'identify':
      return void (userId !== null && socket.send({ action: 'identify', user_id: userId }))
    case 'ping':
    case 'pong':
      return void socket.send({ action: effect.do })
    case 'check-user':
      return checkUser()
    case 'stop-timers':
      return timers.clear()
    case 'set-timer':
      return timers.set(effect.timer, effect.ms)
  }
}

/** Dispatches the events of the page and of the periodic checks, until the returned function is called. */
function startEvents(page: Window, dispatch: (event: LiveEvent) => void, isOpen: () => boolean): () => void {
  const onVisibilityChange = (): void => {
    if (page.document.visibilityState === 'visible') dispatch({ type: 'reconnect-hint', reason: 'visible' })
  }
  const onOnline = (): void => dispatch({ type: 'reconnect-hint', reason: 'online' })
  page.document.addEventListener('visibilitychange', onVisibilityChange)
  page.addEventListener('online', onOnline)
  const checks = [
    setInterval(() => dispatch({ type: 'keep-alive', at: Date.now() }), liveLimits.keepAliveCheckMs),
    setInterval(() => dispatch({ type: 'sync', open: isOpen(), at: Date.now() }), liveLimits.statusSyncMs),
  ]
  return () => {
    page.document.removeEventListener('visibilitychange', onVisibilityChange)
    page.removeEventListener('online', onOnline)
    for (const check of checks) clearInterval(check)
  }
}
