import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { makeUserWithKey, uploadByKey } from '../../test/api-keys.ts'
import { serverForThisTest, startServer, type TestServer } from '../../test/harness.ts'
import { multipartForm, type TestUser } from '../../test/test-data.ts'
import { photoActions, photoFile } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { get, photoRowsOf } = photoActions(() => server)
/** Uploads by key; resolves with the answer to come, as soon as the photo is accepted. */
async function uploadAndWait({ user, key }: { user: TestUser; key: string }, file = photoFile) {
  const answer = uploadByKey(server, key, file, { query: '?wait=30' })
  await expect.poll(async () => (await photoRowsOf(user))[0]?.state, { interval: 10 }).toBe('queued')
  return { answer }
}

describe('an upload that waits is answered', () => {
  test('with the photo when its processing has ended', async () => {
    const { user, key } = await makeUserWithKey(server)
    const { answer } = await uploadAndWait({ user, key })
    await server.work()
    const photo = (await answer).json<Photo>()
    expect([(await answer).statusCode, photo.processing_complete]).toEqual([201, true])
    expect(photo).toEqual((await get(user, `/photos/${photo.id}`)).json())
  })

  test('with the reason when processing has failed', async () => {
    const broken = photoFile.subarray(0, Math.floor(photoFile.length * 0.6))
    const { answer } = await uploadAndWait(await makeUserWithKey(server), broken)
    await server.work()
    expect([(await answer).statusCode, (await answer).json<Photo>().processing_failed]).toEqual([201, true])
    expect((await answer).json<Photo>().error_message).toEqual(expect.any(String))
  })

  test('with 404 when the photo is deleted meanwhile', async () => {
    const { user, key } = await makeUserWithKey(server)
    const { answer } = await uploadAndWait({ user, key })
    const [{ id }] = await photoRowsOf(user)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    expect((await answer).statusCode).toBe(404)
  })

  test('as it is, when the time is over', async () => {
    const { key } = await makeUserWithKey(server)
    const [over, { timeout }] = [new AbortController(), AbortSignal]
    const timeouts = vi
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 17_000 ? over.signal : timeout.call(AbortSignal, ms)))
    onTestFinished(() => timeouts.mockRestore())
    let isAnswered = false
    const answer = uploadByKey(server, key, photoFile, { query: '?wait=17' }).finally(() => (isAnswered = true))
    await expect.poll(() => timeouts.mock.calls, { interval: 10 }).toContainEqual([17_000])
    expect(isAnswered).toBe(false)
    over.abort()
    expect([(await answer).statusCode, (await answer).json<Photo>().processing]).toEqual([201, true])
  })

  test('at once when it does not want to wait, and when a repeated upload is ready already', async () => {
    const { key } = await makeUserWithKey(server)
    const headers = { 'idempotency-key': 'file 1' }
    const first = await uploadByKey(server, key, photoFile, { headers, query: '?wait=0' })
    expect(first.json<Photo>().processing).toBe(true)
    await server.work()
    const again = await uploadByKey(server, key, photoFile, { headers, query: '?wait=30' })
    expect([again.json<Photo>().id, again.json<Photo>().processing_complete]).toEqual([first.json<Photo>().id, true])
  })

  test('as it is, when the server is about to stop: a restart does not wait for it', async () => {
    const own = await serverForThisTest()
    const { key } = await makeUserWithKey(own)
    const { body, headers } = multipartForm(photoFile)
    const answer = fetch(`${await own.listen()}/api/upload?wait=30`, {
      method: 'POST',
      headers: { ...headers, 'x-api-key': key },
      body: Uint8Array.from(body),
    })
    const isQueued = async () =>
      (await own.app.deps.pool.query("select 1 from photos where state = 'queued'")).rowCount === 1
    await expect.poll(isQueued, { interval: 10 }).toBe(true)
    const startedAt = performance.now()
    const begin = ['readiness', 'waiting answers']
    for (const { name, close } of own.app.shutdownSteps) if (begin.includes(name)) await close()
    const photo = (await (await answer).json()) as Photo // what the contract says
    expect([(await answer).status, photo.processing]).toEqual([201, true])
    // Not after the 30 seconds that the upload may wait.
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})
