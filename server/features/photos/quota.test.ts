import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'
import { startServerProcess } from '../../test/server-process.ts'
import { repetitions, logWithSeed } from '../../test/statistics.ts'
import { grantPlan, makeUser, multipartForm, upload, uploadInHalves, type TestUser } from '../../test/test-data.ts'
import { photoFile, photoActions } from './test/photo-actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { uploaded, photoRowsOf } = photoActions(() => server)

/** Uploads a photo, and runs `between` when its place in the month is taken and its body is not complete. */
async function uploadDuring(user: TestUser, between: () => Promise<unknown>, file = photoFile) {
  const isReceiving = async () => (await photoRowsOf(user)).some(({ state }) => state === 'receiving')
  return uploadInHalves(await server.listen(), user, {
    url: '/photos/upload',
    file,
    async between() {
      await expect.poll(isReceiving).toBe(true)
      await between()
    },
  })
}

/** As if a user had uploaded so many photos in this month. */
const useUploads = (user: TestUser, uploads: number) =>
  server.app.deps.pool.query(
    "insert into usage_months values ($1, date_trunc('month', now() at time zone 'utc')::date, $2)",
    [user.id, uploads],
  )

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
    await grantPlan(server, user, 'pro_monthly')
    expect((await upload(server, user, photoFile)).statusCode).toBe(201)
  })

  test('gives its last place to one of fifty concurrent uploads', async () => {
    const rounds = repetitions(3, 50)
    for (let round = 0; round < rounds; round++) {
      const user = await makeUser(server)
      await useUploads(user, 9)
      const responses = await Promise.all(Array.from({ length: 50 }, () => upload(server, user, photoFile)))
      expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
      expect(responses.filter(({ statusCode }) => statusCode === 403)).toHaveLength(49)
      expect(await photoRowsOf(user)).toHaveLength(1)
      await server.app.deps.pool.query('delete from rate_hits')
    }
    logWithSeed(`${rounds} rounds of 50 uploads for one place`)
  })

  test('gives it to one of the uploads to two processes', async () => {
    const command = ['serve', '--no-work']
    const nodes = await Promise.all(
      [1, 2].map(() => startServerProcess(onTestFinished, { database: server.database, dir: server.dir, command })),
    )
    const user = await makeUser(server)
    await useUploads(user, 9)
    const { body, headers } = multipartForm(photoFile)
    const statuses = await Promise.all(
      nodes.flatMap(({ address }) =>
        Array.from({ length: 25 }, async () => {
          const answer = await fetch(`${address}/photos/upload`, {
            method: 'POST',
            headers: { ...headers, authorization: `Bearer ${user.token}` },
            body: new Uint8Array(body),
          })
          await answer.arrayBuffer()
          return answer.status
        }),
      ),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 49 }, () => 403)])
    expect(await photoRowsOf(user)).toHaveLength(1)
  })

  test('is that of the plan that counts when the upload begins', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_monthly')
    await useUploads(user, 10)
    // Taken with the larger plan, the place stays, although the plan ends before the photo is complete.
    expect(await uploadDuring(user, () => grantPlan(server, user, 'free'))).toMatchObject([201, {}])
    const refused = await upload(server, user, photoFile)
    expect(refused.json()).toMatchObject({ detail: expect.stringContaining('Your plan, Free,') })
    await grantPlan(server, user, 'pro_monthly')
    expect((await upload(server, user, photoFile)).statusCode).toBe(201)
  })

  test('has all its places again when the next one begins', async () => {
    const user = await makeUser(server)
    await server.app.deps.pool.query(
      "insert into usage_months values ($1, (date_trunc('month', now() at time zone 'utc') - interval '1 day')::date, 10)",
      [user.id],
    )
    expect((await upload(server, user, photoFile)).statusCode).toBe(201)
  })

  test('counts an upload in the month in which it began, also when the next one begins before its end', async () => {
    const user = await makeUser(server)
    await useUploads(user, 9)
    const lastMonth = "(date_trunc('month', now() at time zone 'utc') - interval '1 day')::date"
    const monthEnds = () =>
      server.app.deps.pool.query(
        `with moved as (update usage_months set month = date_trunc('month', ${lastMonth})::date where user_id = $1 returning month)
         update photos set counted_month = moved.month from moved where user_id = $1`,
        [user.id],
      )
    const [status] = await uploadDuring(user, monthEnds)
    expect(status).toBe(201)
    const counts = await server.app.deps.pool.query(
      "select uploads, month = date_trunc('month', now() at time zone 'utc')::date as current from usage_months where user_id = $1",
      [user.id],
    )
    expect(counts.rows).toEqual([{ uploads: 10, current: false }])
    for (let n = 0; n < 10; n++) expect((await upload(server, user, photoFile)).statusCode).toBe(201)
    expect((await upload(server, user, photoFile)).statusCode).toBe(403)
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

  test('is that of the plan that counts when the photo is complete, whichever way the plan changed', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_monthly')
    const large = await uploaded(user)
    await server.work()
    await server.app.deps.pool.query('update photos set full_bytes = $2 where id = $1', [large.id, 2 * 1024 ** 3])
    const uploadWhile = (plan: 'free' | 'pro_monthly') => uploadDuring(user, () => grantPlan(server, user, plan))
    expect(await uploadWhile('free')).toMatchObject([
      403,
      { code: 'quota_storage', detail: expect.stringContaining('Your plan, Free, includes 1 GB') },
    ])
    expect(await uploadWhile('pro_monthly')).toMatchObject([201, {}])
    expect(await photoRowsOf(user)).toHaveLength(2)
  })

  test('admits one of many uploads to two nodes that would each fit', async () => {
    const other = await startServer({}, { database: server.database })
    onTestFinished(() => other.close())
    const user = await makeUser(server)
    const large = await uploaded(user)
    await server.work()
    const [{ thumb_bytes: thumbnail }] = await photoRowsOf(user)
    const almostFull = 1024 ** 3 - thumbnail - photoFile.length - 10
    await server.app.deps.pool.query('update photos set full_bytes = $2 where id = $1', [large.id, almostFull])
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => upload(n % 2 ? server : other, user, photoFile)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(8)
  })
})

test('a file that the plan allowed when its upload began is accepted after the plan has ended', async () => {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_monthly')
  const file = Buffer.concat([photoFile, Buffer.alloc(50 * 1024 ** 2)])
  expect(await uploadDuring(user, () => grantPlan(server, user, 'free'), file)).toMatchObject([201, {}])
  const refused = await upload(server, user, file)
  expect([refused.statusCode, refused.json()]).toMatchObject([413, { detail: expect.stringContaining('50 MB') }])
})
