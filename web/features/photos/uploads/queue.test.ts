import { describe, expect, test } from 'vitest'
import {
  firstState,
  isUnderway,
  mayGoNow,
  mayRetry,
  nextToSend,
  secondsLeft,
  totalsOf,
  type Held,
  type UploadItem,
  type UploadState,
} from './queue.ts'

const mb = 1024 ** 2
const item = (id: string, state: UploadState, size = 100): UploadItem => ({
  id,
  file: { size } as File, // the queue looks at sizes only
  preview: '',
  state,
})
const waiting: UploadState = { at: 'waiting' }
const sending = (share = 0): UploadState => ({ at: 'sending', share })
const stored: UploadState = { at: 'stored', photoId: 'p' }
const stopped: UploadState = { at: 'stopped', problem: { kind: 'no-answer' } }
const refused: UploadState = { at: 'refused', problem: { kind: 'not-image' } }
const held: Held = {
  at: 'held',
  problem: { kind: 'no-room', what: 'photos', detail: null },
  tier: 'free',
  since: Date.parse('2026-11-20T10:00Z'),
}

describe('a file that comes in', () => {
  test.each([
    ['free', 50 * mb, 'waiting'],
    ['free', 50 * mb + 1, 'held'],
    ['pro', 100 * mb, 'waiting'],
    ['pro', 100 * mb + 1, 'held'],
  ] as const)('on the %s plan with %i bytes is %s', (tier, size, at) => {
    expect(firstState(size, { tier, now: 0, isImage: true }).at).toBe(at)
  })

  test('that is no image is refused, whatever its size', () => {
    expect(firstState(1, { tier: 'pro', now: 0, isImage: false })).toEqual(refused)
  })
})

describe('what is sent next', () => {
  test.each<[string, UploadState[], string[]]>([
    ['three of many, oldest first', [waiting, waiting, waiting, waiting], ['0', '1', '2']],
    ['as many as there is room for', [sending(), stored, waiting, sending(), waiting], ['2']],
    ['none while three are on their way', [sending(), sending(), sending(), waiting], []],
    ['only what waits', [{ at: 'chosen' }, stopped, refused, held, stored], []],
  ])('%s', (_, states, ids) => {
    expect(nextToSend(states.map((state, at) => item(String(at), state)))).toEqual(ids)
  })
})

describe('a held file', () => {
  const size: Held = { ...held, problem: { kind: 'too-large', mostBytes: 1 } }
  const storage: Held = { ...held, problem: { kind: 'no-room', what: 'storage', detail: null } }
  test.each<[string, Held, 'free' | 'pro', string, boolean]>([
    ['goes after an upgrade', held, 'pro', '2026-11-20T11:00Z', true],
    ['over the size goes after an upgrade', size, 'pro', '2026-11-20T11:00Z', true],
    ['stays in the same month', held, 'free', '2026-11-30T23:59:59Z', false],
    ['goes in the next month', held, 'free', '2026-12-01T00:00Z', true],
    ['goes in the next year', held, 'free', '2027-01-02T00:00Z', true],
    ['over the size stays in the next month', size, 'free', '2026-12-02T00:00Z', false],
    ['over the storage stays in the next month', storage, 'free', '2026-12-02T00:00Z', false],
  ])('%s', (_, state, tier, at, goes) => {
    expect(mayGoNow(state, { tier, at: Date.parse(at) })).toBe(goes)
  })

  test('can be tried by hand when room may have been made', () => {
    expect([stopped, refused, held, storage, size].map((state) => 'problem' in state && mayRetry(state))).toEqual([
      true,
      false,
      true,
      true,
      false,
    ])
  })
})

describe('the totals', () => {
  test('count what goes up and leave out what cannot', () => {
    const items = [
      item('a', stored, 300),
      item('b', sending(0.5), 200),
      item('c', waiting, 100),
      item('d', refused, 900),
      item('e', held, 900),
      item('f', stopped, 900),
    ]
    expect(totalsOf(items)).toEqual({ files: 3, bytes: 600, sentBytes: 400, share: 400 / 600 })
  })

  test('are done when there is nothing to send', () => {
    expect(totalsOf([item('a', refused)]).share).toBe(1)
  })

  test.each<[UploadState, boolean]>([
    [waiting, true],
    [sending(), true],
    [{ at: 'chosen' }, false],
    [stored, false],
    [stopped, false],
    [held, false],
  ])('leaving with %j loses something: %s', (state, loses) => {
    expect(isUnderway([item('a', state)])).toBe(loses)
  })
})

describe('the time that is left', () => {
  const totals = { files: 2, bytes: 1_000, sentBytes: 400, share: 0.4 }
  test.each([
    ['follows from the speed so far', totals, { sentBytes: 200, ms: 10_000 }, 30],
    ['is not guessed in the first seconds', totals, { sentBytes: 200, ms: 2_999 }, null],
    ['is not guessed before anything was sent', totals, { sentBytes: 0, ms: 10_000 }, null],
    ['is never nothing while something is left', { ...totals, sentBytes: 999 }, { sentBytes: 999, ms: 5_000 }, 1],
    ['is not told when all is sent', { ...totals, sentBytes: 1_000, share: 1 }, { sentBytes: 999, ms: 5_000 }, null],
    ['is not told without a run', totals, null, null],
  ])('%s', (_, all, run, seconds) => {
    expect(secondsLeft(all, run)).toBe(seconds)
  })
})
