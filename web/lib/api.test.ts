import { currentUser, register, signIn } from '@keepsnap/contract/accounts.ts'
import { getPhoto, listPhotos, uploadPhoto } from '@keepsnap/contract/photos.ts'
import { describe, expect, test } from 'vitest'
import { errorOf, useApiServer } from '../test/api-server.ts'
import { noResponse, refuse } from '../test/fake-server.ts'
import { ApiError, NetworkError } from './api-errors.ts'
import { endpointPath } from './api.ts'

const server = useApiServer()

describe('a call', () => {
  test('sends the token and returns the reply', async () => {
    const { user, token } = server.addUser({ username: 'lotte' })
    const { api } = server.start(token)
    expect(await api.call(currentUser, {})).toEqual(user)
  })

  test('sends a form if the contract says so, otherwise JSON', async () => {
    server.addUser({ email: 'a@b.example', password: 'p&=ß' })
    const { api } = server.start()
    const reply = await api.call(signIn, { body: { username: 'a@b.example', password: 'p&=ß' } })
    expect(reply.token_type).toBe('bearer')
    await api.call(register, { body: { email: 'new@b.example', password: 'Correct1!' } })
    expect(server.calls).toEqual(['POST /token', 'POST /register'])
  })

  test('escapes parameters of the path and the query', () => {
    expect(endpointPath(getPhoto, { params: { id: '../a b/c?d' } })).toBe('/photos/..%2Fa%20b%2Fc%3Fd')
    expect(endpointPath(listPhotos, { query: { limit: 20, before: undefined } })).toBe('/photos?limit=20')
    expect(endpointPath(listPhotos, {})).toBe('/photos')
  })

  test('returns the headers of the response', async () => {
    const { token } = server.addUser()
    server.answer(listPhotos, () => ({ refuse: 200, body: [], headers: { 'x-next-before': 'abc' } }))
    const { reply, headers } = await server.start(token).api.send(listPhotos, { query: {} })
    expect(reply).toEqual([])
    expect(headers.get('x-next-before')).toBe('abc')
  })
})

describe('a failed call', () => {
  test('has the status, code and explanation of the server', async () => {
    const { token } = server.addUser()
    const busy = { refuse: 503, body: { code: 'unavailable', detail: 'Back soon.' }, headers: { 'retry-after': '7' } }
    server.answer(currentUser, () => busy)
    const error = await errorOf(server.start(token).api.call(currentUser, {}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 503, code: 'unavailable', explanation: 'Back soon.', retryAfter: 7 })
  })

  test('has the first of several field errors as its explanation', async () => {
    const complaints = [
      { loc: ['body', 'email'], msg: 'Not an email address' },
      { loc: ['body'], msg: 'Second' },
    ]
    server.answer(register, () => refuse(422, complaints, 'invalid'))
    const error = await errorOf(server.start().api.call(register, { body: { email: 'x', password: 'y' } }))
    expect(error).toMatchObject({ status: 422, explanation: 'Not an email address' })
  })

  test('is a network error without a response', async () => {
    server.answer(signIn, () => noResponse)
    const error = await errorOf(server.start().api.call(signIn, { body: { username: 'a', password: 'b' } }))
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ reason: 'unreachable' })
  })

  test('is a network error when the response is not from our server', async () => {
    const { token } = server.addUser()
    server.answer(currentUser, () => ({ refuse: 200, text: '<h1>Hotel Wi-Fi</h1>' }))
    const error = await errorOf(server.start(token).api.call(currentUser, {}))
    expect(error).toMatchObject({ name: 'NetworkError', reason: 'unreadable' })
  })

  test('ends after its timeout', async () => {
    const { token } = server.addUser()
    server.answer(currentUser, () => new Promise(() => {}))
    const error = await errorOf(server.start(token).api.call(currentUser, {}, { timeoutMs: 50 }))
    expect(error).toMatchObject({ reason: 'timeout' })
  })

  test('ends when its signal is aborted', async () => {
    const { token } = server.addUser()
    const controller = new AbortController()
    server.answer(currentUser, () => {
      controller.abort(new Error('left the page'))
      return new Promise(() => {})
    })
    const error = await errorOf(server.start(token).api.call(currentUser, {}, { signal: controller.signal }))
    expect(error).toMatchObject({ message: 'left the page' })
  })
})

describe('a response with status 401', () => {
  test('ends the session whose token was sent', async () => {
    const { session, api } = server.start('dead')
    await errorOf(api.call(currentUser, {}))
    expect(session.state()).toEqual({ token: null, endReason: 'expired' })
  })

  test('ends the session also without JSON', async () => {
    server.answer(currentUser, () => ({ refuse: 401, text: '<h1>Please sign in</h1>' }))
    const { token } = server.addUser()
    const { session, api } = server.start(token)
    expect(await errorOf(api.call(currentUser, {}))).toMatchObject({ name: 'ApiError', status: 401, detail: null })
    expect(session.state()).toEqual({ token: null, endReason: 'expired' })
  })

  test('to a wrong password does not end the session of another user', async () => {
    const { token } = server.addUser()
    const { session, api } = server.start(token)
    const error = await errorOf(api.call(signIn, { body: { username: 'no', password: 'no' } }))
    expect(error).toMatchObject({ status: 401 })
    expect(session.state().token).toBe(token)
  })

  test('that arrives late does not end a newer session', async () => {
    const { session, api } = server.start('old')
    server.answer(currentUser, () => refuse(401, 'Please sign in.'))
    const { token } = server.addUser()
    server.revoke('old')
    const late = errorOf(api.call(currentUser, {}))
    session.begin(token)
    await late
    expect(session.state().token).toBe(token)
  })

  test('does not end the session when another tab has stored a new token since', async () => {
    const { session, api } = server.start('old')
    const { token } = server.addUser()
    window.localStorage.setItem('token', token)
    await errorOf(api.call(currentUser, {}))
    expect(session.state()).toEqual({ token, endReason: null })
  })

  test('to an upload ends the session', async () => {
    server.answer(uploadPhoto, () => refuse(500, 'not called'))
    const { session, api } = server.start('dead')
    const error = await errorOf(api.upload(uploadPhoto, new File(['x'], 'a.jpg')))
    expect(error).toMatchObject({ status: 401 })
    expect(session.state().token).toBeNull()
  })
})
