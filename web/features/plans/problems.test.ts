import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { subscription } from '../../messages/en/subscription.ts'
import { subscriptionErrorMessage } from './problems.ts'

const { cancel, status } = subscription.errors

test.each([
  ['no token', new ApiError(401, null), null, status, 'Authentication token not found'],
  ['an ended session', new ApiError(401, null), 'token', status, 'Session expired. Please log in again.'],
  ['a failing server', new ApiError(500, null), 'token', status, 'Failed to fetch subscription status'],
  ['no connection', new NetworkError('unreachable'), 'token', status, 'Failed to fetch subscription status'],
  [
    'a refusal to cancel',
    new ApiError(409, { detail: 'No.' }),
    'token',
    cancel,
    'Failed to cancel subscription. Please try again.',
  ],
])('after %s', (_, error, token, fallback, sentence) => {
  expect(subscriptionErrorMessage({ error, token }, fallback, subscription.errors)).toBe(sentence)
})
