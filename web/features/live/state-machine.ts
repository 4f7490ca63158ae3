import { liveLimits } from '@keepsnap/contract/limits.ts'
import { closeCodes, finalCloseCodes } from '@keepsnap/contract/live.ts'

/** States of the live connection. `error`: the socket reported an error, or the server refuses a ticket. */
export type LiveStatus = 'disconnected' | 'connecting' | 'connected' | 'error' | 'reconnecting' | 'failed'

export interface LiveState {
  status: LiveStatus
  /** The connection was started and not stopped since. */
  wanted: boolean
  /** A ticket was requested, or a socket is opening. */
  opening: boolean
  /** Reconnection attempts since the last stable connection. */
  attempts: number
  /** Repeated checks of the user since the session was revoked. */
  userChecks: number
  /** Milliseconds; when the open socket was opened. Null while none is. */
  openedAt: number | null
  /** Milliseconds; when the last message arrived. */
  lastMessageAt: number
  /** Milliseconds; when a ping was sent that has no answer yet. Null: no such ping. */
  pingedAt: number | null
  /** Code of a close after which the connection does not reconnect automatically. */
  finalCloseCode: number | null
}

type ReconnectReason = 'visible' | 'online' | 'poll'

/** `at` is the time in milliseconds. */
export type LiveEvent =
  | { type: 'start' }
  | { type: 'stop' }
  | { type: 'opened'; at: number }
  | { type: 'message-received'; at: number }
  | { type: 'ping-received' }
  | { type: 'socket-error' }
  | { type: 'closed'; code: number; at: number }
  /** `temporary`: another request may get a ticket. */
  | { type: 'ticket-failed'; temporary: boolean; at: number }
  /** A check that followed a revoked session was answered: the user is still signed in. */
  | { type: 'user-checked'; at: number }
  | { type: 'timer'; timer: LiveTimer }
  | { type: 'keep-alive'; at: number }
  /** Whether the socket is open, to compare with the state. */
  | { type: 'sync'; open: boolean; at: number }
  /** A new attempt may succeed now: the page became visible, the network returned, or a poll succeeded. */
  | { type: 'reconnect-hint'; reason: ReconnectReason }

/** `backoff`: the next attempt. `abnormal-close`: one additional attempt, some seconds after an abnormal close. */
export type LiveTimer = 'backoff' | 'abnormal-close'

export type LiveEffect =
  | { do: 'connect' }
  | { do: 'close' }
  | { do: 'identify' }
  | { do: 'ping' }
  | { do: 'pong' }
  | { do: 'check-user' }
  | { do: 'stop-timers' }
  | { do: 'set-timer'; timer: LiveTimer; ms: number }

interface Transition {
  state: LiveState
  effects: LiveEffect[]
}

export const initialLiveState: LiveState = {
  status: 'disconnected',
  wanted: false,
  opening: false,
  attempts: 0,
  userChecks: 0,
  openedAt: null,
  lastMessageAt: 0,
  pingedAt: null,
  finalCloseCode: null,
}

/** Close code of a connection that ended without a close frame. */
const abnormalClosure = 1006
/** The number of attempts starts again at zero only after a connection of at least this duration. */
const stableMs = liveLimits.statusSyncMs

/** Delay before the next attempt, after `attempts` others: exponential backoff with a maximum. */
export const reconnectDelayMs = (attempts: number): number =>
  Math.min(liveLimits.reconnectMaxMs, liveLimits.reconnectFirstMs * 2 ** attempts)

const withoutEffects = (state: LiveState): Transition => ({ state, effects: [] })

/** The next state and what to do. */
export function transition(state: LiveState, event: LiveEvent): Transition {
  if (event.type === 'start') {
    if (state.wanted) return withoutEffects(state)
    const started: LiveState = { ...initialLiveState, wanted: true, opening: true, status: 'connecting' }
    return { state: started, effects: [{ do: 'connect' }] }
  }
  if (event.type === 'stop') return { state: initialLiveState, effects: [{ do: 'stop-timers' }, { do: 'close' }] }
  if (!state.wanted) return withoutEffects(state)
  switch (event.type) {
    case 'opened': {
      const { at } = event
      const opened: LiveState = {
        ...state,
        status: 'connected',
        opening: false,
        openedAt: at,
        lastMessageAt: at,
        pingedAt: null,
      }
      return { state: opened, effects: [{ do: 'stop-timers' }, { do: 'identify' }] }
    }
    case 'message-received':
      return withoutEffects({ ...state, lastMessageAt: event.at, pingedAt: null })
    case 'ping-received':
      return { state, effects: [{ do: 'pong' }] }
    case 'socket-error':
      return withoutEffects({ ...state, status: 'error' })
    case 'closed':
      return finalCloseCodes.includes(event.code) ? endForGood(state, event) : reconnectLater(state, event.at)
    case 'ticket-failed':
      return event.temporary
        ? reconnectLater(state, event.at)
        : withoutEffects({ ...state, status: 'error', opening: false })
    case 'user-checked':
      return userChecked(state, event.at)
    case 'timer':
      return timerExpired(state, event.timer)
    case 'keep-alive':
      return keepAlive(state, event.at)
    case 'sync':
      return sync(state, event)
    case 'reconnect-hint':
      return reconnectHint(state, event.reason)
  }
}

const attemptsAfterClose = ({ openedAt, attempts }: LiveState, at: number): number =>
  openedAt !== null && at - openedAt >= stableMs ? 0 : attempts

function endForGood(state: LiveState, { code, at }: { code: number; at: number }): Transition {
  const effects: LiveEffect[] = [{ do: 'stop-timers' }]
  if (code === closeCodes.revoked) effects.push({ do: 'check-user' })
  return {
    state: {
      ...state,
      status: 'disconnected',
      opening: false,
      openedAt: null,
      attempts: attemptsAfterClose(state, at),
      userChecks: 0,
      finalCloseCode: code,
    },
    effects,
  }
}

/**
 * The response to the first check may have been lost, or sent by a node with a stale session cache. The check is
 * repeated for longer than a server caches a session.
 */
function checkUserAgain(state: LiveState): Transition {
  if (state.userChecks >= liveLimits.userChecks) return withoutEffects(state)
  return { state: { ...state, userChecks: state.userChecks + 1 }, effects: [{ do: 'check-user' }] }
}

/**
 * The session continues with another token, as after a password change. With the usual delay and number of attempts,
 * because the server may have answered from a stale session cache, and revoke the next connection too.
 */
function userChecked(state: LiveState, at: number): Transition {
  if (state.finalCloseCode !== closeCodes.revoked) return withoutEffects(state)
  return reconnectLater({ ...state, finalCloseCode: null }, at)
}

function reconnectLater(state: LiveState, at: number): Transition {
  const wasOpen = state.openedAt !== null
  const attempts = attemptsAfterClose(state, at)
  const closed = { ...state, opening: false, openedAt: null, pingedAt: null, attempts }
  if (attempts >= liveLimits.reconnectAttempts) {
    return { state: { ...closed, status: 'failed' }, effects: [{ do: 'stop-timers' }] }
  }
  const effects: LiveEffect[] = [{ do: 'set-timer', timer: 'backoff', ms: reconnectDelayMs(attempts) }]
  if (wasOpen) {
    effects.push({ do: 'set-timer', timer: 'abnormal-close', ms: liveLimits.reconnectAfterAbnormalMs })
  }
  return { state: { ...closed, status: 'reconnecting' }, effects }
}

function reconnectNow(state: LiveState, attempts: number): Transition {
  return { state: { ...state, status: 'reconnecting', opening: true, attempts }, effects: [{ do: 'connect' }] }
}

function timerExpired(state: LiveState, timer: LiveTimer): Transition {
  if (state.opening || state.status !== 'reconnecting') return withoutEffects(state)
  if (timer === 'backoff') return reconnectNow(state, state.attempts + 1)
  const reconnect = reconnectNow(state, state.attempts)
  return { ...reconnect, effects: [{ do: 'stop-timers' }, ...reconnect.effects] }
}

function keepAlive(state: LiveState, at: number): Transition {
  if (state.status !== 'connected') return withoutEffects(state)
  if (state.pingedAt !== null) {
    const next = reconnectLater(state, at)
    return { ...next, effects: [{ do: 'close' }, ...next.effects] }
  }
  if (at - state.lastMessageAt < liveLimits.pingAfterSilenceMs) return withoutEffects(state)
  return { state: { ...state, pingedAt: at }, effects: [{ do: 'ping' }] }
}

function sync(state: LiveState, { open, at }: { open: boolean; at: number }): Transition {
  if (open && state.status === 'error') return withoutEffects({ ...state, status: 'connected' })
  if (state.finalCloseCode === closeCodes.revoked) return checkUserAgain(state)
  const believedOpen = state.status === 'connected' || (state.status === 'error' && state.openedAt !== null)
  if (open || !believedOpen) return withoutEffects(state)
  return transition(state, { type: 'closed', code: abnormalClosure, at })
}

function reconnectHint(state: LiveState, reason: ReconnectReason): Transition {
  if (state.opening) return withoutEffects(state)
  const mayReconnect =
    state.status === 'failed' ||
    (state.status === 'error' && state.openedAt === null) ||
    (state.status === 'reconnecting' && reason !== 'poll') ||
    // The user returned to a screen whose connection was closed in favour of newer ones.
    (state.finalCloseCode === closeCodes.displaced && reason === 'visible')
  if (!mayReconnect) return withoutEffects(state)
  const reconnect = reconnectNow({ ...state, finalCloseCode: null }, state.status === 'failed' ? 0 : state.attempts)
  return { ...reconnect, effects: [{ do: 'stop-timers' }, ...reconnect.effects] }
}
