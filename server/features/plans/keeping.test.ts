import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { photosDueForRemoval } from './over-limit-photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { removeOldestPhotos } from './photo-removals.ts'
import type { Cleanup } from '../../test/child-processes.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { makeJobsDue, startServer, type TestServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { type MailServer, startMailServer } from '../../test/smtp-server.ts'
import { callBilling, checkoutBody, demoOf, subscribe } from '../../test/subscriptions.ts'
import { addPhotos, grantPlan, makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { advanceDemoBilling } from './demo-checkout.ts'

const gigabyte = 1024 ** 3
let server: TestServer
let mailServer: MailServer
let log = ''
const stops: Parameters<Cleanup>[0][] = []
beforeAll(async () => {
  mailServer = await startMailServer((stop) => stops.push(stop))
  const env = { PAYMENTS: 'demo', SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: 'keepsnap@example.com' }
  server = await startServer(env, { out: { write: (text: string) => (log += text) }, ownImageProcesses: false })
})
afterAll(async () => {
  await server.close()
  for (const stop of stops) await stop()
})
beforeEach(async () => {
  log = ''
  mailServer.rules.recipient = undefined
  await query('delete from users')
  await query('update demo_subscriptions set ended_at = now() where ended_at is null')
  await query('update removal_guard set stopped_at = null, stopped_because = null, checked_at = null')
  await server.work()
})

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.app.deps.pool.query(text, values)).rows

/** Runs all queued jobs; then sends emails that waited for their archive, and runs the jobs that these enqueue. */
async function runAllJobs(): Promise<void> {
  await server.work()
  for (let round = 0; round < 2; round++) {
    await query("update emails set due_at = now() where state = 'queued' and not server_unreachable")
    await makeJobsDue(server.app.deps.pool, 'email:%')
    await server.work()
  }
}
/** Runs the hourly job, and the jobs that it enqueues. */
async function runRemovalJob(): Promise<void> {
  await query("select graphile_worker.add_job('check-kept-photos', '{}'::json, job_key => 'check-kept-photos')")
  await runAllJobs()
}
/** A user with a plan, and rows of so many photos of a size; their ids, oldest first. `hasFiles`: the photos are real ones. */
async function userWithPhotos(
  count: number,
  gigabytesEach: number,
  { plan = 'pro_monthly', hasFiles = false }: { plan?: 'free' | 'pro_monthly' | 'pro_yearly'; hasFiles?: boolean } = {},
) {
  const user = await makeUser(server)
  await grantPlan(server, user, plan)
  const bytes = Math.round(gigabytesEach * gigabyte)
  if (!hasFiles) {
    const ids = (await addPhotos(server, user, { count, bytes, daysAgo: 1 })).toReversed()
    await query("update photos set full_type = 'image/jpeg' where user_id = $1", [user.id])
    await server.work()
    return { user, ids }
  }
  const ids: string[] = []
  const file = await jpeg()
  for (let n = 0; n < count; n++) ids.push((await upload(server, user, file)).json<{ id: string }>().id)
  await server.work()
  // Only the recorded sizes change.
  await query('update photos set full_bytes = $2, thumb_bytes = 0 where user_id = $1', [user.id, bytes])
  return { user, ids }
}
/** Ends the plan as an operator does. */
async function endPlan(user: TestUser): Promise<void> {
  await grantPlan(server, user, 'free')
  await runAllJobs()
}
/** Simulates that days have passed for the photos of a user, by moving their timestamps into the past. */
async function passDays(user: TestUser, days: number): Promise<void> {
  const past = (column: string): string => `${column} = ${column} - make_interval(days => $2)`
  for (const [table, ...columns] of [
    ['photo_keeping', 'starts_at'],
    ['photo_keeping_emails', 'accepted_at', 'queued_at'],
    ['photo_removals', 'restorable_until', 'removed_at'],
  ])
    await query(`update ${table} set ${columns.map(past).join(', ')} where user_id = $1`, [user.id, days])
  await runRemovalJob()
}
const idsOf = async ({ token }: TestUser): Promise<string[]> =>
  (await server.request({ method: 'GET', url: '/photos', token }))
    .json<{ id: string }[]>()
    .map(({ id }) => id)
    .toReversed()
const statusOf = async ({ token }: TestUser): Promise<SubscriptionStatus> =>
  (await server.request({ method: 'GET', url: '/subscriptions/status', token })).json()
const deletePhoto = ({ token }: TestUser, id = '') => server.request({ method: 'DELETE', url: `/photos/${id}`, token })
/** The days of the emails that were accepted. */
const acceptedDays = async ({ id }: TestUser): Promise<number[]> =>
  (
    await query<{ day: number }>(
      'select day from photo_keeping_emails where user_id = $1 and accepted_at is not null order by day',
      [id],
    )
  ).map(({ day }) => day)

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
    const [email, ...others] = await emailsOf(user)
    expect([email?.subject, others]).toEqual([expect.stringMatching(/^3 photos will be removed on /), []])
    expect(email?.text).toContain('the 3 oldest photos (1.8\u{a0}GB) will be removed')
    // They are in the archive that the email links to.
    const link = /http:\/\/photos\.test(\/export\/[\w-]{43})/.exec(email?.text ?? '')?.[1]
    const archive = await server.request({ method: 'GET', url: link ?? '' })
    expect([archive.statusCode, archive.headers['content-type']]).toEqual([200, 'application/zip'])

    for (const [days, accepted] of [
      [19, [0]],
      [1, [0, 20]],
      [7, [0, 20, 27]],
    ] as const) {
      await passDays(user, days)
      expect(await acceptedDays(user)).toEqual(accepted)
    }
    await passDays(user, 2)
    expect(await idsOf(user)).toEqual(ids)
    await passDays(user, 1)
    expect(await idsOf(user)).toEqual(ids.slice(3))
    const announced = expect.stringMatching(/^3 photos will be removed on /)
    expect(await subjectsOf(user)).toEqual([announced, announced, announced, '3 photos were removed'])
    const status = await statusOf(user)
    expect([status.removal, status.removed_photos?.photos]).toEqual([undefined, 3])
    expect(status.current_usage.storage_used_bytes).toBe(Math.round(0.6 * gigabyte))
    const url = `/photos/${ids[0]}`
    expect((await server.request({ method: 'GET', url, token: user.token })).statusCode).toBe(404)
  })

  test('are not removed while they fit, and a used-up monthly quota removes nothing', async () => {
    const { user, ids } = await userWithPhotos(3, 0.3, { plan: 'pro_yearly' })
    await query('update usage_months set uploads = 500 where user_id = $1', [user.id])
    await endPlan(user)
    expect([(await statusOf(user)).removal, await subjectsOf(user)]).toEqual([undefined, []])
    await passDays(user, 40)
    expect(await idsOf(user)).toEqual(ids)
  })

  test('count as well after a change to a smaller paid plan', async () => {
    const { user } = await userWithPhotos(3, 6, { plan: 'pro_yearly' })
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
    ['deleting enough photos', async (user: TestUser) => deletePhoto(user, (await idsOf(user))[0])],
  ])('are no longer due after %s, immediately and permanently', async (_, keep) => {
    const { user } = await userWithPhotos(2, 0.9)
    await endPlan(user)
    for (const days of [20, 7]) await passDays(user, days)
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
    for (const days of [20, 20]) await passDays(user, days)
    expect([await acceptedDays(user), await idsOf(user)]).toEqual([[0], ids])
    mailServer.rules.recipient = undefined
    // Day 42 by the calendar, and day 20 for the owner.
    for (const [days, accepted] of [
      [2, [0, 20]],
      [6, [0, 20]],
      [1, [0, 20, 27]],
    ] as const) {
      await passDays(user, days)
      expect(await acceptedDays(user)).toEqual(accepted)
    }
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
    for (const days of [20, 7]) await passDays(user, days)
    await query("update photos set state = 'queued', original_key = 'orig/none' where id = $1", [ids[0]])
    await server.db
      .transaction()
      .execute((tx) => removeOldestPhotos(tx, { userId: user.id, clock: 'database', byOperator: false }))
    expect(await query('select photo_id from photo_removals')).toEqual([{ photo_id: ids[1] }])
  })
})

test('what guests added and the owner rejected is removed first, then what waits for review, and restored last', async () => {
  const { user, ids } = await userWithPhotos(4, 0.6)
  const [oldest, older, rejected, waiting] = ids
  for (const [id, review] of [
    [rejected, 'rejected'],
    [waiting, 'waiting'],
  ])
    await query(`update photos set source = 'guest', review = $2 where id = $1`, [id, review])
  await grantPlan(server, user, 'free')
  const left = () =>
    query('select id from photos where user_id = $1 and deleted_at is null order by created_at', [user.id])
  const remove = (storage: number) =>
    server.db.transaction().execute(async (tx) => {
      await query('update photos set full_bytes = $2 where user_id = $1', [user.id, Math.floor(storage)])
      return removeOldestPhotos(tx, { userId: user.id, clock: 'database', byOperator: false })
    })
  // One photo too many, then two, of a storage of one gigabyte.
  await remove(gigabyte / 3 - 1000)
  expect((await left()).map(({ id }) => id)).toEqual([oldest, older, waiting])
  await remove(gigabyte / 2 - 1000)
  expect((await left()).map(({ id }) => id)).toEqual([oldest, older])
  await remove(gigabyte - 1000)
  expect((await left()).map(({ id }) => id)).toEqual([older])
  await query('update photos set full_bytes = $2 where user_id = $1', [user.id, Math.floor(gigabyte / 3) - 1000])
  await server.request({ method: 'POST', url: '/user/removed-photos/restore', token: user.token })
  expect((await left()).map(({ id }) => id)).toEqual([oldest, older, waiting])
})

describe('removed photos', () => {
  const restore = ({ token }: TestUser) =>
    server.request({ method: 'POST', url: '/user/removed-photos/restore', token })
  async function makeUserWithRemovedPhotos() {
    const { user, ids } = await userWithPhotos(4, 0.6, { hasFiles: true })
    await endPlan(user)
    for (const days of [20, 7, 3]) await passDays(user, days)
    expect(await idsOf(user)).toHaveLength(1)
    return { user, ids }
  }

  test('are restored with a larger plan, and on request as many as fit, the newest first', async () => {
    const { user, ids } = await makeUserWithRemovedPhotos()
    const refused = await restore(user)
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'quota_storage' }])
    await deletePhoto(user, ids[3])
    expect((await restore(user)).json()).toEqual({ restored: 1, remaining: 2 })
    expect(await idsOf(user)).toEqual([ids[2]])
    await grantPlan(server, user, 'pro_monthly')
    await server.work()
    expect(await idsOf(user)).toEqual(ids.slice(0, 3))
    expect((await restore(user)).statusCode).toBe(404)
    for (const { key } of await query<{ key: string }>('select full_key as key from photos where deleted_at is null'))
      expect(await server.app.deps.storage.sizeOf(key)).toBeGreaterThan(0)
  })

  test('stay stored for seven days despite every clean-up job, and are then deleted, with the account as well', async () => {
    const { user, ids } = await makeUserWithRemovedPhotos()
    await runOverdueWork(server)
    await query("update photos set deleted_at = deleted_at - interval '3 days' where deleted_at is not null")
    for (const job of ['clean-up', 'compare-storage'])
      await query(`select graphile_worker.add_job($1, '{}'::json)`, [job])
    for (const id of ids)
      await query("select graphile_worker.add_job('delete-photo', json_build_object('photoId', $1::text))", [id])
    await server.work()
    const stored = () => query("select key from stored_objects where key like 'full/%' and photo_id = any($1)", [ids])
    expect(await stored()).toHaveLength(4)
    await passDays(user, 6)
    expect(await stored()).toHaveLength(4)
    await makeUserWithRemovedPhotos()
    await passDays(user, 1)
    expect(await stored()).toHaveLength(1)
    expect((await restore(user)).statusCode).toBe(404)
    expect(await query('select * from photo_removals where user_id = $1', [user.id])).toEqual([])
    await query('delete from users')
    await query("update stored_objects set created_at = created_at - interval '2 hours'")
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})

describe('by the billing clock', () => {
  /** Moves the clock as the command does; no job runs. */
  const moveClockAlone = (days: number) =>
    advanceDemoBilling({ db: server.db, log: server.app.deps.log, demo: demoOf(server) }, days * 86_400)
  /** Moves the clock as the command does, and runs what follows. */
  async function moveClock(days: number): Promise<void> {
    await moveClockAlone(days)
    await server.work()
    await runAllJobs()
  }
  /** A user who pays for a plan, with photos as in `userWithPhotos`. */
  async function payingUser(count: number, gigabytesEach: number, plan?: 'pro_yearly') {
    const made = await userWithPhotos(count, gigabytesEach, { plan: 'free' })
    await subscribe(server, made.user, plan)
    await runAllJobs()
    return made
  }
  /** Payments of the user are declined from now on. */
  async function declineCard({ id }: TestUser): Promise<void> {
    const ofUser = 'select customer_id as customer from billing_customers where user_id = $1'
    const [row] = await query<{ customer: string }>(ofUser, [id])
    await demoOf(server).setCardPays(row!.customer, false)
  }
  const call = (user: TestUser, path: string, body?: unknown) => callBilling(server, user, path, { body })
  const none = { photos: 0, accounts: 0 }
  const dueAfterDays = async (days: number) => {
    const [row] = await query<{ at: Date }>('select billing_now() + make_interval(days => $1) as at', [days])
    return photosDueForRemoval(server.db, row!.at)
  }

  test('a subscription that ends has 30 days, then photos are removed, and a new one brings them back', async () => {
    const { user, ids } = await payingUser(3, 0.6)
    expect(await query('select plan, clock from counted_plans')).toEqual([{ plan: 'pro_monthly', clock: 'demo' }])
    // Renewed, it goes on.
    await moveClock(62)
    expect([(await statusOf(user)).plan.id, (await statusOf(user)).removal]).toEqual(['pro_monthly', undefined])
    expect((await call(user, 'cancel')).statusCode).toBe(200)
    expect([await dueAfterDays(20), await dueAfterDays(70)]).toEqual([none, { photos: 2, accounts: 1 }])
    // A plan that ended with a move counts before any job has noticed its end.
    await moveClockAlone(32)
    expect(await query('select from photo_keeping where user_id = $1', [user.id])).toEqual([])
    expect([await dueAfterDays(25), await dueAfterDays(31)]).toEqual([none, { photos: 2, accounts: 1 }])

    await server.work()
    await runAllJobs()
    const status = await statusOf(user)
    expect([status.plan.id, status.removal?.photos]).toEqual(['free', 2])
    expect(await acceptedDays(user)).toEqual([0])
    await moveClock(20)
    expect([await acceptedDays(user), await idsOf(user)]).toEqual([[0, 20], ids])
    // A jump over several days: the last email, and the removal once it is accepted.
    await moveClock(12)
    expect([await acceptedDays(user), await idsOf(user)]).toEqual([[], ids.slice(2)])
    expect((await statusOf(user)).removed_photos?.photos).toBe(2)

    await subscribe(server, user)
    await runAllJobs()
    expect(await idsOf(user)).toEqual(ids)
    expect((await statusOf(user)).removed_photos).toBeUndefined()
  })

  test('a refund ends the plan and starts the countdown; open pages are notified of both', async () => {
    const { user } = await payingUser(2, 0.9)
    const live = await connectLive(await server.listen(), user.token)
    const isPlan = ({ action }: ServerMessage): boolean => action === 'plan_updated'
    expect((await call(user, 'refund')).statusCode).toBe(200)
    await live.next(isPlan)
    live.received.length = 0
    await runAllJobs()
    await live.next(isPlan)
    live.socket.close()
    expect((await statusOf(user)).removal).toMatchObject({ photos: 1 })
    expect(await acceptedDays(user)).toEqual([0])
  })

  test('a move over a renewal that is declined counts: its period, 7 days and 30 days', async () => {
    const { user, ids } = await payingUser(3, 0.6)
    expect(await dueAfterDays(120)).toEqual(none)
    await declineCard(user)
    // A month has 28 to 31 days.
    expect([await dueAfterDays(64), await dueAfterDays(69)]).toEqual([none, { photos: 2, accounts: 1 }])
    await moveClock(33)
    expect((await statusOf(user)).subscription).toMatchObject({ status: 'past_due' })
    expect([await dueAfterDays(31), await dueAfterDays(36)]).toEqual([none, { photos: 2, accounts: 1 }])
    await moveClock(70)
    await runAllJobs()
    expect(await idsOf(user)).toEqual(ids.slice(2))
    // Until then, they can be restored.
    expect([await dueAfterDays(6), await dueAfterDays(8)]).toEqual([none, { photos: 2, accounts: 1 }])
  })

  test('the credit from an earlier price pays for renewals before one is declined', async () => {
    const { user } = await payingUser(2, 0.9, 'pro_yearly')
    expect((await call(user, 'change', { price_id: checkoutBody().price_id })).statusCode).toBe(200)
    await runAllJobs()
    await declineCard(user)
    // Ten months are paid: $149.99 less $14.99 for the first one, which pays for nine more.
    expect([await dueAfterDays(303 + 36), await dueAfterDays(306 + 38)]).toEqual([none, { photos: 1, accounts: 1 }])
    await moveClock(302)
    expect((await statusOf(user)).subscription).toMatchObject({ status: 'active' })
    await moveClock(5)
    expect((await statusOf(user)).subscription).toMatchObject({ status: 'past_due' })
  })

  test('a complimentary plan does not end, and keeps what fits into it', async () => {
    const { user } = await payingUser(2, 0.9)
    const grantUntil = (until: string) =>
      query(`update users set granted_plan = 'pro_monthly', granted_until = now() + $2::interval where id = $1`, [
        user.id,
        until,
      ])
    await grantUntil('10 days')
    await runAllJobs()
    await declineCard(user)
    expect(await dueAfterDays(400)).toEqual(none)
    await grantUntil('-1 minute')
    expect(await dueAfterDays(400)).toEqual({ photos: 1, accounts: 1 })
  })
})
