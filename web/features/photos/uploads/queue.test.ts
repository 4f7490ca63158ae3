import { describe, expect, test } from 'vitest'
import {
  initialUploadState,
  hasUnfinishedUploads,
  hasUnsentFiles,
  mayRetry,
  nextToUpload,
  secondsLeft,
  totalsOf,
  type OverLimit,
  type UploadItem,
  type UploadState,
} from './queue.ts'

const mb = 1024 ** 2
const item = (id: string, state: UploadState, size = 100): UploadItem => ({
  id,
  file: { size } as File, // the queue reads sizes only
  previewUrl: '',
  state,
})
const selected: UploadState = { status: 'selected' }
const queued: UploadState = { status: 'queued' }
const uploading = (progress = 0): UploadState => ({ status: 'uploading', progress })
const uploaded: UploadState = { status: 'uploaded', photoId: 'p' }
const failed: UploadState = { status: 'failed', problem: { kind: 'no-response' } }
const rejected: UploadState = { status: 'rejected', problem: { kind: 'not-image' } }
const overQuota: OverLimit = {
  status: 'over-limit',
  problem: { kind: 'quota-exceeded', quota: 'photos', detail: null },
}

describe('the initial state of a file', () => {
  test.each([
    ['that allows 50 MB', 50 * mb, 50 * mb, 'queued'],
    ['that allows 50 MB', 50 * mb, 50 * mb + 1, 'over-limit'],
    ['that allows 100 MB', 100 * mb, 100 * mb, 'queued'],
    ['that is not known', null, 1000 * mb, 'queued'],
  ] as const)('on a plan %s (%i), with %i bytes, is %s', (_, maxFileBytes, size, status) => {
    const room = maxFileBytes === null ? null : { maxFileBytes, photos: 1, storageBytes: 1 }
    expect(initialUploadState(size, { room, isImage: true }).status).toBe(status)
  })

  test('is rejected when it is not an image, whatever its size', () => {
    expect(initialUploadState(1, { room: null, isImage: false })).toEqual(rejected)
  })
})

describe('the next uploads', () => {
  test.each<[string, UploadState[], string[]]>([
    ['are the three oldest', [queued, queued, queued, queued], ['0', '1', '2']],
    ['are at most three at once', [uploading(), uploaded, queued, uploading(), queued], ['2']],
    ['are none while three are running', [uploading(), uploading(), uploading(), queued], []],
    ['are queued files only', [selected, failed, rejected, overQuota, uploaded], []],
  ])('%s', (_, states, ids) => {
    expect(
      nextToUpload(
        states.map((state, index) => item(String(index), state)),
        0,
      ),
    ).toEqual(ids)
  })
})

test('files that were queued again are uploaded after all others, the one that waited longest first', () => {
  const unavailable = { kind: 'server-unavailable' } as const
  const items = [
    item('a', { status: 'queued', problem: unavailable, requeuedAt: 20 }),
    item('b', { status: 'queued', requeuedAt: 10 }),
    item('c', queued),
    item('d', queued),
  ]
  expect(nextToUpload(items, 30)).toEqual(['c', 'd', 'b'])
  expect(nextToUpload(items.slice(0, 2), 30)).toEqual(['b', 'a'])
})

test('fewer files are uploaded at once when that is asked for', () => {
  expect(nextToUpload([item('a', queued), item('b', queued)], 0, { atOnce: 1 })).toEqual(['a'])
  expect(nextToUpload([item('a', uploading()), item('b', queued)], 0, { atOnce: 1 })).toEqual([])
})

test('files that may be too large for the plan are not uploaded', () => {
  expect(nextToUpload([item('large', queued, 11), item('small', queued, 10)], 0, { maxFileBytes: 10 })).toEqual([
    'small',
  ])
})

test.each<[string, UploadState, boolean]>([
  ['failed', failed, true],
  ['was rejected', rejected, false],
  ['is over the quota', overQuota, false],
  [
    'is over the storage limit',
    { ...overQuota, problem: { kind: 'quota-exceeded', quota: 'storage', detail: null } },
    false,
  ],
  ['is too large', { ...overQuota, problem: { kind: 'too-large', maxBytes: 1 } }, false],
])('whether a file that %s can be retried by hand', (_, state, expected) => {
  expect('problem' in state && mayRetry(state)).toBe(expected)
})

describe('the totals', () => {
  test('count only files that can be uploaded', () => {
    const items = [
      item('a', uploaded, 300),
      item('b', uploading(0.5), 200),
      item('c', queued, 100),
      item('d', rejected, 900),
      item('e', overQuota, 900),
      item('f', failed, 900),
    ]
    expect(totalsOf(items)).toEqual({ files: 3, bytes: 600, sentBytes: 400, progress: 400 / 600 })
  })

  test('are complete when there is nothing to send', () => {
    expect(totalsOf([item('a', rejected)]).progress).toBe(1)
  })
})

test.each<[UploadState, boolean]>([
  [queued, true],
  [uploading(), true],
  [selected, false],
  [uploaded, false],
  [failed, false],
  [overQuota, false],
])('whether a file with %j is unfinished: %s', (state, expected) => {
  expect(hasUnfinishedUploads([item('a', state)])).toBe(expected)
})

test.each<[UploadState, boolean]>([
  [queued, true],
  [uploading(), true],
  [selected, true],
  [failed, true],
  [uploaded, false],
  [rejected, false],
  [overQuota, false],
])('whether a file with %j would be lost with the page: %s', (state, expected) => {
  expect(hasUnsentFiles([item('a', state)])).toBe(expected)
})

describe('the remaining time', () => {
  const totals = { files: 2, bytes: 1_000, sentBytes: 400, progress: 0.4 }
  test.each([
    ['follows from the speed so far', totals, { sentBytes: 200, ms: 10_000 }, 30],
    ['is not estimated in the first seconds', totals, { sentBytes: 200, ms: 2_999 }, null],
    ['is not estimated before anything was sent', totals, { sentBytes: 0, ms: 10_000 }, null],
    ['is at least one second', { ...totals, sentBytes: 999 }, { sentBytes: 999, ms: 5_000 }, 1],
    [
      'is unknown when everything is sent',
      { ...totals, sentBytes: 1_000, progress: 1 },
      { sentBytes: 999, ms: 5_000 },
      null,
    ],
    ['is unknown when no run has started', totals, null, null],
  ])('%s', (_, all, run, seconds) => {
    expect(secondsLeft(all, run)).toBe(seconds)
  })
})
