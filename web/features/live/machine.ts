import { liveLimits } from '@keepsnap/contract/limits.ts'
import { closeCodes, finalCloseCodes } from '@keepsnap/contract/live.ts'

/** States of the channel, spec section 4. `error`: the socket reported trouble, or the server gives no ticket. */
export type LiveStatus = 'disconnected' | 'connecting' | 'connected' | 'error' | 'reconnecting' | 'failed'

export interface LiveState {
  status: LiveStatus
  /** Somebody wants the channel. */
  wanted: boolean
  /** A ticket or a socket is on its way. */
  opening: boolean
  /** Reconnection attempts made since the channel last stood steadily. */
  attempts: number
  /** Milliseconds; when the open socket was opened. Null while none is. */
  openedAt: number | null
  /** Milliseconds; when the server was last heard. */
  heardAt: number
  /** Milliseconds; when the last ping was sent that nothing has followed yet. */
  pingedAt: number | null
  /** Code of the close that ended the channel for good. */
  closedWith: number | null
}

/** `at` is the time in milliseconds. */
export type LiveEvent =
  | { type: 'start' }
  | { type: 'stop' }
  | { type: 'opened'; at: number }
  | { type: 'heard'; at: number }
  | { type: 'asked' }
  | { type: 'trouble' }
  | { type: 'closed'; code: number; at: number }
  /** `passing`: it may be had a moment later. */
  | { type: 'no-ticket'; passing: boolean; at: number }
  | { type: 'timer'; timer: LiveTimer }
  | { type: 'keep-alive'; at: number }
  /** What the socket says of itself, compared with what we believe. */
  | { type: 'sync'; open: boolean; at: number }
  | { type: 'nudge'; why: 'visible' | 'online' | 'poll' }

/** `retry`: the next attempt of the doubling row. `late`: one more, some seconds after an abnormal close. */
export type LiveTimer = 'retry' | 'late'

export type LiveEffect =
  | { do: 'connect' }
  | { do: 'drop' }
  | { do: 'identify' }
  | { do: 'ping' }
  | { do: 'pong' }
  | { do: 'check-user' }
  | { do: 'stop-timers' }
  | { do: 'set-timer'; timer: LiveTimer; ms: number }

export interface Step {
  state: LiveState
  effects: LiveEffect[]
}

export const atRest: LiveState = {
  status: 'disconnected',
  wanted: false,
  opening: false,
  attempts: 0,
  openedAt: null,
  heardAt: 0,
  pingedAt: null,
  closedWith: null,
}

/** Close code of a connection that ended without a word. */
const lost = 1006
/** A channel that ended sooner than this has not been up: its end continues the row of attempts. */
const steadyMs = liveLimits.statusSyncMs

/** Time before the attempt after `attempts` others: doubling, with a ceiling. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(liveLimits.reconnectMaxMs, liveLimits.reconnectFirstMs * 2 ** attempts)

const stay = (state: LiveState): Step => ({ state, effects: [] })

/** What the channel does next. Spec section 9, product.md section 7. */
export function step(state: LiveState, event: LiveEvent): Step {
  if (event.type === 'start') return start(state)
  if (event.type === 'stop') return { state: atRest, effects: [{ do: 'stop-timers' }, { do: 'drop' }] }
  if (!state.wanted) return stay(state)
  switch (event.type) {
    case 'opened':
      return opened(state, event.at)
    case 'heard':
      return stay({ ...state, heardAt: event.at, pingedAt: null })
    case 'asked':
      return { state, effects: [{ do: 'pong' }] }
    case 'trouble':
      return stay({ ...state, status: 'error' })
    case 'closed':
      return finalCloseCodes.includes(event.code) ? ended(state, event.code) : broken(state, event.at)
    case 'no-ticket':
      return event.passing ? broken(state, event.at) : stay({ ...state, status: 'error', opening: false })
    case 'timer':
      return timeUp(state, event.timer)
    case 'keep-alive':
      return keepAlive(state, event.at)
    case 'sync':
      return sync(state, event)
    case 'nudge':
      return nudge(state, event.why)
  }
}

function start(state: LiveState): Step {
  if (state.wanted) return stay(state)
  return { state: { ...atRest, wanted: true, opening: true, status: 'connecting' }, effects: [{ do: 'connect' }] }
}

function opened(state: LiveState, at: number): Step {
  return {
    state: { ...state, status: 'connected', opening: false, openedAt: at, heardAt: at, pingedAt: null },
    effects: [{ do: 'stop-timers' }, { do: 'identify' }],
  }
}

function ended(state: LiveState, code: number): Step {
  const effects: LiveEffect[] = [{ do: 'stop-timers' }]
  if (code === closeCodes.revoked) effects.push({ do: 'check-user' })
  return { state: { ...state, status: 'disconnected', opening: false, openedAt: null, closedWith: code }, effects }
}

function broken(state: LiveState, at: number): Step {
  const stood = state.openedAt !== null
  const attempts = state.openedAt !== null && at - state.openedAt >= steadyMs ? 0 : state.attempts
  const down = { ...state, opening: false, openedAt: null, pingedAt: null, attempts }
  if (attempts >= liveLimits.reconnectAttempts) {
    return { state: { ...down, status: 'failed' }, effects: [{ do: 'stop-timers' }] }
  }
  const effects: LiveEffect[] = [{ do: 'set-timer', timer: 'retry', ms: retryDelayMs(attempts) }]
  if (stood) effects.push({ do: 'set-timer', timer: 'late', ms: liveLimits.reconnectAfterAbnormalMs })
  return { state: { ...down, status: 'reconnecting' }, effects }
}

function connectAgain(state: LiveState, attempts: number): Step {
  return { state: { ...state, status: 'reconnecting', opening: true, attempts }, effects: [{ do: 'connect' }] }
}

function timeUp(state: LiveState, timer: LiveTimer): Step {
  if (state.opening || state.status !== 'reconnecting') return stay(state)
  if (timer === 'retry') return connectAgain(state, state.attempts + 1)
  const again = connectAgain(state, state.attempts)
  return { ...again, effects: [{ do: 'stop-timers' }, ...again.effects] }
}

function keepAlive(state: LiveState, at: number): Step {
  if (state.status !== 'connected') return stay(state)
  if (state.pingedAt !== null) {
    const next = broken(state, at)
    return { ...next, effects: [{ do: 'drop' }, ...next.effects] }
  }
  if (at - state.heardAt < liveLimits.pingAfterSilenceMs) return stay(state)
  return { state: { ...state, pingedAt: at }, effects: [{ do: 'ping' }] }
}

function sync(state: LiveState, { open, at }: { open: boolean; at: number }): Step {
  if (open && state.status === 'error') return stay({ ...state, status: 'connected' })
  const believed = state.status === 'connected' || (state.status === 'error' && state.openedAt !== null)
  return believed && !open ? step(state, { type: 'closed', code: lost, at }) : stay(state)
}

function nudge(state: LiveState, why: 'visible' | 'online' | 'poll'): Step {
  if (state.opening) return stay(state)
  const idle =
    state.status === 'failed' ||
    (state.status === 'error' && state.openedAt === null) ||
    (state.status === 'reconnecting' && why !== 'poll') ||
    // The person is back in front of a screen that had yielded to others.
    (state.closedWith === closeCodes.displaced && why === 'visible')
  if (!idle) return stay(state)
  const again = connectAgain({ ...state, closedWith: null }, state.status === 'failed' ? 0 : state.attempts)
  return { ...again, effects: [{ do: 'stop-timers' }, ...again.effects] }
}
