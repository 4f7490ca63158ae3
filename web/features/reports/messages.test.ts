import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { reports } from '../../messages/en/reports.ts'
import { sampleReport } from '../../test/sample-requests.ts'
import { actionsOf, errorMessage, statusOf } from './messages.ts'

test.each([
  [{ open: true, hidden: false }, 'open', ['hide', 'keep']],
  [{ open: false, hidden: true }, 'hide', ['show']],
  [{ open: true, hidden: true }, 'hide', ['show']],
  [{ open: false, hidden: false }, 'keep', ['hide']],
])('a reported photo with %o has the status %s and the actions %o', (fields, status, actions) => {
  const report = sampleReport(1, fields)
  expect([statusOf(report), actionsOf(report)]).toEqual([status, actions])
})

test.each([
  ['the sentence of a refusal', new ApiError(404, { detail: 'This photo is gone.' }), 'This photo is gone.'],
  ['the fallback after a server error', new ApiError(503, { detail: 'x' }), reports.errors.decide],
  ['the fallback without an answer', new NetworkError('timeout'), reports.errors.decide],
])('the error message is %s', (_, error, sentence) => {
  expect(errorMessage(error, reports.errors.decide)).toBe(sentence)
})
