import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newStorageKey } from '../../domain/stored-objects.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { newClientAddress, startServer, type TestServer } from '../../test/harness.ts'
import { makeUser } from '../../test/test-data.ts'
import { claimAttempt } from './processing-queries.ts'
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

  test('leaves nothing when the program is killed after processing stored one more object', async () => {
    const user = await makeUser(server)
    const files = (await storedFiles()).length
    const { id } = await uploaded(user)
    const keys = { fullKey: newStorageKey('full'), thumbKey: newStorageKey('thumb') }
    await claimAttempt(server.db, id, keys)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await server.work()
    const { storage, pool } = server.app.deps
    for (const key of Object.values(keys))
      await storeStream(storage, key, { source: Readable.from([Buffer.from('bytes')]), type: 'image/jpeg' })
    await pool.query("update stored_objects set created_at = created_at - interval '6 minutes'")
    await pool.query("update photos set deleted_at = deleted_at - interval '6 minutes' where id = $1", [id])
    await runCleanUp()
    expect((await storedFiles()).length).toBe(files)
    const { rows } = await pool.query('select key from stored_objects where photo_id = $1', [id])
    expect(rows).toEqual([])
  })
})
