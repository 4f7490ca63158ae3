import { describe, expect, test } from 'vitest'
import { plans } from '@keepsnap/contract/plans.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { createFormat } from '../../lib/format.ts'
import { upload } from '../../messages/en/photos.ts'
import { samplePlanStatus } from '../../test/samples.ts'
import { fileTypeOf } from '../../lib/images.ts'
import {
  failureActionFor,
  fileKey,
  groupOf,
  hasRoomFor,
  hasUnfinishedUploads,
  hasUnsentFiles,
  initialUploadState,
  leastMaxFileBytes,
  type LimitProblem,
  nextToUpload,
  type OverLimit,
  type PlanRoom,
  planRoomOf,
  roomAfterRefusal,
  secondsLeft,
  totalsOf,
  UnreadableFileError,
  type UploadedPhotoStatus,
  type UploadGroup,
  uploadGroups,
  type UploadItem,
  type UploadProblem,
  uploadProblemMessage,
  type UploadState,
} from './upload-queue.ts'

describe('problems', () => {
  const messageOf = (problem: UploadProblem) =>
    uploadProblemMessage(problem, 126 * 1024 ** 2, { text: upload.errors, format: createFormat('en') })
  const refusal = (
    status: number,
    code: string | null,
    detail: string | null = 'Why.',
    retryAfter: string | null = null,
  ) => new ApiError(status, code === null ? null : { code, detail }, retryAfter)

  const fail = (problem: UploadProblem) => ({ do: 'fail', problem })
  const serverError = (detail: string | null): UploadProblem => ({ kind: 'server-error', detail })
  const reject = (detail: string) => ({ do: 'reject', problem: serverError(detail) })
  const hold = (quota: string) => ({ do: 'hold', problem: { kind: 'quota-exceeded', quota, detail: 'Why.' } })
  const retryLater = (delayMs: number, reason = 'busy') => ({ do: 'retry-later', delayMs, reason })
  const waitForServer = (delayMs: number) => ({ do: 'wait-for-server', delayMs })
  test.each([
    ['of a server that cannot be reached', new NetworkError('unreachable'), fail({ kind: 'no-response' })],
    ['answered by the sign-in page of a hotel', new NetworkError('unreadable'), fail({ kind: 'no-response' })],
    ['of an ended session', refusal(401, 'unauthorized'), fail({ kind: 'signed-out' })],
    ['over the monthly quota', refusal(403, 'quota_photos'), hold('photos')],
    ['over the storage limit', refusal(403, 'quota_storage'), hold('storage')],
    ['of a file that is not an image', refusal(415, 'not_an_image'), reject('Why.')],
    ['of an image with too many pixels', refusal(413, 'too_large'), reject('Why.')],
    ['refused by a proxy', refusal(413, null), { do: 'reject', problem: { kind: 'too-large-for-proxy' } }],
    ['refused by a proxy that explains it', new ApiError(413, { detail: 'At most 10 MB.' }), reject('At most 10 MB.')],
    [
      'over the rate limit',
      refusal(429, 'rate_limited', 'Rate limit exceeded', '20'),
      retryLater(20_000, 'rate-limit'),
    ],
    ['while others of the account go up', refusal(429, 'rate_limited', 'Too many at once.', '20'), retryLater(20_000)],
    ['over the rate limit, without Retry-After', refusal(429, 'rate_limited'), retryLater(5_000)],
    ['slow to process', refusal(429, 'processing_limit', 'Busy.', '60'), { do: 'retry-slow-later', delayMs: 60_000 }],
    ['slow to process until tomorrow', refusal(429, 'processing_limit', 'No.', '36000'), fail(serverError('No.'))],
    ['whose earlier upload is in progress', refusal(409, 'conflict', 'Wait.', '2'), retryLater(2_000)],
    [
      'of a file that was changed after an earlier attempt was stored',
      new ApiError(422, { code: 'invalid', detail: [{ loc: ['header', 'Idempotency-Key'], msg: 'Why.' }] }),
      { do: 'reject', problem: { kind: 'changed-file' } },
    ],
    ['of a server that restarts', refusal(503, 'unavailable', 'Wait.', '1'), waitForServer(1_000)],
    ['of a server that a proxy cannot reach', refusal(502, null), waitForServer(5_000)],
    ['of a proxy without any server', refusal(503, null), waitForServer(5_000)],
    ['of a server that a proxy stopped waiting for', refusal(504, null), waitForServer(5_000)],
    ['of a proxy that says when to retry', new ApiError(503, null, '7'), waitForServer(7_000)],
    ['refused without a time to retry', refusal(503, 'unavailable', 'Not today.'), fail(serverError('Not today.'))],
    ['that the device can no longer read', new UnreadableFileError(), fail({ kind: 'unreadable-file' })],
    ['of a photo that was deleted since', refusal(409, 'conflict', 'Deleted.'), fail(serverError('Deleted.'))],
    ['after an internal server error', refusal(500, 'internal', null), fail(serverError(null))],
  ])('what happens after a failed upload %s', (_, error, action) => {
    expect(failureActionFor(error)).toEqual(action)
  })

  describe('the message about a problem', () => {
    test.each<[UploadProblem, string]>([
      [{ kind: 'server-error', detail: 'The server’s own words.' }, 'The server’s own words.'],
      [{ kind: 'server-error', detail: null }, 'Failed to upload photo. Please try again.'],
      [{ kind: 'no-response' }, 'No response from server. Check your connection.'],
      [{ kind: 'server-unavailable' }, 'The server is not available right now. The upload continues automatically.'],
      [{ kind: 'unreadable-file' }, 'This file can no longer be read. Please choose it again.'],
      [{ kind: 'changed-file' }, expect.stringMatching(/^This file was changed while .* Choose it again/)],
      [{ kind: 'not-image' }, expect.stringMatching(/^This file is not a photo\. Choose/)],
      [{ kind: 'too-large-for-proxy' }, expect.stringMatching(/Try a smaller file\.$/)],
      [{ kind: 'signed-out' }, 'Authentication token not found. Please log in again.'],
      [
        { kind: 'quota-exceeded', quota: 'photos', detail: 'Your plan, Free, takes 10 photos a month.' },
        'Your plan, Free, takes 10 photos a month.',
      ],
      [{ kind: 'quota-exceeded', quota: 'photos', detail: null }, 'Failed to upload photo. Please try again.'],
      [
        { kind: 'too-large', maxBytes: 100 * 1024 ** 2 },
        'This file is 126 MB. Your plan allows files up to 100 MB. Reduce its size, for example by saving it as a JPG, and try again.',
      ],
    ])('%j', (problem, sentence) => {
      expect(messageOf(problem)).toEqual(sentence)
    })
  })
})

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
    ['that is not known', null, 1000 * mb, 'queued'],
  ] as const)('on a plan %s (%i), with %i bytes, is %s', (_, maxFileBytes, size, status) => {
    const room = maxFileBytes === null ? null : { maxFileBytes, photos: 1, storageBytes: 1 }
    expect(initialUploadState(size, { room, isImage: true }).status).toBe(status)
  })
})

const requeued = (requeuedAt: number): UploadState => ({ status: 'queued', requeuedAt })
test.each<[string, UploadState[], string[], Parameters<typeof nextToUpload>[2]]>([
  ['are the three oldest', [queued, queued, queued, queued], ['0', '1', '2'], undefined],
  ['are at most three at once', [uploading(), uploaded, queued, uploading(), queued], ['2'], undefined],
  ['are none while three are running', [uploading(), uploading(), uploading(), queued], [], undefined],
  ['are queued files only', [selected, failed, rejected, overQuota, uploaded], [], undefined],
  ['end with those that were queued again', [requeued(20), requeued(10), queued, queued], ['2', '3', '1'], undefined],
  ['are the longest waiting first', [requeued(20), requeued(10)], ['1', '0'], undefined],
  ['are fewer on request', [queued, queued], ['0'], { atOnce: 1 }],
  ['are none on request', [uploading(), queued], [], { atOnce: 1 }],
  ['leave out what may be too large for the plan', [queued], [], { maxFileBytes: 99 }],
  ['have what is allowed', [queued], ['0'], { maxFileBytes: 100 }],
])('the next uploads %s', (_, states, ids, limits) => {
  const items = states.map((state, index) => item(String(index), state))
  expect(nextToUpload(items, 30, limits)).toEqual(ids)
})

test.each<[UploadGroup, UploadState, UploadedPhotoStatus['state']?]>([
  ['failed', failed],
  ['failed', rejected],
  ['failed', uploaded, 'failed'],
  ['overLimit', overQuota],
  ['underway', queued],
  ['underway', uploading()],
  ['underway', uploaded],
  ['underway', uploaded, 'processing'],
  ['underway', uploaded, 'unknown'],
  ['sentBefore', { status: 'sent-before', at: null }],
  ['done', uploaded, 'ready'],
  ['done', uploaded, 'deleted'],
])('problems come first, then what is under way, then what is done: %s', (group, state, photo) => {
  expect(groupOf({ state }, photo)).toBe(group)
  expect(uploadGroups).toEqual(['failed', 'overLimit', 'underway', 'sentBefore', 'done'])
})

test('files with different names, sizes or times have different keys', () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `IMG_${index}.JPG`)
  const file = (name: string, size = 1, lastModified = 1) => ({ name, size, lastModified }) as File
  const files = [
    ...names.map((name) => file(name)),
    ...names.map((name, index) => file(name, 1, index + 2)),
    file('IMG_0.JPG', 2),
  ]
  expect(new Set(files.map(fileKey)).size).toBe(files.length)
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
    expect(totalsOf(items)).toEqual({ bytes: 600, sentBytes: 400, progress: 400 / 600 })
  })

  test('are complete when there is nothing to send', () => {
    expect(totalsOf([item('a', rejected)]).progress).toBe(1)
  })
})

test.each<[UploadState, boolean, boolean]>([
  [queued, true, true],
  [uploading(), true, true],
  [selected, false, true],
  [failed, false, true],
  [uploaded, false, false],
  [rejected, false, false],
  [overQuota, false, false],
])('whether a file with %j is unfinished: %s, and would be lost with the page: %s', (state, unfinished, lost) => {
  const items = [item('a', state)]
  expect([hasUnfinishedUploads(items), hasUnsentFiles(items)]).toEqual([unfinished, lost])
})

describe('the remaining time', () => {
  const totals = { bytes: 1_000, sentBytes: 400, progress: 0.4 }
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

describe('the room of a plan', () => {
  const mb = 1024 ** 2
  const tooLarge: LimitProblem = { kind: 'too-large', maxBytes: 50 * mb }
  const monthFull: LimitProblem = { kind: 'quota-exceeded', quota: 'photos', detail: null }
  const storageFull: LimitProblem = { kind: 'quota-exceeded', quota: 'storage', detail: null }
  const room = (changes: Partial<PlanRoom> = {}): PlanRoom => ({
    maxFileBytes: 50 * mb,
    photos: 3,
    storageBytes: 20 * mb,
    ...changes,
  })

  test('the room of a plan is what its status leaves', () => {
    expect(planRoomOf(samplePlanStatus(7))).toEqual({ maxFileBytes: 50 * mb, photos: 3, storageBytes: 512 * mb })
    expect(planRoomOf(samplePlanStatus(12))).toMatchObject({ photos: 0 })
    expect(leastMaxFileBytes).toBe(plans.free.features.max_file_size_mb * mb)
  })

  test.each<[string, PlanRoom, LimitProblem, number, boolean]>([
    ['over the month, with photos left', room(), monthFull, mb, true],
    ['over the month, with none left', room({ photos: 0 }), monthFull, mb, false],
    ['over the storage, which it fits into', room(), storageFull, 20 * mb, true],
    ['over the storage, which it does not fit into', room(), storageFull, 20 * mb + 1, false],
    ['that was too large, on a plan that allows it', room({ maxFileBytes: 100 * mb }), tooLarge, 60 * mb, true],
    ['that is still too large', room(), tooLarge, 50 * mb + 1, false],
    ['over the month of a plan whose files are smaller now', room(), monthFull, 60 * mb, false],
  ])('whether there is room for a file %s', (_, known, problem, bytes, expected) => {
    expect(hasRoomFor(known, problem, bytes)).toBe(expected)
  })

  test.each([monthFull, storageFull])('there is no room for the file that was just refused: $quota', (problem) => {
    expect(hasRoomFor(roomAfterRefusal(room(), problem, mb), problem, mb)).toBe(false)
    expect(hasRoomFor(roomAfterRefusal(room({ storageBytes: 0 }), problem, mb), problem, mb)).toBe(false)
  })
})

test.each([
  ['IMG_4374.heic', '', 'HEIC'],
  ['a.b.jpeg', 'image/png', 'JPEG'],
  ['photo', 'image/png', 'PNG'],
  ['photo.toolong', 'image/webp', 'WEBP'],
  ['photo', '', ''],
])('the file %s of type "%s" is shown as "%s"', (name, type, shown) => {
  expect(fileTypeOf({ name, type })).toBe(shown)
})
