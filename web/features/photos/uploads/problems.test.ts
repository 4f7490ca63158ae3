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

describe('the action after a failed upload', () => {
  test.each([
    [
      'of a server that cannot be reached',
      new NetworkError('unreachable'),
      { do: 'fail', problem: { kind: 'no-response' } },
    ],
    [
      'answered by the sign-in page of a hotel network',
      new NetworkError('unreadable'),
      { do: 'fail', problem: { kind: 'no-response' } },
    ],
    ['of an ended session', refusal(401, 'unauthorized'), { do: 'fail', problem: { kind: 'signed-out' } }],
    [
      'over the monthly quota',
      refusal(403, 'quota_photos'),
      { do: 'hold', problem: { kind: 'quota-exceeded', quota: 'photos', detail: 'Why.' } },
    ],
    [
      'over the storage limit',
      refusal(403, 'quota_storage'),
      { do: 'hold', problem: { kind: 'quota-exceeded', quota: 'storage', detail: 'Why.' } },
    ],
    [
      'of a file that is not an image',
      refusal(415, 'not_an_image'),
      { do: 'reject', problem: { kind: 'server-error', detail: 'Why.' } },
    ],
    [
      'of an image with too many pixels',
      refusal(413, 'too_large'),
      { do: 'reject', problem: { kind: 'server-error', detail: 'Why.' } },
    ],
    ['refused by a proxy for its size', refusal(413, null), { do: 'reject', problem: { kind: 'too-large-for-proxy' } }],
    [
      'refused by a proxy for its size, with an explanation',
      new ApiError(413, { detail: 'At most 10 MB.' }),
      { do: 'reject', problem: { kind: 'server-error', detail: 'At most 10 MB.' } },
    ],
    ['over the rate limit', refusal(429, 'rate_limited', 'Slow.', '20'), { do: 'retry-later', delayMs: 20_000 }],
    [
      'slow to process, while others are waiting',
      refusal(429, 'processing_limit', 'Busy.', '60'),
      { do: 'retry-slow-later', delayMs: 60_000 },
    ],
    [
      'slow to process, when the time of the day is used up',
      refusal(429, 'processing_limit', 'Tomorrow.', '36000'),
      { do: 'fail', problem: { kind: 'server-error', detail: 'Tomorrow.' } },
    ],
    ['over the rate limit, without Retry-After', refusal(429, 'rate_limited'), { do: 'retry-later', delayMs: 5_000 }],
    [
      'of a file whose earlier upload is in progress',
      refusal(409, 'conflict', 'Wait.', '2'),
      { do: 'retry-later', delayMs: 2_000 },
    ],
    ['of a server that restarts', refusal(503, 'unavailable', 'Wait.', '1'), { do: 'wait-for-server', delayMs: 1_000 }],
    ['of a server that a proxy cannot reach', refusal(502, null), { do: 'wait-for-server', delayMs: 5_000 }],
    ['of a proxy without any server', refusal(503, null), { do: 'wait-for-server', delayMs: 5_000 }],
    ['of a server that a proxy stopped waiting for', refusal(504, null), { do: 'wait-for-server', delayMs: 5_000 }],
    ['of a proxy that says when to retry', new ApiError(503, null, '7'), { do: 'wait-for-server', delayMs: 7_000 }],
    [
      'that the server refuses without saying when to retry',
      refusal(503, 'unavailable', 'Not today.'),
      { do: 'fail', problem: { kind: 'server-error', detail: 'Not today.' } },
    ],
    [
      'of a file that the device can no longer read',
      new UnreadableFileError(),
      { do: 'fail', problem: { kind: 'unreadable-file' } },
    ],
    [
      'of a photo that was deleted since',
      refusal(409, 'conflict', 'Deleted.'),
      { do: 'fail', problem: { kind: 'server-error', detail: 'Deleted.' } },
    ],
    [
      'after an internal server error',
      refusal(500, 'internal', null),
      { do: 'fail', problem: { kind: 'server-error', detail: null } },
    ],
  ])('%s', (_, error, action) => {
    expect(failureActionFor(error)).toEqual(action)
  })
})

describe('the message about a problem', () => {
  test.each<[UploadProblem, string]>([
    [{ kind: 'server-error', detail: 'The server’s own words.' }, 'The server’s own words.'],
    [{ kind: 'server-error', detail: null }, 'Failed to upload photo. Please try again.'],
    [{ kind: 'no-response' }, 'No response from server. Check your connection.'],
    [{ kind: 'server-unavailable' }, 'The server is not available right now. The upload continues automatically.'],
    [{ kind: 'unreadable-file' }, 'This file can no longer be read. Please choose it again.'],
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
    expect(messageOf(problem)).toBe(sentence)
  })

  test.each(['not-image', 'too-large-for-proxy'] as const)('says what to do after %s', (kind) => {
    expect(messageOf({ kind })).toMatch(/^This file is not a photo\. Choose|Try a smaller file\.$/)
  })
})
