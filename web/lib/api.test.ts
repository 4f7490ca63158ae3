import { currentUser, register, signIn } from '@keepsnap/contract/accounts.ts'
import { getPhoto, listPhotos, uploadPhoto } from '@keepsnap/contract/photos.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hangUp, refuse, startFakeServer, type FakeServer } from '../test/fakeServer.ts'
import { ApiError, NetworkFailure } from './answers.ts'
import { addressOf, createApi } from './api.ts'
import { createSession } from './session.ts'
import { openStorage } from './storage.ts'

let server: FakeServer
beforeEach(async () => {
  server = await startFakeServer()
})
afterEach(() => server.close())

function start(token?: string) {
  if (token) window.localStorage.setItem('token', token)
  const session = createSession(
    openStorage(() => window.localStorage),
    new EventTarget(),
  )
  return { session, api: createApi(server.origin, session) }
}
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('a call', () => {
  test('carries the token and brings the reply', async () => {
    const { user, token } = server.addUser({ username: 'lotte' })
    const { api } = start(token)
    expect(await api.call(currentUser, {})).toEqual(user)
  })

  test('sends a form where the contract says form, and JSON elsewhere', async () => {
    server.addUser({ email: 'a@b.example', password: 'p&=ß' })
    const { api } = start()
    const reply = await api.call(signIn, { body: { username: 'a@b.example', password: 'p&=ß' } })
    expect(reply.token_type).toBe('bearer')
    await api.call(register, { body: { email: 'new@b.example', password: 'Correct1!' } })
    expect(server.calls).toEqual(['POST /token', 'POST /register'])
  })

  test('writes parameters so that nothing in them is read as a path', () => {
    expect(addressOf(getPhoto, { params: { id: '../a b/c?d' } })).toBe('/photos/..%2Fa%20b%2Fc%3Fd')
    expect(addressOf(listPhotos, { query: { limit: 20, before: undefined } })).toBe('/photos?limit=20')
    expect(addressOf(listPhotos, {})).toBe('/photos')
  })

  test('hands over the headers when asked', async () => {
    const { token } = server.addUser()
    server.answer(listPhotos, () => ({ refuse: 200, body: [], headers: { 'x-next-before': 'abc' } }))
    const { reply, headers } = await start(token).api.send(listPhotos, { query: {} })
    expect(reply).toEqual([])
    expect(headers.get('x-next-before')).toBe('abc')
  })
})

describe('a call that fails', () => {
  test('tells the status, the code and the words of the server', async () => {
    const { token } = server.addUser()
    const busy = { refuse: 503, body: { code: 'unavailable', detail: 'Back soon.' }, headers: { 'retry-after': '7' } }
    server.answer(currentUser, () => busy)
    const error = await failureOf(start(token).api.call(currentUser, {}))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 503, code: 'unavailable', sentence: 'Back soon.', retryAfter: 7 })
  })

  test('tells the first complaint of many', async () => {
    const complaints = [
      { loc: ['body', 'email'], msg: 'Not an e-mail address' },
      { loc: ['body'], msg: 'Second' },
    ]
    server.answer(register, () => refuse(422, complaints, 'invalid'))
    const error = await failureOf(start().api.call(register, { body: { email: 'x', password: 'y' } }))
    expect(error).toMatchObject({ status: 422, sentence: 'Not an e-mail address' })
  })

  test('is a network failure when nobody answers', async () => {
    server.answer(signIn, () => hangUp)
    const error = await failureOf(start().api.call(signIn, { body: { username: 'a', password: 'b' } }))
    expect(error).toBeInstanceOf(NetworkFailure)
    expect(error).toMatchObject({ reason: 'unreachable' })
  })

  test('is a network failure when a stranger answers in our place', async () => {
    const { token } = server.addUser()
    server.answer(currentUser, () => ({ refuse: 200, text: '<h1>Hotel Wi-Fi</h1>' }))
    const error = await failureOf(start(token).api.call(currentUser, {}))
    expect(error).toMatchObject({ name: 'NetworkFailure', reason: 'unreadable' })
  })

  test('gives up after its time', async () => {
    const { token } = server.addUser()
    server.answer(currentUser, () => new Promise(() => {}))
    const error = await failureOf(start(token).api.call(currentUser, {}, { timeoutMs: 50 }))
    expect(error).toMatchObject({ reason: 'timeout' })
  })

  test('stops when its asker has lost interest', async () => {
    const { token } = server.addUser()
    const asker = new AbortController()
    server.answer(currentUser, () => {
      asker.abort(new Error('left the page'))
      return new Promise(() => {})
    })
    const error = await failureOf(start(token).api.call(currentUser, {}, { signal: asker.signal }))
    expect(error).toMatchObject({ message: 'left the page' })
  })
})

describe('an answer of 401', () => {
  test('ends the session when the call carried its token', async () => {
    const { session, api } = start('dead')
    await failureOf(api.call(currentUser, {}))
    expect(session.state()).toEqual({ token: null, ended: 'expired' })
  })

  test('to a wrong password leaves a session of another person alone', async () => {
    const { token } = server.addUser()
    const { session, api } = start(token)
    const error = await failureOf(api.call(signIn, { body: { username: 'no', password: 'no' } }))
    expect(error).toMatchObject({ status: 401 })
    expect(session.state().token).toBe(token)
  })

  test('that comes late leaves the session alone that has begun since', async () => {
    const { session, api } = start('old')
    server.answer(currentUser, () => refuse(401, 'Please sign in.'))
    const { token } = server.addUser()
    server.revoke('old')
    const late = failureOf(api.call(currentUser, {}))
    session.begin(token)
    await late
    expect(session.state().token).toBe(token)
  })

  test('to an upload ends the session as well', async () => {
    server.answer(uploadPhoto, () => refuse(500, 'never asked'))
    const { session, api } = start('dead')
    const error = await failureOf(api.upload(uploadPhoto, new File(['x'], 'a.jpg')))
    expect(error).toMatchObject({ status: 401 })
    expect(session.state().token).toBeNull()
  })
})

describe('an upload', () => {
  const photo = new File(['not much of a photo'], 'kiss_01.jpg', { type: 'image/jpeg' })

  test('posts the file under its name, with its key', async () => {
    const { token } = server.addUser()
    let got = ''
    server.answer(uploadPhoto, ({ raw }) => {
      got = raw.toString()
      return { refuse: 201, body: { id: 'p1' } }
    })
    const reply = await start(token).api.upload(uploadPhoto, photo, { idempotencyKey: 'k1' })
    expect(reply).toEqual({ id: 'p1' })
    expect(got).toContain('name="file"; filename="kiss_01.jpg"')
    expect(got).toContain('not much of a photo')
  })

  test('that is refused says why', async () => {
    const { token } = server.addUser()
    server.answer(uploadPhoto, () => refuse(415, 'This is not a picture.', 'not_an_image'))
    const error = await failureOf(start(token).api.upload(uploadPhoto, photo))
    expect(error).toMatchObject({ status: 415, code: 'not_an_image', sentence: 'This is not a picture.' })
  })

  test('without an answer is a network failure', async () => {
    const { token } = server.addUser()
    server.answer(uploadPhoto, () => hangUp)
    expect(await failureOf(start(token).api.upload(uploadPhoto, photo))).toBeInstanceOf(NetworkFailure)
  })

  test('can be stopped', async () => {
    const { token } = server.addUser()
    const person = new AbortController()
    server.answer(uploadPhoto, () => {
      person.abort(new Error('changed my mind'))
      return new Promise(() => {})
    })
    const error = await failureOf(start(token).api.upload(uploadPhoto, photo, { signal: person.signal }))
    expect(error).toMatchObject({ message: 'changed my mind' })
  })
})
