import { describe, expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { createFormat } from '../../../lib/format.ts'
import { upload } from '../../../messages/en/upload.ts'
import { failureActionFor, UnreadableFileError, uploadProblemMessage, type UploadProblem } from './problems.ts'

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
  ['over the rate limit', refusal(429, 'rate_limited', 'Rate limit exceeded', '20'), retryLater(20_000, 'rate-limit')],
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
