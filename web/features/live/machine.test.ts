import { closeCodes } from '@keepsnap/contract/live.ts'
import { describe, expect, test } from 'vitest'
import { atRest, retryDelayMs, step, type LiveEffect, type LiveEvent, type LiveState } from './machine.ts'

/** Plays events and returns the last state and the last effects. */
function play(...events: LiveEvent[]) {
  let last: { state: LiveState; effects: LiveEffect[] } = { state: atRest, effects: [] }
  for (const event of events) last = step(last.state, event)
  return last
}
const deeds = (effects: LiveEffect[]) =>
  effects.map((effect) => (effect.do === 'set-timer' ? `${effect.timer} in ${effect.ms}` : effect.do))

const start: LiveEvent = { type: 'start' }
const open = (at = 0): LiveEvent => ({ type: 'opened', at })
const closed = (code = 1006, at = 60_000): LiveEvent => ({ type: 'closed', code, at })
const retry: LiveEvent = { type: 'timer', timer: 'retry' }
const late: LiveEvent = { type: 'timer', timer: 'late' }
const nudge = (why: 'visible' | 'online' | 'poll'): LiveEvent => ({ type: 'nudge', why })
/** A channel that stood for a minute. */
const up = [start, open(1)]
/** One more attempt, which fails. */
const attempt = [retry, closed()]
const given = [...up, closed(), ...attempt, ...attempt, ...attempt, ...attempt, ...attempt]

describe('the states of the live channel', () => {
  test.each<[string, LiveEvent[], string, string[]]>([
    ['connects at the start', [start], 'connecting', ['connect']],
    ['starts once', [start, start], 'connecting', []],
    ['says who it is once open', up, 'connected', ['stop-timers', 'identify']],
    ['drops everything when nobody needs it', [...up, { type: 'stop' }], 'disconnected', ['stop-timers', 'drop']],
    ['stays down afterwards', [...up, { type: 'stop' }, closed()], 'disconnected', []],
    ['shows the trouble of a socket', [...up, { type: 'trouble' }], 'error', []],
    [
      'reconnects after an abnormal close: in a second, and once more after five',
      [...up, closed()],
      'reconnecting',
      ['retry in 1000', 'late in 5000'],
    ],
    [
      'reconnects after trouble and its close',
      [start, { type: 'trouble' }, closed()],
      'reconnecting',
      ['retry in 1000'],
    ],
    [
      'reconnects when the server restarts',
      [...up, closed(closeCodes.restart)],
      'reconnecting',
      ['retry in 1000', 'late in 5000'],
    ],
    ['attempts when the time is up', [...up, closed(), retry], 'reconnecting', ['connect']],
    ['waits twice as long after the first attempt', [...up, closed(), ...attempt], 'reconnecting', ['retry in 2000']],
    [
      'waits sixteen seconds before the fifth attempt',
      [...up, closed(), ...attempt, ...attempt, ...attempt, ...attempt],
      'reconnecting',
      ['retry in 16000'],
    ],
    ['has failed after the fifth attempt', given, 'failed', ['stop-timers']],
    [
      'connects late without counting it',
      [...up, closed(), ...attempt, late],
      'reconnecting',
      ['stop-timers', 'connect'],
    ],
    [
      'goes on with the row after the late one',
      [...up, closed(), ...attempt, late, closed()],
      'reconnecting',
      ['retry in 2000'],
    ],
    ['does not connect twice at once', [...up, closed(), retry, late], 'reconnecting', []],
    ['forgets the timers once connected', [...up, closed(), retry, open()], 'connected', ['stop-timers', 'identify']],
    [
      'counts on when a connection did not hold',
      [start, open(1), closed(1006, 500), retry, open(2_000), closed(1006, 2_500)],
      'reconnecting',
      ['retry in 2000', 'late in 5000'],
    ],
    [
      'begins anew after a connection that held',
      [...up, closed(), ...attempt, retry, open(70_000), closed(1006, 90_000)],
      'reconnecting',
      ['retry in 1000', 'late in 5000'],
    ],
    [
      'takes a ticket that did not come for a failed attempt',
      [start, { type: 'no-ticket', passing: true, at: 0 }],
      'reconnecting',
      ['retry in 1000'],
    ],
    [
      'does not ask again for a ticket that was refused',
      [start, { type: 'no-ticket', passing: false, at: 0 }],
      'error',
      [],
    ],
  ])('%s', (_, events, status, effects) => {
    const { state, effects: done } = play(...events)
    expect([state.status, deeds(done)]).toEqual([status, effects])
  })

  test.each([
    [1000, ['stop-timers']],
    [1001, ['stop-timers']],
    [closeCodes.forbidden, ['stop-timers']],
    [closeCodes.displaced, ['stop-timers']],
    [closeCodes.revoked, ['stop-timers', 'check-user']],
  ])('does not reconnect by itself after %i', (code, effects) => {
    const { state, effects: done } = play(...up, closed(code))
    expect([state.status, deeds(done)]).toEqual(['disconnected', effects])
    expect(play(...up, closed(code), retry, late, nudge('online'), nudge('poll')).state.status).toBe('disconnected')
  })

  test('never waits longer than thirty seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 40].map(retryDelayMs)).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ])
  })
})

describe('a channel that has failed', () => {
  test.each(['visible', 'online', 'poll'] as const)('tries again when something speaks for it: %s', (why) => {
    const { state, effects } = play(...given, nudge(why))
    expect([state.status, state.attempts, deeds(effects)]).toEqual(['reconnecting', 0, ['stop-timers', 'connect']])
  })

  test('has its five attempts again', () => {
    expect(play(...given, nudge('poll'), closed()).state).toMatchObject({ status: 'reconnecting', attempts: 0 })
  })
})

describe('a nudge', () => {
  test.each<[string, LiveEvent[], 'visible' | 'online' | 'poll', string[]]>([
    ['cuts the waiting short when the page is looked at', [...up, closed()], 'visible', ['stop-timers', 'connect']],
    ['cuts the waiting short when the network returns', [...up, closed()], 'online', ['stop-timers', 'connect']],
    ['leaves the waiting alone when a poll came through', [...up, closed()], 'poll', []],
    ['does nothing while connected', up, 'visible', []],
    ['does nothing while connecting', [start], 'online', []],
    [
      'brings back a screen that yielded, when a person looks',
      [...up, closed(closeCodes.displaced)],
      'visible',
      ['stop-timers', 'connect'],
    ],
    [
      'asks once more for a ticket that was refused',
      [start, { type: 'no-ticket', passing: false, at: 0 }],
      'visible',
      ['stop-timers', 'connect'],
    ],
    ['does nothing for a revoked session', [...up, closed(closeCodes.revoked)], 'visible', []],
  ])('%s', (_, events, why, effects) => {
    expect(deeds(play(...events, nudge(why)).effects)).toEqual(effects)
  })
})

describe('keeping alive', () => {
  const beat = (at: number): LiveEvent => ({ type: 'keep-alive', at })
  test.each<[string, LiveEvent[], string[]]>([
    ['is quiet while the server speaks', [start, open(0), beat(59_999)], []],
    ['pings after a minute of silence', [start, open(0), beat(60_000)], ['ping']],
    ['counts the silence from the last word', [start, open(0), { type: 'heard', at: 30_000 }, beat(60_000)], []],
    [
      'gives up on a socket that does not answer',
      [start, open(0), beat(60_000), beat(90_000)],
      ['drop', 'retry in 1000', 'late in 5000'],
    ],
    ['is content with any answer', [start, open(0), beat(60_000), { type: 'heard', at: 60_050 }, beat(90_000)], []],
    ['does not ping what is not connected', [start, beat(90_000)], []],
    ['answers the ping of the server', [start, open(0), { type: 'asked' }], ['pong']],
  ])('%s', (_, events, effects) => {
    expect(deeds(play(...events).effects)).toEqual(effects)
  })
})

describe('the status sync', () => {
  test.each<[string, LiveEvent[], boolean, string]>([
    ['finds a socket closed that was believed open', up, false, 'reconnecting'],
    ['finds all well', up, true, 'connected'],
    ['finds well again what had trouble', [...up, { type: 'trouble' }], true, 'connected'],
    ['finds dead what had trouble', [...up, { type: 'trouble' }], false, 'reconnecting'],
    ['leaves waiting alone', [...up, closed()], false, 'reconnecting'],
    ['leaves the end alone', [...up, closed(1000)], false, 'disconnected'],
  ])('%s', (_, events, isOpen, status) => {
    expect(play(...events, { type: 'sync', open: isOpen, at: 60_000 }).state.status).toBe(status)
  })
})
