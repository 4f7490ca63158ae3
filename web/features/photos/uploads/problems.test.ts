import { describe, expect, test } from 'vitest'
import { ApiError, NetworkFailure } from '../../../lib/answers.ts'
import { createFormat } from '../../../lib/format.ts'
import { upload } from '../../../messages/en/upload.ts'
import { uploadMessage, verdictOn, type UploadProblem } from './problems.ts'

const said = (problem: UploadProblem) =>
  uploadMessage(problem, 126 * 1024 ** 2, { text: upload.errors, format: createFormat('en') })
const refusal = (
  status: number,
  code: string | null,
  detail: string | null = 'Why.',
  retryAfter: string | null = null,
) => new ApiError(status, code === null ? null : { code, detail }, retryAfter)

describe('what a failed upload means', () => {
  test.each([
    ['no answer', new NetworkFailure('unreachable'), { do: 'stop', problem: { kind: 'no-answer' } }],
    ['a hotel’s sign-in page', new NetworkFailure('unreadable'), { do: 'stop', problem: { kind: 'no-answer' } }],
    ['a dead session', refusal(401, 'unauthorized'), { do: 'stop', problem: { kind: 'signed-out' } }],
    [
      'a full month',
      refusal(403, 'quota_photos'),
      { do: 'hold', problem: { kind: 'no-room', what: 'photos', detail: 'Why.' } },
    ],
    [
      'full storage',
      refusal(403, 'quota_storage'),
      { do: 'hold', problem: { kind: 'no-room', what: 'storage', detail: 'Why.' } },
    ],
    ['no image', refusal(415, 'not_an_image'), { do: 'refuse', problem: { kind: 'failed', detail: 'Why.' } }],
    ['too many pixels', refusal(413, 'too_large'), { do: 'refuse', problem: { kind: 'failed', detail: 'Why.' } }],
    ['a proxy that refuses the size', refusal(413, null), { do: 'refuse', problem: { kind: 'on-the-way' } }],
    ['too many uploads a minute', refusal(429, 'rate_limited', 'Slow.', '20'), { do: 'wait', ms: 20_000 }],
    ['too many, for how long is not said', refusal(429, 'rate_limited'), { do: 'wait', ms: 5_000 }],
    ['an earlier attempt still coming in', refusal(409, 'conflict', 'Wait.', '2'), { do: 'wait', ms: 2_000 }],
    ['a server that restarts', refusal(503, 'unavailable', 'Wait.', '1'), { do: 'wait', ms: 1_000 }],
    [
      'a photo deleted since',
      refusal(409, 'conflict', 'Deleted.'),
      { do: 'stop', problem: { kind: 'failed', detail: 'Deleted.' } },
    ],
    ['a broken server', refusal(500, 'internal', null), { do: 'stop', problem: { kind: 'failed', detail: null } }],
  ])('%s', (_, error, verdict) => {
    expect(verdictOn(error)).toEqual(verdict)
  })
})

describe('what is said about it', () => {
  test.each<[UploadProblem, string]>([
    [{ kind: 'failed', detail: 'The server’s own words.' }, 'The server’s own words.'],
    [{ kind: 'failed', detail: null }, 'Failed to upload photo. Please try again.'],
    [{ kind: 'no-answer' }, 'No response from server. Check your connection.'],
    [{ kind: 'signed-out' }, 'Authentication token not found. Please log in again.'],
    [
      { kind: 'no-room', what: 'photos', detail: 'Your plan, Free, takes 10 photos a month.' },
      'Your plan, Free, takes 10 photos a month.',
    ],
    [{ kind: 'no-room', what: 'photos', detail: null }, 'Failed to upload photo. Please try again.'],
    [
      { kind: 'too-large', mostBytes: 100 * 1024 ** 2 },
      'This file is 126 MB. Your plan takes files up to 100 MB. Save it smaller, as a JPG for example, and try again.',
    ],
  ])('%j', (problem, sentence) => {
    expect(said(problem)).toBe(sentence)
  })

  test.each(['not-image', 'on-the-way'] as const)('%s has a sentence with a way out', (kind) => {
    expect(said({ kind })).toMatch(/^This file is not a photo\. Choose|smaller file may pass\.$/)
  })
})
