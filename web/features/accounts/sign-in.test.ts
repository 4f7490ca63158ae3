import { describe, expect, test } from 'vitest'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { session } from '../../messages/en/accounts.ts'
import { isRegistered, loginMessage, registerMessage } from './sign-in.ts'

const text = session.errors
const refusal = (status: number, body: unknown = null) => new ApiError(status, body)
const network = 'Network error. Please check your internet connection.'

describe('the message about a failed sign-in', () => {
  test.each([
    [new NetworkError('unreachable'), network],
    [new NetworkError('timeout'), network],
    [refusal(401, { detail: 'anything' }), 'Invalid email or password.'],
    [refusal(500, { detail: 'stack trace' }), 'Server error (500): Server error. Please try again later.'],
    [refusal(503), 'Server error (503): Server error. Please try again later.'],
    [refusal(403, { detail: 'This account is closed.' }), 'Login failed: This account is closed.'],
    [refusal(429, { message: 'Too many attempts.' }), 'Login failed: Too many attempts.'],
    [refusal(422, { detail: [{ loc: ['body'], msg: 'Field required' }] }), 'Login failed: Field required'],
    [refusal(418), 'Login failed: An unknown error occurred.'],
    [refusal(400, { detail: '' }), 'Login failed: An unknown error occurred.'],
    [refusal(400, { detail: { odd: true } }), 'Login failed: An unknown error occurred.'],
  ])('after %s is: %s', (error, sentence) => {
    expect(loginMessage(error, text)).toBe(sentence)
  })
})

describe('the message about a failed registration', () => {
  test.each([
    [new NetworkError('unreachable'), network],
    [refusal(400, { detail: 'Email already registered' }), 'This email is already registered.'],
    [refusal(400, { detail: 'This address is Already Registered.' }), 'This email is already registered.'],
    [refusal(400, { detail: 'Something else' }), 'Something else'],
    [refusal(422, { detail: [{ msg: 'Bad address' }, { msg: 'Second' }] }), 'Validation error: Bad address'],
    [refusal(422, { detail: 'Bad address' }), 'Validation error: Bad address'],
    [refusal(422), 'Validation error: Please check your input'],
    [refusal(422, { detail: [] }), 'Validation error: Please check your input'],
    [refusal(502, { detail: 'x' }), 'Server error (502): Server error. Please try again later.'],
    [refusal(429, { detail: 'Slow down.' }), 'Slow down.'],
    [refusal(409), 'Registration failed. Please try again.'],
  ])('after %s is: %s', (error, sentence) => {
    expect(registerMessage(error, text)).toBe(sentence)
  })

  test('suggests signing in only for an address that has an account', () => {
    expect(isRegistered(refusal(400, { detail: 'already registered' }))).toBe(true)
    expect(isRegistered(refusal(422, { detail: 'already registered' }))).toBe(false)
    expect(isRegistered(new NetworkError('timeout'))).toBe(false)
  })
})
