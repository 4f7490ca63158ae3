import { uploadPhoto } from '@keepsnap/contract/photos.ts'
import { describe, expect, test } from 'vitest'
import { errorOf, useApiServer } from '../test/api-server.ts'
import { noResponse, refuse } from '../test/fake-server.ts'
import { NetworkError } from './api-errors.ts'

const server = useApiServer()

describe('an upload', () => {
  const photo = new File(['not much of a photo'], 'kiss_01.jpg', { type: 'image/jpeg' })

  test('posts the file with its name and its key', async () => {
    const { token } = server.addUser()
    let received = ''
    let sent: unknown
    server.answer(uploadPhoto, ({ raw, query }) => {
      received = raw.toString()
      sent = query
      return { refuse: 201, body: { id: 'p1' } }
    })
    const reply = await server
      .start(token)
      .api.upload(uploadPhoto, photo, { idempotencyKey: 'k1', order: { selection: 's1', position: 3 } })
    expect(reply).toEqual({ id: 'p1' })
    expect(sent).toEqual({ selection: 's1', position: '3' })
    expect(received).toContain('name="file"; filename="kiss_01.jpg"')
    expect(received).toContain('not much of a photo')
  })

  test('that is refused has the explanation of the server', async () => {
    const { token } = server.addUser()
    server.answer(uploadPhoto, () => refuse(415, 'This is not a picture.', 'not_an_image'))
    const error = await errorOf(server.start(token).api.upload(uploadPhoto, photo))
    expect(error).toMatchObject({ status: 415, code: 'not_an_image', explanation: 'This is not a picture.' })
  })

  test('without a response is a network error', async () => {
    const { token } = server.addUser()
    server.answer(uploadPhoto, () => noResponse)
    expect(await errorOf(server.start(token).api.upload(uploadPhoto, photo))).toBeInstanceOf(NetworkError)
  })

  test('can be aborted', async () => {
    const { token } = server.addUser()
    const controller = new AbortController()
    server.answer(uploadPhoto, () => {
      controller.abort(new Error('changed my mind'))
      return new Promise(() => {})
    })
    const error = await errorOf(server.start(token).api.upload(uploadPhoto, photo, { signal: controller.signal }))
    expect(error).toMatchObject({ message: 'changed my mind' })
  })
})
