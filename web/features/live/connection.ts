import { liveLimits } from '@keepsnap/contract/limits.ts'
import { liveTicket, wsPath, type ClientMessage, type ServerMessage } from '@keepsnap/contract/live.ts'
import { isPassing, ApiError } from '../../lib/answers.ts'
import type { Api } from '../../lib/api.ts'
import { atRest, step, type LiveEffect, type LiveEvent, type LiveStatus, type LiveTimer } from './machine.ts'
import { parseMessage } from './parse.ts'

/** The one live connection of this tab. */
export interface Live {
  status(): LiveStatus
  /** Calls back after every change of the status. */
  subscribe(listener: () => void): () => void
  /** Calls back with every message that carries news. */
  onMessage(listener: (message: ServerMessage) => void): () => void
  start(userId: string): void
  stop(): void
  /** The server answered a poll: a channel that has failed tries again. */
  pollSucceeded(): void
  /** Asks the server for a test message; false when the channel is not open. Admins only. */
  sendTest(): boolean
}

interface LiveParts {
  api: Pick<Api, 'call' | 'origin'>
  /** Where "visible" and "online" are told. */
  page: Window
  openSocket?: (address: string) => WebSocket
  /** The session was revoked: find out who is signed in. */
  checkUser: () => void
}

const openState = 1 // WebSocket.OPEN, also where there is no such class
/** How long a handshake may take; browsers themselves wait for minutes. */
const handshakeMs = 20_000

/** Carries out what the machine decides. */
export function createLive({
  api,
  page,
  checkUser,
  openSocket = (address) => new WebSocket(address),
}: LiveParts): Live {
  let state = atRest
  let userId: string | null = null
  let socket: WebSocket | null = null
  /** Counts connections, so that a late answer to an old one is ignored. */
  let turn = 0
  const timers = new Map<LiveTimer | 'beat' | 'sync', ReturnType<typeof setTimeout>>()
  const watchers = new Set<() => void>()
  const readers = new Set<(message: ServerMessage) => void>()

  const tell = (event: LiveEvent): void => {
    const before = state.status
    const next = step(state, event)
    state = next.state
    for (const effect of next.effects) perform(effect)
    if (state.status !== before) for (const watcher of watchers) watcher()
  }
  const say = (message: ClientMessage): boolean => {
    if (socket?.readyState !== openState) return false
    socket.send(JSON.stringify(message))
    return true
  }
  const drop = (): void => {
    turn += 1
    socket?.close()
    socket = null
  }
  const stopTimers = (): void => {
    for (const name of ['retry', 'late'] as const) clearTimeout(timers.get(name))
  }

  function perform(effect: LiveEffect): void {
    switch (effect.do) {
      case 'connect':
        return void connect()
      case 'drop':
        return drop()
      case 'identify':
        return void (userId !== null && say({ action: 'identify', user_id: userId }))
      case 'ping':
      case 'pong':
        return void say({ action: effect.do })
      case 'check-user':
        return checkUser()
      case 'stop-timers':
        return stopTimers()
      case 'set-timer':
        return setTimer(effect.timer, effect.ms)
    }
  }
  const setTimer = (timer: LiveTimer, ms: number): void => {
    clearTimeout(timers.get(timer))
    timers.set(
      timer,
      setTimeout(() => tell({ type: 'timer', timer }), ms),
    )
  }

  async function connect(): Promise<void> {
    drop()
    const mine = turn
    try {
      const { ticket } = await api.call(liveTicket, {})
      if (mine === turn) listen(ticket)
    } catch (error) {
      if (mine !== turn) return
      const passing = isPassing(error) || (error instanceof ApiError && error.status === 429)
      tell({ type: 'no-ticket', passing, at: Date.now() })
    }
  }

  function listen(ticket: string): void {
    const address = `${api.origin.replace(/^http/, 'ws')}${wsPath}?${new URLSearchParams({ token: ticket })}`
    const mine = openSocket(address)
    socket = mine
    const limit = setTimeout(() => mine.close(), handshakeMs)
    const ifCurrent =
      <E>(react: (event: E) => void) =>
      (event: E): void => {
        clearTimeout(limit)
        if (socket === mine) react(event)
      }
    mine.addEventListener(
      'open',
      ifCurrent(() => tell({ type: 'opened', at: Date.now() })),
    )
    mine.addEventListener(
      'error',
      ifCurrent(() => tell({ type: 'trouble' })),
    )
    mine.addEventListener(
      'close',
      ifCurrent(({ code }: CloseEvent) => tell({ type: 'closed', code, at: Date.now() })),
    )
    mine.addEventListener(
      'message',
      ifCurrent(({ data }: MessageEvent) => hear(data)),
    )
  }

  function hear(data: unknown): void {
    tell({ type: 'heard', at: Date.now() })
    const message = typeof data === 'string' ? parseMessage(data) : null
    if (message?.action === 'ping') tell({ type: 'asked' })
    else if (message && message.action !== 'pong') for (const reader of readers) reader(message)
  }

  const looked = (): void => {
    if (page.document.visibilityState === 'visible') tell({ type: 'nudge', why: 'visible' })
  }
  const online = (): void => tell({ type: 'nudge', why: 'online' })

  const stop = (): void => {
    for (const timer of timers.values()) clearTimeout(timer)
    timers.clear()
    page.document.removeEventListener('visibilitychange', looked)
    page.removeEventListener('online', online)
    userId = null
    tell({ type: 'stop' })
  }
  const start = (id: string): void => {
    if (userId === id) return
    if (userId !== null) stop()
    userId = id
    page.document.addEventListener('visibilitychange', looked)
    page.addEventListener('online', online)
    timers.set(
      'beat',
      setInterval(() => tell({ type: 'keep-alive', at: Date.now() }), liveLimits.keepAliveCheckMs),
    )
    const isOpen = (): boolean => socket?.readyState === openState
    timers.set(
      'sync',
      setInterval(() => tell({ type: 'sync', open: isOpen(), at: Date.now() }), liveLimits.statusSyncMs),
    )
    tell({ type: 'start' })
  }

  return {
    status: () => state.status,
    subscribe(listener) {
      watchers.add(listener)
      return () => void watchers.delete(listener)
    },
    onMessage(listener) {
      readers.add(listener)
      return () => void readers.delete(listener)
    },
    start,
    stop,
    pollSucceeded: () => tell({ type: 'nudge', why: 'poll' }),
    sendTest: () => say({ action: 'test' }),
  }
}
