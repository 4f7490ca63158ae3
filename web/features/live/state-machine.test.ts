import { closeCodes } from '@keepsnap/contract/live.ts'
import { describe, expect, test } from 'vitest'
import {
  initialLiveState,
  reconnectDelayMs,
  transition,
  type LiveEffect,
  type LiveEvent,
  type LiveState,
} from './state-machine.ts'

/** Sends the events one after the other; returns the last state and the effects of the last event. */
function after(...events: LiveEvent[]) {
  let last: { state: LiveState; effects: LiveEffect[] } = { state: initialLiveState, effects: [] }
  for (const event of events) last = transition(last.state, event)
  return last
}
const names = (effects: LiveEffect[]) =>
  effects.map((effect) => (effect.do === 'set-timer' ? `${effect.timer} in ${effect.ms}` : effect.do))

const start: LiveEvent = { type: 'start' }
const opened = (at = 0): LiveEvent => ({ type: 'opened', at })
const closed = (code = 1006, at = 60_000): LiveEvent => ({ type: 'closed', code, at })
const backoff: LiveEvent = { type: 'timer', timer: 'backoff' }
const abnormalClose: LiveEvent = { type: 'timer', timer: 'abnormal-close' }
const hint = (reason: 'visible' | 'online' | 'poll'): LiveEvent => ({ type: 'reconnect-hint', reason })
/** A connection that is open for a minute. */
const open = [start, opened(1)]
/** The connection was lost, and so many attempts to open another one have failed. */
const lost = (failedAttempts = 0): LiveEvent[] => {
  const attempts = Array.from({ length: failedAttempts }, () => [backoff, closed()])
  return [...open, closed(), ...attempts.flat()]
}
const refused: LiveEvent[] = [start, { type: 'ticket-failed', temporary: false, at: 0 }]

describe('connecting and reconnecting', () => {
  test.each<[string, LiveEvent[], string, string[]]>([
    ['ignores a second start', [start, start], 'connecting', []],
    ['does not reconnect after a stop', [...open, { type: 'stop' }, closed()], 'disconnected', []],
    ['shows an error of the socket', [...open, { type: 'socket-error' }], 'error', []],
    [
      'reconnects after an abnormal close: in one second, and once more in five',
      lost(),
      'reconnecting',
      ['backoff in 1000', 'abnormal-close in 5000'],
    ],
    [
      'reconnects after an error before the socket was open',
      [start, { type: 'socket-error' }, closed()],
      'reconnecting',
      ['backoff in 1000'],
    ],
    [
      'reconnects when the server restarts',
      [...open, closed(closeCodes.restart)],
      'reconnecting',
      ['backoff in 1000', 'abnormal-close in 5000'],
    ],
    ['doubles the delay after the first attempt', lost(1), 'reconnecting', ['backoff in 2000']],
    ['waits sixteen seconds before the fifth attempt', lost(4), 'reconnecting', ['backoff in 16000']],
    ['does not count the additional attempt', [...lost(1), abnormalClose], 'reconnecting', ['stop-timers', 'connect']],
    [
      'continues the backoff after the additional attempt',
      [...lost(1), abnormalClose, closed()],
      'reconnecting',
      ['backoff in 2000'],
    ],
    ['does not connect twice at once', [...lost(), backoff, abnormalClose], 'reconnecting', []],
    ['stops the timers once open', [...lost(), backoff, opened()], 'connected', ['stop-timers', 'identify']],
    [
      'continues to count attempts after a short connection',
      [start, opened(1), closed(1006, 500), backoff, opened(2_000), closed(1006, 2_500)],
      'reconnecting',
      ['backoff in 2000', 'abnormal-close in 5000'],
    ],
    [
      'counts from zero after a stable connection',
      [...lost(1), backoff, opened(70_000), closed(1006, 90_000)],
      'reconnecting',
      ['backoff in 1000', 'abnormal-close in 5000'],
    ],
    [
      'counts a ticket that did not arrive as a failed attempt',
      [start, { type: 'ticket-failed', temporary: true, at: 0 }],
      'reconnecting',
      ['backoff in 1000'],
    ],
    ['does not ask again for a ticket that was refused', refused, 'error', []],
  ])('%s', (_, events, status, effects) => {
    const last = after(...events)
    expect([last.state.status, names(last.effects)]).toEqual([status, effects])
  })

  test.each([
    [1000, ['stop-timers']],
    [1001, ['stop-timers']],
    [closeCodes.forbidden, ['stop-timers']],
    [closeCodes.displaced, ['stop-timers']],
    [closeCodes.revoked, ['stop-timers', 'check-user']],
  ])('does not reconnect automatically after close code %i', (code, effects) => {
    const last = after(...open, closed(code))
    expect([last.state.status, names(last.effects)]).toEqual(['disconnected', effects])
    const later = [backoff, abnormalClose, hint('online'), hint('poll')]
    expect(after(...open, closed(code), ...later).state.status).toBe('disconnected')
  })

  test('never waits longer than thirty seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 40].map(reconnectDelayMs)).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ])
  })
})

test.each(['visible', 'online', 'poll'] as const)(
  'a failed connection has five attempts again after the hint "%s"',
  (reason) => {
    const { state, effects } = after(...lost(5), hint(reason))
    expect([state.status, state.attempts, names(effects)]).toEqual(['reconnecting', 0, ['stop-timers', 'connect']])
    expect(after(...lost(5), hint(reason), closed()).state).toMatchObject({ status: 'reconnecting', attempts: 0 })
  },
)

describe('a check of the user after the session was revoked', () => {
  const checked: LiveEvent = { type: 'user-checked', at: 60_000 }
  const revoked = closed(closeCodes.revoked)
  const revokedAtOnce: LiveEvent[] = [backoff, opened(60_000), revoked, checked]

  test('reconnects when the user is still signed in', () => {
    const { state, effects } = after(...open, revoked, checked)
    expect([state.status, names(effects)]).toEqual(['reconnecting', ['backoff in 1000']])
    expect(names(after(...open, revoked, checked, backoff).effects)).toEqual(['connect'])
  })

  test('has all attempts left when it was answered late', () => {
    const sync: LiveEvent = { type: 'sync', open: false, at: 60_000 }
    const { state, effects } = after(...open, revoked, sync, sync, sync, checked)
    expect([state.attempts, names(effects)]).toEqual([0, ['backoff in 1000']])
  })

  test('waits longer each time the new connection is revoked at once, and fails after five', () => {
    expect(names(after(...open, revoked, checked, ...revokedAtOnce).effects)).toEqual(['backoff in 2000'])
    const fiveTimes = Array.from({ length: 5 }, () => revokedAtOnce).flat()
    expect(after(...open, revoked, checked, ...fiveTimes).state.status).toBe('failed')
  })

  test.each<[string, LiveEvent[]]>([
    ['while connected', open],
    ['a second time', [...open, revoked, checked]],
    ['of a displaced screen', [...open, closed(closeCodes.displaced)]],
    ['after a stop', [...open, revoked, { type: 'stop' }]],
  ])('changes nothing %s', (_, events) => {
    expect(after(...events, checked)).toEqual({ state: after(...events).state, effects: [] })
  })
})

describe('a reconnect hint', () => {
  test.each<[string, LiveEvent[], 'visible' | 'online' | 'poll', string[]]>([
    ['does not end the backoff after a successful poll', lost(), 'poll', []],
    ['does nothing while connected', open, 'visible', []],
    ['does nothing while connecting', [start], 'online', []],
    [
      'reconnects a displaced screen when its page becomes visible',
      [...open, closed(closeCodes.displaced)],
      'visible',
      ['stop-timers', 'connect'],
    ],
    ['asks once more for a ticket that was refused', refused, 'visible', ['stop-timers', 'connect']],
    ['does nothing for a revoked session', [...open, closed(closeCodes.revoked)], 'visible', []],
  ])('%s', (_, events, reason, effects) => {
    expect(names(after(...events, hint(reason)).effects)).toEqual(effects)
  })
})

describe('keep-alive', () => {
  const check = (at: number): LiveEvent => ({ type: 'keep-alive', at })
  const received = (at: number): LiveEvent => ({ type: 'message-received', at })
  test.each<[string, LiveEvent[], string[]]>([
    ['does nothing within a minute of the last message', [start, opened(0), check(59_999)], []],
    ['measures the minute from the last message', [start, opened(0), received(30_000), check(60_000)], []],
    ['accepts any message as an answer', [start, opened(0), check(60_000), received(60_050), check(90_000)], []],
    ['does not ping before it is connected', [start, check(90_000)], []],
  ])('%s', (_, events, effects) => {
    expect(names(after(...events).effects)).toEqual(effects)
  })
})

describe('the comparison with the socket', () => {
  test.each<[string, LiveEvent[], boolean, string]>([
    ['changes nothing while the socket is open', open, true, 'connected'],
    ['ends an error when the socket is open', [...open, { type: 'socket-error' }], true, 'connected'],
    ['reconnects after an error when the socket is closed', [...open, { type: 'socket-error' }], false, 'reconnecting'],
    ['changes nothing during the backoff', lost(), false, 'reconnecting'],
    ['changes nothing after a final close', [...open, closed(1000)], false, 'disconnected'],
  ])('%s', (_, events, isOpen, status) => {
    expect(after(...events, { type: 'sync', open: isOpen, at: 60_000 }).state.status).toBe(status)
  })
})
