import { describe, expect, test } from 'vitest'
import { ApiError, isTransient, isUnauthorized, NetworkError, parseResponse } from './api-errors.ts'

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
