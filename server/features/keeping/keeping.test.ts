import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removalDependencies } from '../../setup/removal-dependencies.ts'
import type { Cleanup } from '../../test/child-processes.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { startMailServer, type MailServer } from '../../test/smtp-server.ts'
import { grantPlan, type TestUser } from '../../test/test-data.ts'
import { gigabyte, keepingActions } from './test/keeping-actions.ts'

let server: TestServer
let mailServer: MailServer
const stops: Parameters<Cleanup>[0][] = []
beforeAll(async () => {
  mailServer = await startMailServer((stop) => stops.push(stop))
  server = await startServer({ SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: 'keepsnap@example.com' })
})
afterAll(async () => {
  await server.close()
  for (const stop of stops) await stop()
})

const { query, runRemovalJob, userWithPhotos, endPlan, passDays, idsOf, statusOf, restore, acceptedDays } =
  keepingActions(() => server)
beforeEach(async () => {
  mailServer.rules.recipient = undefined
  await query('delete from users')
  await query('update removal_guard set stopped_at = null, stopped_because = null, checked_at = null')
  await server.work()
})

/** The emails to a user, oldest first. */
const emailsOf = async ({ email }: TestUser) =>
  Promise.all(mailServer.received.filter(({ to }) => to.includes(email)).map(({ bytes }) => PostalMime.parse(bytes)))
const subjectsOf = async (user: TestUser) => (await emailsOf(user)).map(({ subject }) => subject ?? '')

describe('photos over the storage after a larger plan has ended', () => {
  test('are announced on days 0, 20 and 27 and removed on day 30, the oldest first, until the others fit', async () => {
    const { user, ids } = await userWithPhotos(4, 0.6)
    const end = Date.now()
    await endPlan(user)
    expect(await acceptedDays(user)).toEqual([0])
    const { removal } = await statusOf(user)
    expect(removal).toMatchObject({ photos: 3, bytes: expect.closeTo(1.8 * gigabyte, -3) })
    expect(Date.parse(removal!.at) - end).toBeGreaterThan(30 * 86_400_000 - 60_000)
    const [email] = await emailsOf(user)
    expect(email?.subject).toMatch(/^3 photos will be removed on /)
    expect(email?.text).toContain('the 3 oldest photos (1.8\u{a0}GB) will be removed')

    await passDays(user, 19)
    expect(await acceptedDays(user)).toEqual([0])
    await passDays(user, 1)
    expect(await acceptedDays(user)).toEqual([0, 20])
    await passDays(user, 7)
    expect(await acceptedDays(user)).toEqual([0, 20, 27])
    await passDays(user, 2)
    expect(await idsOf(user)).toEqual(ids)
    await passDays(user, 1)
    expect(await idsOf(user)).toEqual(ids.slice(3))
    expect((await subjectsOf(user)).map((subject) => subject.slice(0, 26))).toEqual([
      '3 photos will be removed o',
      '3 photos will be removed o',
      '3 photos will be removed o',
      '3 photos were removed',
    ])
    const status = await statusOf(user)
    expect([status.removal, status.removed_photos?.photos]).toEqual([undefined, 3])
    expect(status.current_usage.storage_used_bytes).toBe(Math.round(0.6 * gigabyte))
    for (const id of ids.slice(0, 3))
      expect((await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).statusCode).toBe(404)
  })

  test('are in the archive that the email links to, which no other email announces', async () => {
    const { user } = await userWithPhotos(2, 0.9)
    await endPlan(user)
    const emails = await emailsOf(user)
    expect(emails).toHaveLength(1)
    const link = /http:\/\/photos\.test(\/export\/[\w-]{43})/.exec(emails[0]?.text ?? '')?.[1]
    const archive = await server.request({ method: 'GET', url: link ?? '' })
    expect([archive.statusCode, archive.headers['content-type']]).toEqual([200, 'application/zip'])
  })

  test('are not removed while they fit, and a used-up monthly quota removes nothing', async () => {
    const { user, ids } = await userWithPhotos(3, 0.3, 'pro_yearly')
    await query('update usage_months set uploads = 500 where user_id = $1', [user.id])
    await endPlan(user)
    expect([(await statusOf(user)).removal, await subjectsOf(user)]).toEqual([undefined, []])
    await passDays(user, 40)
    expect(await idsOf(user)).toEqual(ids)
  })

  test('count as well after a change to a smaller paid plan', async () => {
    const { user } = await userWithPhotos(3, 6, 'pro_yearly')
    await grantPlan(server, user, 'pro_monthly')
    await server.work()
    expect((await statusOf(user)).removal).toMatchObject({ photos: 2 })
  })

  test('are noticed when a complimentary plan ends by itself, from the time of its end', async () => {
    const { user } = await userWithPhotos(2, 0.9)
    await query("update users set granted_until = now() - interval '2 hours' where id = $1", [user.id])
    await query(
      "update counted_plans set seen_at = now() - interval '3 hours', until = now() - interval '2 hours' where user_id = $1",
      [user.id],
    )
    await runRemovalJob()
    const [row] = await query<{ hours: number }>(
      'select extract(epoch from now() - starts_at)::float8 / 3600 as hours from photo_keeping where user_id = $1',
      [user.id],
    )
    expect(row?.hours).toBeCloseTo(2, 1)
    expect(await acceptedDays(user)).toEqual([0])
  })

  test.each([
    ['a new plan', (user: TestUser) => grantPlan(server, user, 'pro_monthly')],
    [
      'deleting enough photos',
      async (user: TestUser) => {
        const [oldest] = await idsOf(user)
        await server.request({ method: 'DELETE', url: `/photos/${oldest}`, token: user.token })
      },
    ],
  ])('are no longer due after %s, immediately and permanently', async (_, keep) => {
    const { user } = await userWithPhotos(2, 0.9)
    await endPlan(user)
    await passDays(user, 20)
    await passDays(user, 7)
    await keep(user)
    expect((await statusOf(user)).removal).toBeUndefined()
    const kept = await idsOf(user)
    await passDays(user, 3)
    expect(await query('select * from photo_keeping')).toEqual([])
    expect(await idsOf(user)).toEqual(kept)
    expect(await subjectsOf(user)).toHaveLength(3)
  })

  test('get 30 days from the end of the next plan when a plan ends again', async () => {
    const { user, ids } = await userWithPhotos(2, 0.9)
    await endPlan(user)
    await passDays(user, 20)
    await grantPlan(server, user, 'pro_monthly')
    await server.work()
    await endPlan(user)
    expect(await acceptedDays(user)).toEqual([0])
    await passDays(user, 10)
    expect(await idsOf(user)).toEqual(ids)
  })
})

describe('no photo is removed', () => {
  test('while an email was not accepted; a failed one is retried, and removal is postponed by the delay', async () => {
    const { user, ids } = await userWithPhotos(2, 0.9)
    await endPlan(user)
    mailServer.rules.recipient = () => ({ code: 550, text: '5.1.1 no such mailbox' })
    await passDays(user, 20)
    await passDays(user, 20)
    expect(await acceptedDays(user)).toEqual([0])
    expect(await idsOf(user)).toEqual(ids)
    mailServer.rules.recipient = undefined
    await passDays(user, 2)
    // Day 42 by the calendar, and day 20 for the owner.
    expect(await acceptedDays(user)).toEqual([0, 20])
    await passDays(user, 6)
    expect(await acceptedDays(user)).toEqual([0, 20])
    await passDays(user, 1)
    expect(await acceptedDays(user)).toEqual([0, 20, 27])
    await passDays(user, 2)
    expect(await idsOf(user)).toEqual(ids)
    await passDays(user, 1)
    expect(await idsOf(user)).toEqual(ids.slice(1))
  })

  test('of a deactivated account, which gets no emails; its days begin when it is active again', async () => {
    const { user, ids } = await userWithPhotos(2, 0.9)
    await query('update users set is_active = false where id = $1', [user.id])
    await endPlan(user)
    await passDays(user, 40)
    expect(await subjectsOf(user)).toEqual([])
    await query('update users set is_active = true where id = $1', [user.id])
    await passDays(user, 1)
    expect(await acceptedDays(user)).toEqual([0])
    await passDays(user, 18)
    expect(await acceptedDays(user)).toEqual([0])
    expect(await query('select id from photos where deleted_at is null')).toHaveLength(ids.length)
  })

  test('that is still being processed', async () => {
    const { user, ids } = await userWithPhotos(2, 0.9)
    await endPlan(user)
    await passDays(user, 20)
    await passDays(user, 7)
    await query("update photos set state = 'queued', original_key = 'orig/none' where id = $1", [ids[0]])
    const { removePhotos } = removalDependencies(server.app.deps)
    await server.db
      .transaction()
      .execute((tx) => removePhotos(tx, { userId: user.id, clock: 'database', byOperator: false }))
    expect(await query('select photo_id from photo_removals')).toEqual([{ photo_id: ids[1] }])
    await query("update photos set state = 'ready' where id = $1", [ids[0]])
    await query('delete from photo_removals')
  })
})

describe('removed photos', () => {
  async function makeUserWithRemovedPhotos(count = 4, gigabytes = 0.6) {
    const { user, ids } = await userWithPhotos(count, gigabytes)
    await endPlan(user)
    for (const days of [20, 7, 3]) await passDays(user, days)
    expect(await idsOf(user)).toHaveLength(1)
    return { user, ids }
  }

  test('are restored with a larger plan, and on request as many as fit, the newest first', async () => {
    const { user, ids } = await makeUserWithRemovedPhotos()
    const refused = await restore(user)
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'quota_storage' }])
    await server.request({ method: 'DELETE', url: `/photos/${ids[3]}`, token: user.token })
    expect((await restore(user)).json()).toEqual({ restored: 1, remaining: 2 })
    expect(await idsOf(user)).toEqual([ids[2]])
    await grantPlan(server, user, 'pro_monthly')
    await server.work()
    expect(await idsOf(user)).toEqual(ids.slice(0, 3))
    const nothing = await restore(user)
    expect(nothing.statusCode).toBe(404)
    for (const { key } of await query<{ key: string }>('select full_key as key from photos where deleted_at is null'))
      expect(await server.app.deps.storage.sizeOf(key)).toBeGreaterThan(0)
  })

  test('stay stored for seven days despite every clean-up job, and are then deleted', async () => {
    const { user, ids } = await makeUserWithRemovedPhotos()
    await runOverdueWork(server)
    await query("update photos set deleted_at = deleted_at - interval '3 days' where deleted_at is not null")
    for (const job of ['clean-up', 'compare-storage'])
      await query(`select graphile_worker.add_job($1, '{}'::json)`, [job])
    for (const id of ids)
      await query("select graphile_worker.add_job('delete-photo', json_build_object('photoId', $1::text))", [id])
    await server.work()
    const stored = () => query("select key from stored_objects where key like 'full/%'")
    expect(await stored()).toHaveLength(4)
    await passDays(user, 6)
    expect(await stored()).toHaveLength(4)
    await passDays(user, 1)
    expect(await stored()).toHaveLength(1)
    expect((await restore(user)).statusCode).toBe(404)
    expect(await query('select * from photo_removals')).toEqual([])
    // The sizes were made up by this test.
    await query('update photos set full_bytes = (select full_bytes from photos limit 1)')
  })

  test('are deleted with their account', async () => {
    const { user } = await makeUserWithRemovedPhotos()
    await query('delete from users where id = $1', [user.id])
    await query("update stored_objects set created_at = created_at - interval '2 hours'")
    await query("select graphile_worker.add_job('clean-up', '{}'::json)")
    await server.work()
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})
