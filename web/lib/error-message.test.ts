import { expect, test } from 'vitest'
import { ApiError, NetworkError } from './api-errors.ts'
import { settings } from '../messages/en/settings.ts'
import { errorMessage, refusalMessage } from './error-message.ts'

test.each([
  [new ApiError(500, { detail: 'Storage is down.' }), 'Storage is down.'],
  [new ApiError(403, { detail: 'Your plan does not have this.' }), 'Your plan does not have this.'],
  [new ApiError(500, null), 'Failed to update email setting. Please try again.'],
  [new ApiError(401, { detail: 'Please sign in.' }), 'Failed to update email setting. Please try again.'],
  [new NetworkError('unreachable'), 'Failed to update email setting. Please try again.'],
])('the message about a failed call, %s, is: %s', (error, sentence) => {
  expect(errorMessage(error, settings.askForEmail.failed)).toBe(sentence)
})

test.each([
  [
    'the explanation of a refusal',
    new ApiError(409, { detail: 'This address is blocked.' }),
    'This address is blocked.',
  ],
  ['the fallback after a server error', new ApiError(503, { detail: 'stack' }), 'Failed.'],
  ['the fallback after a refusal without an explanation', new ApiError(404, null), 'Failed.'],
  ['the fallback without a response', new NetworkError('timeout'), 'Failed.'],
])('the message about a refused call is %s', (_, error, sentence) => {
  expect(refusalMessage(error, 'Failed.')).toBe(sentence)
})
