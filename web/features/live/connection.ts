import { liveLimits } from '@keepsnap/contract/limits.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Api } from '../../lib/api.ts'
import { createListeners } from '../../lib/listeners.ts'
import { createLiveSocket, type LiveSocket } from './socket.ts'
import {
  initialLiveState,
  transition,
  type LiveEffect,
  type LiveEvent,
  type LiveStatus,
  type LiveTimer,
} from './state-machine.ts'

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
