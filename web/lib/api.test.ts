import { currentUser, register, signIn } from '@keepsnap/contract/accounts.ts'
import { getPhoto, listPhotos, uploadPhoto } from '@keepsnap/contract/photos.ts'
import { describe, expect, test, vi } from 'vitest'
import { noResponse, refuse, useFakeServer } from '../test/fake-server.ts'
import { ApiError, NetworkError } from './api-errors.ts'
import { createApi, endpointPath } from './api.ts'
import { createSession } from './session.ts'
import { openStorage } from './storage.ts'

const server = useFakeServer()
/** A client of the server, with the session of this token. */
function start(token?: string) {
  if (token) window.localStorage.setItem('token', token)
  const session = createSession(
    openStorage(() => window.localStorage),
    new EventTarget(),
  )
  return { session, api: createApi(server.origin, session) }
}
/** The error with which a call is rejected; null if it succeeds. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('a call', () => {
  test('sends the token and returns the reply', async () => {
    const { user, token } = server.addUser({ username: 'lotte' })
    const { api } = start(token)
    expect(await api.call(currentUser, {})).toEqual(user)
  })

  test('sends a form if the contract says so, otherwise JSON', async () => {
    server.addUser({ email: 'a@b.example', password: 'p&=ß' })
    const { api } = start()
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
    const { reply, headers } = await start(token).api.send(listPhotos, { query: {} })
    expect(reply).toEqual([])
    expect(headers.get('x-next-before')).toBe('abc')
  })
})

describe('a failed call', () => {
  test('has the status, code and explanation of the server', async () => {
    const { token } = server.addUser()
    const busy = { refuse: 503, body: { code: 'unavailable', detail: 'Back soon.' }, headers: { 'retry-after': '7' } }
    server.answer(currentUser, () => busy)
    const error = await errorOf(start(token).api.call(currentUser, {}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 503, code: 'unavailable', explanation: 'Back soon.', retryAfter: 7 })
  })

  test('is a network error without a response, or when the response is not from our server', async () => {
    const { api } = start(server.addUser().token)
    server.answer(currentUser, () => noResponse)
    expect(await errorOf(api.call(currentUser, {}))).toBeInstanceOf(NetworkError)
    server.answer(currentUser, () => ({ refuse: 200, text: '<h1>Hotel Wi-Fi</h1>' }))
    expect(await errorOf(api.call(currentUser, {}))).toMatchObject({ name: 'NetworkError', reason: 'unreadable' })
  })

  test('ends after its timeout', async () => {
    const { token } = server.addUser()
    server.answer(currentUser, () => new Promise(() => {}))
    const error = await errorOf(start(token).api.call(currentUser, {}, { timeoutMs: 50 }))
    expect(error).toMatchObject({ reason: 'timeout' })
  })

  test('ends when its signal is aborted', async () => {
    const { token } = server.addUser()
    const controller = new AbortController()
    server.answer(currentUser, () => {
      controller.abort(new Error('left the page'))
      return new Promise(() => {})
    })
    const error = await errorOf(start(token).api.call(currentUser, {}, { signal: controller.signal }))
    expect(error).toMatchObject({ message: 'left the page' })
  })
})

describe('a response with status 401', () => {
  test('ends the session whose token was sent', async () => {
    const { session, api } = start('dead')
    await errorOf(api.call(currentUser, {}))
    expect(session.state()).toEqual({ token: null, endReason: 'expired' })
  })

  test('ends the session also without JSON', async () => {
    server.answer(currentUser, () => ({ refuse: 401, text: '<h1>Please sign in</h1>' }))
    const { token } = server.addUser()
    const { session, api } = start(token)
    expect(await errorOf(api.call(currentUser, {}))).toMatchObject({ name: 'ApiError', status: 401, detail: null })
    expect(session.state()).toEqual({ token: null, endReason: 'expired' })
  })

  test('to a wrong password does not end the session of another user', async () => {
    const { token } = server.addUser()
    const { session, api } = start(token)
    const error = await errorOf(api.call(signIn, { body: { username: 'no', password: 'no' } }))
    expect(error).toMatchObject({ status: 401 })
    expect(session.state().token).toBe(token)
  })

  test('that arrives late does not end a newer session', async () => {
    const { session, api } = start('old')
    server.answer(currentUser, () => refuse(401, 'Please sign in.'))
    const { token } = server.addUser()
    server.revoke('old')
    const late = errorOf(api.call(currentUser, {}))
    session.begin(token)
    await late
    expect(session.state().token).toBe(token)
  })

  test('does not end the session when another tab has stored a new token since', async () => {
    const { session, api } = start('old')
    const { token } = server.addUser()
    window.localStorage.setItem('token', token)
    await errorOf(api.call(currentUser, {}))
    expect(session.state()).toEqual({ token, endReason: null })
  })

  test('to an upload ends the session', async () => {
    server.answer(uploadPhoto, () => refuse(500, 'not called'))
    const { session, api } = start('dead')
    const error = await errorOf(api.upload(uploadPhoto, new File(['x'], 'a.jpg')))
    expect(error).toMatchObject({ status: 401 })
    expect(session.state().token).toBeNull()
  })
})

describe('an upload', () => {
  const photo = new File(['not much of a photo'], 'kiss_01.jpg', { type: 'image/jpeg' })

  test('posts the file with its name and its key', async () => {
    let received = ''
    let sent: unknown
    server.answer(uploadPhoto, ({ raw, query }) => {
      received = raw.toString()
      sent = query
      return { refuse: 201, body: { id: 'p1' } }
    })
    const order = { selection: 's1', position: 3 }
    const reply = await start(server.addUser().token).api.upload(uploadPhoto, photo, { idempotencyKey: 'k1', order })
    expect(reply).toEqual({ id: 'p1' })
    expect(sent).toEqual({ selection: 's1', position: '3' })
    expect(received).toContain('name="file"; filename="kiss_01.jpg"')
    expect(received).toContain('not much of a photo')
  })

  test('says whether the server has answered with a photo from before', async () => {
    const { api } = start(server.addUser().token)
    const onRepeated = vi.fn<() => void>()
    for (const headers of [{}, { 'idempotent-replayed': 'true' }]) {
      server.answer(uploadPhoto, () => ({ refuse: 201, body: { id: 'p1' }, headers }))
      await api.upload(uploadPhoto, photo, { onRepeated })
      expect(onRepeated).toHaveBeenCalledTimes(Object.keys(headers).length)
    }
  })

  test('that is refused has the explanation of the server, and without a response it is a network error', async () => {
    const { api } = start(server.addUser().token)
    server.answer(uploadPhoto, () => refuse(415, 'This is not a picture.', 'not_an_image'))
    const refused = { status: 415, code: 'not_an_image', explanation: 'This is not a picture.' }
    expect(await errorOf(api.upload(uploadPhoto, photo))).toMatchObject(refused)
    server.answer(uploadPhoto, () => noResponse)
    expect(await errorOf(api.upload(uploadPhoto, photo))).toBeInstanceOf(NetworkError)
  })

  test('can be aborted', async () => {
    const controller = new AbortController()
    server.answer(uploadPhoto, () => {
      controller.abort(new Error('changed my mind'))
      return new Promise(() => {})
    })
    const { api } = start(server.addUser().token)
    const error = await errorOf(api.upload(uploadPhoto, photo, { signal: controller.signal }))
    expect(error).toMatchObject({ message: 'changed my mind' })
  })
})
