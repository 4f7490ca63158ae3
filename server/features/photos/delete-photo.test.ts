import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newClientAddress, startServer, type TestServer } from '../../test/harness.ts'
import { makeUser } from '../../test/test-data.ts'
import { pathOf, photoActions } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { get, uploaded, processedPhoto, storedFiles, runCleanUp } = photoActions(() => server)

describe('deleting a photo', () => {
  test('removes the photo from every read at once, and its bytes by a job', async () => {
    const user = await makeUser(server)
    const ready = await processedPhoto(user)
    const addresses = [
      ready.b2_url,
      ready.thumbnail_url,
      ready.qr_code_url,
      ready.email_qr_code_url,
      ready.qr_code_url.replace('/qr', ''),
    ].map(pathOf)
    for (const url of addresses) expect((await server.request({ method: 'GET', url })).statusCode).toBe(200)
    expect((await server.request({ method: 'DELETE', url: `/photos/${ready.id}`, token: user.token })).statusCode).toBe(
      204,
    )
    for (const url of addresses)
      expect((await server.request({ method: 'GET', url, from: newClientAddress() })).statusCode).toBe(404)
    expect((await get(user, `/photos/${ready.id}`)).statusCode).toBe(404)
    expect((await server.request({ method: 'DELETE', url: `/photos/${ready.id}`, token: user.token })).statusCode).toBe(
      404,
    )
    await server.work()
    const files = await storedFiles()
    for (const url of addresses.slice(0, 2)) expect(files).not.toContain(url.split('/')[2]!.split('?')[0])
  })

  test('while the photo is being processed leaves nothing', async () => {
    const user = await makeUser(server)
    const files = (await storedFiles()).length
    const { id } = await uploaded(user)
    const work = server.work()
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await work
    await server.work()
    await server.app.deps.pool.query("update stored_objects set created_at = now() - interval '2 hours'")
    await runCleanUp()
    expect((await get(user, `/photos/${id}`)).statusCode).toBe(404)
    expect((await storedFiles()).length).toBe(files)
  })
})
