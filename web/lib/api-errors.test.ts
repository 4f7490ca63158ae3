import { describe, expect, test } from 'vitest'
import { settings } from '../messages/en/settings.ts'
import {
  ApiError,
  errorMessage,
  isTransient,
  isUnauthorized,
  NetworkError,
  parseResponse,
  refusalMessage,
} from './api-errors.ts'

describe('api errors', () => {
  describe('an error response', () => {
    test('is explained by its detail, by its message or by the first of its field errors', () => {
      const fieldErrors = [
        { loc: ['body', 'email'], msg: 'First' },
        { loc: ['body'], msg: 'Second' },
      ]
      expect(new ApiError(400, { code: 'bad_request', detail: 'Why.' }).explanation).toBe('Why.')
      expect(new ApiError(400, { message: 'Why.' }).explanation).toBe('Why.')
      expect(new ApiError(422, { detail: fieldErrors }).explanation).toBe('First')
    })

    test('of a rate limit is explained by how long to wait', () => {
      const refusal = (retryAfter: string | null) =>
        new ApiError(429, { code: 'rate_limited', detail: 'Rate limit exceeded' }, retryAfter).explanation
      expect(refusal('12')).toBe('Too many requests. Please wait 12 seconds and try again.')
      expect(refusal('1')).toBe('Too many requests. Please wait 1 second and try again.')
      expect(refusal(null)).toBe('Too many requests. Please wait 60 seconds and try again.')
    })

    test.each([null, 'text', {}, { detail: '' }, { detail: [] }, { detail: [{}] }, { detail: 7 }])(
      'has no explanation in %j',
      (body) => {
        expect(new ApiError(500, body).explanation).toBeNull()
      },
    )

    test('has the seconds of Retry-After, unless it is a date', () => {
      expect(new ApiError(503, null, '7').retryAfter).toBe(7)
      expect(new ApiError(503, null, 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfter).toBeNull()
      expect(new ApiError(503, null).retryAfter).toBeNull()
    })
  })

  describe('the body of a response', () => {
    test('is parsed, and may be empty', () => {
      expect(parseResponse(200, '{"a":1}', null)).toEqual({ a: 1 })
      expect(parseResponse(204, '', null)).toBeUndefined()
    })

    test('that is not JSON is a network error after a success, otherwise a refusal', () => {
      expect(() => parseResponse(200, '<h1>', null)).toThrow(NetworkError)
      expect(() => parseResponse(401, '<h1>', null)).toThrow(ApiError)
      expect(() => parseResponse(404, '', null)).toThrow(ApiError)
      expect(() => parseResponse(404, '404 page not found', null)).toThrow(NetworkError)
      expect(() => parseResponse(413, '<h1>', null)).toThrow(ApiError)
      expect(() => parseResponse(502, '<h1>', null)).toThrow(ApiError)
      expect(() => parseResponse(404, '{"detail":"Gone."}', null)).toThrow('Gone.')
    })
  })

  test('only failures of the network and of the server are transient', () => {
    const errors = [new NetworkError('timeout'), new ApiError(503, null), new ApiError(404, null), new Error('other')]
    expect(errors.map(isTransient)).toEqual([true, true, false, false])
    expect([new ApiError(401, null), new ApiError(403, null)].map(isUnauthorized)).toEqual([true, false])
  })
})

describe('error message', () => {
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
})
