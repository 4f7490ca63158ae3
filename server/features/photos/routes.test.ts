import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { newStorageKey } from '../../domain/stored-objects.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser } from '../../test/test-data.ts'
import { claimAttempt, failPhoto } from './processing-queries.ts'
import { photoFile, photoActions } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { get, uploaded, processedPhoto, uploadsThisMonth, photoRowsOf, runCleanUp } = photoActions(() => server)

describe('a failed photo', () => {
  test('can be retried while its original is stored, and only then', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user, photoFile.subarray(0, Math.floor(photoFile.length * 0.6)))
    await server.work()
    const retry = () => server.request({ method: 'POST', url: `/photos/${id}/retry`, token: user.token })
    expect((await retry()).json()).toMatchObject({
      id,
      processing: true,
      processing_failed: false,
      error_message: null,
      can_retry: false,
    })
    expect(await uploadsThisMonth(user)).toBe(1)
    expect((await retry()).statusCode).toBe(409)
    await server.work()
    expect(await uploadsThisMonth(user)).toBe(0)
    await server.app.deps.pool.query("update photos set finished_at = now() - interval '8 days' where id = $1", [id])
    await runCleanUp()
    expect((await retry()).json()).toEqual({
      code: 'conflict',
      detail: 'The uploaded file has been deleted. Please upload it again.',
    })
    const ready = await processedPhoto(user)
    expect(
      (await server.request({ method: 'POST', url: `/photos/${ready.id}/retry`, token: user.token })).statusCode,
    ).toBe(409)
  })

  test('keeps a small attempt number by a retry, because earlier versions give up those over 25', async () => {
    const user = await makeUser(server)
    const { id } = await uploaded(user)
    const { pool } = server.app.deps
    await pool.query(
      "update photos set state = 'failed', attempt = 3, error_message = 'No.', retry_helps = true where id = $1",
      [id],
    )
    const answer = await server.request({ method: 'POST', url: `/photos/${id}/retry`, token: user.token })
    expect(answer.statusCode).toBe(200)
    expect(await photoRowsOf(user)).toMatchObject([{ attempt: 4 }])
  })

  // 60: earlier versions gave up every retry at once.
  test.each([25, 60])('that was given up after %i attempts gets all of them again by a retry', async (attempts) => {
    const user = await makeUser(server)
    const { id } = await uploaded(user)
    const keys = { fullKey: newStorageKey('full'), thumbKey: newStorageKey('thumb') }
    const { db, pool } = server.app.deps
    const earlier = (await claimAttempt(db, id, keys))!
    await pool.query('update photos set attempt = $2 where id = $1', [id, attempts])
    await server.work()
    expect((await get(user, `/photos/${id}`)).json()).toMatchObject({ processing_failed: true, can_retry: true })
    const [{ attempt: last }] = await photoRowsOf(user)
    expect((await server.request({ method: 'POST', url: `/photos/${id}/retry`, token: user.token })).statusCode).toBe(
      200,
    )
    const failure = { sentence: 'It failed.', retryHelps: true }
    for (const attempt of [1, last]) expect(await failPhoto(db, { ...earlier, attempt }, failure)).toBe(false)
    await server.work()
    expect((await get(user, `/photos/${id}`)).json()).toMatchObject({ processing_complete: true })
    expect(await uploadsThisMonth(user)).toBe(1)
  })
})

describe('lists', () => {
  test('are newest first, in pages, and the latest is the first of them', async () => {
    const user = await makeUser(server)
    const ids = []
    for (let n = 0; n < 5; n++) ids.unshift((await uploaded(user)).id)
    const all = await get(user, '/photos')
    expect(all.json<Photo[]>().map(({ id }) => id)).toEqual(ids)
    expect(all.headers['x-next-before']).toBeUndefined()
    const page = await get(user, '/photos?limit=2')
    expect(page.json<Photo[]>().map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(page.headers['x-next-before']).toBe(ids[1])
    const rest = await get(user, `/photos?limit=3&before=${ids[1]}`)
    expect(rest.json<Photo[]>().map(({ id }) => id)).toEqual(ids.slice(2))
    expect(rest.headers['x-next-before']).toBeUndefined()
    expect((await get(user, '/photos/latest')).json<Photo>().id).toBe(ids[0])
  })

  test.each(['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'skip=1', `before=${'x'.repeat(200)}`])(
    'refuse the invalid query %s',
    async (query) => {
      const response = await get(await makeUser(server), `/photos?${query}`)
      expect(response.statusCode).toBe(422)
    },
  )

  test('are empty for a new user, whose latest photo does not exist', async () => {
    const user = await makeUser(server)
    expect((await get(user, '/photos')).json()).toEqual([])
    const latest = await get(user, '/photos/latest')
    expect(latest.statusCode).toBe(404)
    expect(latest.json().detail).toBe('No photos found. Upload your first photo!')
  })
})

describe('another user', () => {
  test.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/retry'],
  ] as const)(
    '%s /photos/{id}%s is answered as if the photo did not exist, and changes nothing',
    async (method, suffix) => {
      const [owner, other] = [await makeUser(server), await makeUser(server)]
      const { id } = await processedPhoto(owner)
      const before = await photoRowsOf(owner)
      const ask = (photo: string) => {
        const body = method === 'PUT' ? { hidden: true } : undefined
        return server.request({ method, url: `/photos/${photo}${suffix}`, token: other.token, body })
      }
      const [foreign, unknown] = [await ask(id), await ask('0'.repeat(22))]
      expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body])
      expect(unknown.statusCode).toBe(404)
      expect(await photoRowsOf(owner)).toEqual(before)
      expect((await get(other, '/photos')).body).not.toContain(id)
      expect((await get(other, `/photos?before=${id}`)).json()).toEqual([])
    },
  )
})
