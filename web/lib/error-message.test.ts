import { expect, test } from 'vitest'
import { ApiError, NetworkError } from './api-errors.ts'
import { settings } from '../messages/en/settings.ts'
import { errorMessage } from './error-message.ts'

test.each([
  [new ApiError(500, { detail: 'Storage is away.' }), 'Storage is away.'],
  [new ApiError(403, { detail: 'Your plan does not have this.' }), 'Your plan does not have this.'],
  [new ApiError(500, null), 'Failed to update email setting. Please try again.'],
  [new ApiError(401, { detail: 'Please sign in.' }), 'Failed to update email setting. Please try again.'],
  [new NetworkError('unreachable'), 'Failed to update email setting. Please try again.'],
])('a setting that could not be saved says for %s: %s', (error, sentence) => {
  expect(errorMessage(error, settings.askForEmail.failed)).toBe(sentence)
})
