import { expect, test } from 'vitest'
import { KeepsnapError, KeepsnapNetworkError } from './errors.ts'
import { parseRetryAfter, retryDelay, wait } from './retry.ts'

const now = Date.parse('2026-11-23T12:00:00Z')

test.each<[string | null, number | null]>([
  ['20', 20],
  [' 0 ', 0],
  ['Mon, 23 Nov 2026 12:00:30 GMT', 30],
  ['Mon, 23 Nov 2026 11:00:00 GMT', 0],
  [null, null],
  ['', null],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['9999999999', null],
])('Retry-After %j is %j seconds', (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds)
})

const refused = (status: number, code: string | null, retryAfter: number | null = null): KeepsnapError =>
  new KeepsnapError(status, code && { code, detail: 'Why.' }, retryAfter)

test.each<[string, unknown, number | null]>([
  ['no connection', new KeepsnapNetworkError('unreachable', 'x'), 4],
  ['a rate limit that says how long', refused(429, 'rate_limited', 17), 17],
  ['an upload that is in progress', refused(409, 'conflict', 2), 2],
  ['a bug', refused(500, 'internal'), 4],
  ['a proxy without a server', refused(502, null), 4],
  ['a wrong key', refused(401, 'unauthorized'), null],
  ['a full plan', refused(403, 'quota_photos'), null],
  ['a file that is too large', refused(413, 'too_large'), null],
  ['an upload whose photo was deleted', refused(409, 'conflict'), null],
  ['a bug of the caller', new TypeError('x'), null],
])('after %s, the third attempt is followed by a wait of %j', (_, error, seconds) => {
  expect(retryDelay(error, 3, () => 0)).toBe(seconds)
})

test('the delay doubles up to half a minute, with up to a quarter more', () => {
  const error = new KeepsnapNetworkError('unreachable', 'x')
  expect([1, 2, 3, 4, 5, 6, 60].map((attempt) => retryDelay(error, attempt, () => 0))).toEqual([1, 2, 4, 8, 16, 30, 30])
  expect(retryDelay(error, 6, () => 1)).toBe(37.5)
})

test('a wait that is longer than a timer can be does not end at once', async () => {
  await expect(wait(999_999_999, AbortSignal.timeout(20))).rejects.toThrow('timeout')
})
