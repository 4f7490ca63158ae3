import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { grantPlan, makeUser, upload, type TestUser } from '../../test/test-data.ts'
import { photoActions, photoFile } from './test/photo-actions.ts'
import { reachedPercent } from './usage-warnings.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const { uploaded } = photoActions(() => server)
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)
const useUploads = (user: TestUser, uploads: number) =>
  query(
    `insert into usage_months values ($1, date_trunc('month', now() at time zone 'utc')::date, $2)
     on conflict (user_id, month) do update set uploads = excluded.uploads`,
    [user.id, uploads],
  )
/** The subjects of the emails that a user got about usage, oldest first. */
async function emailsOf({ id }: TestUser): Promise<[subject: string, percent: number][]> {
  const { rows } = await query(
    "select payload->>'subject' as subject, (payload->>'percent')::int as percent from emails where user_id = $1 and kind = 'usage' order by created_at",
    [id],
  )
  return rows.map(({ subject, percent }) => [subject, percent])
}
/** Makes a photo of a user so large that so many percent of a gigabyte are used. */
async function useStorage(user: TestUser, photoId: string, percent: number): Promise<void> {
  await query(
    `update photos set full_key = coalesce(full_key, 'full/' || id), thumb_bytes = 0, full_bytes = $3
     where id = $1 and user_id = $2`,
    [photoId, user.id, Math.round((1024 ** 3 * percent) / 100)],
  )
}

test('thresholds are reached exactly', () => {
  expect([0, 7, 8, 9, 10, 11].map((used) => reachedPercent(used, 10))).toEqual([0, 0, 80, 80, 100, 100])
})

describe('the email about the photos of a month', () => {
  test('is sent once at 80 % and once at 100 %, and names what is used', async () => {
    const user = await makeUser(server)
    for (let n = 0; n < 10; n++) await uploaded(user)
    expect(await emailsOf(user)).toEqual([
      ['photos', 80],
      ['photos', 100],
    ])
    await upload(server, user, photoFile)
    expect(await emailsOf(user)).toHaveLength(2)
    await server.work()
    const emails = await emailsTo(server, user.email)
    expect(new Set(emails.map(({ subject }) => subject))).toEqual(
      new Set(['You’ve used 8 of your 10 photos this month', 'You’ve used all 10 photos of this month']),
    )
    expect(emails[0]?.text).toContain('http://photos.test/pricing')
  })

  test('is one, the higher one, when a single upload reaches both', async () => {
    const user = await makeUser(server)
    await useUploads(user, 9)
    await uploaded(user)
    expect(await emailsOf(user)).toEqual([['photos', 100]])
  })

  test('is sent again in the next month, and for a larger plan', async () => {
    const user = await makeUser(server)
    await useUploads(user, 7)
    await uploaded(user)
    await query("update usage_warnings set month = (month - interval '1 month')::date where user_id = $1", [user.id])
    await uploaded(user)
    expect(await emailsOf(user)).toEqual([
      ['photos', 80],
      ['photos', 80],
    ])
    await grantPlan(server, user, 'pro_monthly')
    await uploaded(user)
    expect(await emailsOf(user)).toHaveLength(2)
    await useUploads(user, 79)
    await uploaded(user)
    expect(await emailsOf(user)).toHaveLength(3)
  })

  test('counts no upload that is still in progress', async () => {
    const user = await makeUser(server)
    await useUploads(user, 8)
    await query(
      `insert into photos (id, user_id, code, filename, state, counted_month, expires_at)
       select 'receiving' || n || $1, $1, 'code' || n || $1, '', 'receiving', date_trunc('month', now() at time zone 'utc')::date, now() + interval '1 hour'
       from generate_series(1, 3) as n`,
      [user.id],
    )
    await uploaded(user)
    expect(await emailsOf(user)).toEqual([])
    await uploaded(user)
    expect(await emailsOf(user)).toEqual([])
  })

  test('is queued once when uploads to two nodes reach the threshold together', async () => {
    const other = await startServer({}, { database: server.database })
    onTestFinished(() => other.close())
    const user = await makeUser(server)
    await useUploads(user, 4)
    const uploads = Array.from({ length: 6 }, (_, n) => upload(n % 2 ? server : other, user, photoFile))
    for (const { statusCode } of await Promise.all(uploads)) expect(statusCode).toBe(201)
    // The two nodes may queue them in either order.
    expect((await emailsOf(user)).toSorted(([, one], [, other]) => one - other)).toEqual([
      ['photos', 80],
      ['photos', 100],
    ])
  })

  test('is not sent to an account that was deactivated meanwhile', async () => {
    const user = await makeUser(server)
    await useUploads(user, 9)
    await uploaded(user)
    await query('update users set is_active = false where id = $1', [user.id])
    await server.work()
    expect(await emailsTo(server, user.email)).toEqual([])
  })
})

describe('the email about storage', () => {
  test('is sent once for each time that a threshold is crossed', async () => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'free')
    const [large, small] = [await uploaded(user), await uploaded(user)]
    await server.work()
    await useStorage(user, large.id, 79.999)
    await uploaded(user)
    await uploaded(user)
    expect(await emailsOf(user)).toEqual([['storage', 80]])
    // Still above after this deletion, then below.
    await server.request({ method: 'DELETE', url: `/photos/${small.id}`, token: user.token })
    await uploaded(user)
    expect(await emailsOf(user)).toHaveLength(1)
    await useStorage(user, large.id, 60)
    const { id } = await uploaded(user)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await useStorage(user, large.id, 85)
    await uploaded(user)
    expect(await emailsOf(user)).toEqual([
      ['storage', 80],
      ['storage', 80],
    ])
  })

  test('says that the storage is full when a photo no longer fits, once', async () => {
    const user = await makeUser(server)
    const large = await uploaded(user)
    await server.work()
    await useStorage(user, large.id, 99.9999)
    for (let n = 0; n < 3; n++) expect((await upload(server, user, photoFile)).statusCode).toBe(403)
    expect(await emailsOf(user)).toEqual([['storage', 100]])
    await server.work()
    expect((await emailsTo(server, user.email)).map(({ subject }) => subject)).toEqual([
      'Your storage of 1\u{a0}GB is full',
    ])
  })
})
