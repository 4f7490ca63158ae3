import { expect, test } from 'vitest'
import { errorStatus } from '../api.ts'
import { KeepsnapError, KeepsnapNetworkError } from '../errors.ts'
import { outcomeOf, type Outcome } from './outcomes.ts'
import { texts } from './texts.ts'

const url = 'https://photos.example'
const refused = (status: number, code: string | null, retryAfter: number | null = null): KeepsnapError =>
  new KeepsnapError(status, code && { code, detail: 'Why.' }, retryAfter)

test.each<[string, KeepsnapError | KeepsnapNetworkError, number, Partial<Outcome>]>([
  ['no network', new KeepsnapNetworkError('unreachable', 'Away.'), 6, { do: 'wait', reason: 'Away.' }],
  ['a rate limit', refused(429, 'rate_limited', 20), 1, { do: 'wait', seconds: 20, reason: 'Why.' }],
  ['a server that restarts', refused(503, 'unavailable', 2), 1, { do: 'wait', seconds: 2 }],
  ['a wrong key', refused(401, 'unauthorized'), 1, { do: 'stop' }],
  ['a plan without API access', refused(403, 'forbidden'), 1, { do: 'wait', seconds: 60, ends: 'noAccess' }],
  ['a full month', refused(403, 'quota_photos'), 1, { do: 'wait', seconds: 60, ends: 'failed' }],
  ['a full month, for the sixth time', refused(403, 'quota_photos'), 6, { do: 'wait', seconds: 600, ends: 'failed' }],
  ['a full storage', refused(403, 'quota_storage'), 1, { do: 'wait', ends: 'failed' }],
  ['a file that is too large', refused(413, 'too_large'), 1, { do: 'skip', isFinal: false, reason: 'Why.' }],
  ['a file that is too large for a proxy', refused(413, null), 1, { do: 'skip', isFinal: false }],
  ['a file that is no image', refused(415, 'not_an_image'), 1, { do: 'skip', isFinal: true, reason: 'Why.' }],
  [
    'another file under the same idempotency key',
    new KeepsnapError(422, { code: 'invalid', detail: [{ loc: ['header', 'Idempotency-Key'], msg: 'Why.' }] }, null),
    1,
    { do: 'skip', isFinal: false, reason: texts.otherFile },
  ],
  ['an upload in progress', refused(409, 'conflict', 2), 1, { do: 'wait', seconds: 2 }],
  ['a photo that was deleted', refused(409, 'conflict'), 1, { do: 'deleted' }],
  ['no time for slow files today', refused(429, 'processing_limit', 9000), 1, { do: 'later', seconds: 9000 }],
  ['a bug', refused(500, 'internal'), 1, { do: 'wait' }],
  ['a bug, for the fourth time', refused(500, 'internal'), 4, { do: 'later', seconds: 600 }],
  ['a form that was cut off', refused(400, 'bad_request'), 1, { do: 'wait' }],
  ['no API at this URL', refused(404, 'not_found'), 1, { do: 'wait', seconds: 60 }],
  ['another server at this URL', refused(404, null), 1, { do: 'wait', seconds: 60 }],
  ['a proxy without a server', refused(502, null), 1, { do: 'wait' }],
])('after %s', (_, error, attempt, expected) => {
  expect(outcomeOf(error, attempt, url)).toMatchObject(expected)
})

test('every code of the contract has an outcome with a reason', () => {
  for (const [code, status] of Object.entries(errorStatus)) {
    const outcome = outcomeOf(refused(status, code), 1, url)
    expect([code, outcome.do === 'deleted' ? 'none' : outcome.reason]).toEqual([code, expect.stringMatching(/\w/)])
  }
})
