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

/** The live connection of this tab; there is one. */
export type LiveConnection = ReturnType<typeof createLiveConnection>

interface LiveConnectionOptions {
  api: Api
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
}: LiveConnectionOptions) {
  let state = initialLiveState
  let userId: string | null = null
  let stopEvents = (): void => {}
  const statusListeners = createListeners<void>()
  const messageListeners = createListeners<ServerMessage>()
  const timers = new Map<LiveTimer, ReturnType<typeof setTimeout>>()
  const socket = createLiveSocket({ api, openSocket, onEvent: dispatch, onMessage: messageListeners.notify })

  function dispatch(event: LiveEvent): void {
    const { status } = state
    const next = transition(state, event)
    state = next.state
    for (const effect of next.effects) perform(effect)
    if (state.status !== status) statusListeners.notify()
  }
  function perform(effect: LiveEffect): void {
    switch (effect.do) {
      case 'connect':
        return void socket.connect()
      case 'close':
        return socket.close()
      case 'identify':
        return void (userId !== null && socket.send({ action: 'identify', user_id: userId }))
      case 'ping':
      case 'pong':
        return void socket.send({ action: effect.do })
      case 'check-user':
        // A failed check is repeated by the state machine.
        return void checkUser().then(
          () => dispatch({ type: 'user-checked', at: Date.now() }),
          () => {},
        )
      case 'stop-timers':
        return timers.forEach((timer) => clearTimeout(timer))
      case 'set-timer': {
        const { timer, ms } = effect
        clearTimeout(timers.get(timer))
        timers.set(
          timer,
          setTimeout(() => dispatch({ type: 'timer', timer }), ms),
        )
      }
    }
  }
  function stop(): void {
    stopEvents()
    userId = null
    dispatch({ type: 'stop' })
  }
  return {
    status: (): LiveStatus => state.status,
    /** When the last message arrived or the socket opened, in milliseconds; null if never. */
    lastContactAt: (): number | null => Math.max(state.lastMessageAt, state.openedAt ?? 0) || null,
    /** Calls back after every change of the status. */
    subscribe: statusListeners.add,
    /** Calls back with every message of the server except pings and pongs. */
    onMessage: messageListeners.add,
    start(id: string): void {
      if (userId === id) return
      if (userId !== null) stop()
      userId = id
      stopEvents = startEvents(page, dispatch, socket.isOpen)
      dispatch({ type: 'start' })
    },
    stop,
    /** The server answered a poll: a connection that has failed tries again. */
    pollSucceeded: (): void => dispatch({ type: 'reconnect-hint', reason: 'poll' }),
    /** Asks the server for a test message; false when the connection is not open. Admins only. */
    sendTest: (): boolean => socket.send({ action: 'test' }),
  }
}

interface LiveSocketOptions {
  api: Api
  openSocket: (url: string) => WebSocket
  onEvent: (event: LiveEvent) => void
  onMessage: (message: ServerMessage) => void
}

/** WebSocket.OPEN, also where the class does not exist. */
const openState = 1

/** Longest duration of a handshake; browsers wait for minutes. */
const handshakeTimeoutMs = 20_000

/** The WebSocket of the live connection; at most one at a time. */
function createLiveSocket({ api, openSocket, onEvent, onMessage }: LiveSocketOptions) {
  let socket: WebSocket | null = null
  /** Number of the current attempt, so that the results of earlier attempts are ignored. */
  let attempt = 0

  function receive(data: unknown): void {
    onEvent({ type: 'message-received', at: Date.now() })
    const message = typeof data === 'string' ? parseMessage(data) : null
    if (message?.action === 'ping') onEvent({ type: 'ping-received' })
    else if (message && message.action !== 'pong') onMessage(message)
  }
  /** Reports what happens to a socket until another one has replaced it. */
  function listen(opened: WebSocket): void {
    const handshakeTimer = setTimeout(() => opened.close(), handshakeTimeoutMs)
    const on = <Name extends keyof WebSocketEventMap>(
      name: Name,
      react: (event: WebSocketEventMap[Name]) => void,
    ): void =>
      opened.addEventListener(name, (event) => {
        clearTimeout(handshakeTimer)
        if (socket === opened) react(event)
      })
    on('open', () => onEvent({ type: 'opened', at: Date.now() }))
    on('error', () => onEvent({ type: 'socket-error' }))
    on('close', ({ code }) => onEvent({ type: 'closed', code, at: Date.now() }))
    on('message', ({ data }) => receive(data))
  }
  function close(): void {
    attempt += 1
    socket?.close()
    socket = null
  }
  const isOpen = (): boolean => socket?.readyState === openState
  return {
    /** Closes the socket, asks for a new ticket and opens a new socket with it. */
    async connect(): Promise<void> {
      close()
      const current = attempt
      try {
        const { ticket } = await api.call(liveTicket, {})
        if (attempt !== current) return
        socket = openSocket(urlOf(api.origin, ticket))
        listen(socket)
      } catch (error) {
        if (attempt !== current) return
        const temporary = isTransient(error) || (error instanceof ApiError && error.status === 429)
        onEvent({ type: 'ticket-failed', temporary, at: Date.now() })
      }
    },
    close,
    /** False when the socket is not open. */
    send(message: ClientMessage): boolean {
      if (!isOpen()) return false
      socket?.send(JSON.stringify(message))
      return true
    },
    isOpen,
  }
}

const urlOf = (origin: string, ticket: string): string =>
  `${origin.replace(/^http/, 'ws')}${wsPath}?${new URLSearchParams({ token: ticket })}`

/** Messages may be named by `type` instead of `action`. */
const actionOfType: Record<string, ServerMessage['action']> = {
  photo_added: 'new_photo',
  photo_deleted: 'photo_deleted',
  plan_updated: 'plan_updated',
}

type Fields = Record<string, unknown>

const isNothingNeeded = (): boolean => true

const hasField = (value: unknown, name: string): boolean => typeof value === 'object' && value !== null && name in value

const hasPhoto = ({ photo }: Fields): boolean => hasField(photo, 'id')

/** Whether a message has the fields of its action. */
const isComplete: Record<ServerMessage['action'], (message: Fields) => boolean> = {
  ping: isNothingNeeded,
  pong: isNothingNeeded,
  identified: isNothingNeeded,
  test: isNothingNeeded,
  user_update: isNothingNeeded,
  plan_updated: isNothingNeeded,
  api_keys_changed: isNothingNeeded,
  current_event: isNothingNeeded,
  events_changed: isNothingNeeded,
  review_changed: ({ event_id, waiting_count }) => typeof event_id === 'string' && typeof waiting_count === 'number',
  test_code_opened: isNothingNeeded,
  error: isNothingNeeded,
  latest_photo: hasPhoto,
  new_photo: hasPhoto,
  photo_update: hasPhoto,
  photo_deleted: ({ id }) => typeof id === 'string',
  photos_changed: ({ photo_count }) => typeof photo_count === 'number',
  photo_request: ({ request }) => hasField(request, 'id'),
  photo_reported: ({ photo_id }) => typeof photo_id === 'string',
  photo_hold: ({ hold }) => hold === null || hasField(hold, 'photo_id'),
}

/** A message of the server; null when the text is not a valid one. */
function parseMessage(text: string): ServerMessage | null {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof message !== 'object' || message === null) return null
  const { action, type } = message as Fields // each field is checked below
  const name = typeof action === 'string' ? action : typeof type === 'string' ? actionOfType[type] : undefined
  if (name === undefined || !Object.hasOwn(isComplete, name)) return null
  const known = name as ServerMessage['action'] // the names of `isComplete`
  return isComplete[known](message as Fields) ? ({ ...message, action: name } as ServerMessage) : null // its fields were checked
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
