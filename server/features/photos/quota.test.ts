import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeAccount } from '../accounts/operator-changes.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload } from '../../test/test-data.ts'
import { photoFile, photoActions } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { uploaded, photoRowsOf } = photoActions(() => server)

describe('the quota of a month', () => {
  test('has ten places on the free plan; deleting a photo returns none', async () => {
    const user = await makeUser(server)
    const first = await uploaded(user)
    for (let n = 1; n < 10; n++) expect((await upload(server, user, photoFile)).statusCode).toBe(201)
    await server.request({ method: 'DELETE', url: `/photos/${first.id}`, token: user.token })
    const refused = await upload(server, user, photoFile)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({
      code: 'quota_photos',
      detail: expect.stringContaining('Your plan, Free, includes 10 photos a month'),
    })
    await changeAccount(server.db, user.email, { granted_plan: 'pro_monthly', granted_until: null })
    expect((await upload(server, user, photoFile)).statusCode).toBe(201)
  })

  test('gives its last place to one of fifty concurrent uploads', async () => {
    const user = await makeUser(server)
    await server.app.deps.pool.query(
      "insert into usage_months values ($1, date_trunc('month', now() at time zone 'utc')::date, 9)",
      [user.id],
    )
    const responses = await Promise.all(Array.from({ length: 50 }, () => upload(server, user, photoFile)))
    expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(responses.filter(({ statusCode }) => statusCode === 403)).toHaveLength(49)
  })

  test('has all its places again when the next one begins', async () => {
    const user = await makeUser(server)
    await server.app.deps.pool.query(
      "insert into usage_months values ($1, (date_trunc('month', now() at time zone 'utc') - interval '1 day')::date, 10)",
      [user.id],
    )
    expect((await upload(server, user, photoFile)).statusCode).toBe(201)
  })
})

describe('the quota of storage', () => {
  test('that is full refuses the next photo, and deleting a photo frees it', async () => {
    const user = await makeUser(server)
    const large = await uploaded(user)
    await server.work()
    await server.app.deps.pool.query('update photos set full_bytes = $2 where id = $1', [large.id, 1024 ** 3 - 10])
    const refused = await upload(server, user, photoFile)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({
      code: 'quota_storage',
      detail: expect.stringContaining('includes 1 GB of storage'),
    })
    expect(await photoRowsOf(user)).toHaveLength(1)
    await server.request({ method: 'DELETE', url: `/photos/${large.id}`, token: user.token })
    expect((await upload(server, user, photoFile)).statusCode).toBe(201)
  })
})
