import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { photosDueForRemoval } from '../../domain/over-limit-photos.ts'
import { advanceDemoBilling } from '../billing/move-demo-clock.ts'
import type { Cleanup } from '../../test/child-processes.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { startMailServer } from '../../test/smtp-server.ts'
import { callBilling, checkoutBody, demoOf, subscribe } from '../../test/subscriptions.ts'
import type { TestUser } from '../../test/test-data.ts'
import { keepingActions } from './test/keeping-actions.ts'

let server: TestServer
const stops: Parameters<Cleanup>[0][] = []
beforeAll(async () => {
  const { port } = await startMailServer((stop) => stops.push(stop))
  server = await startServer({
    PAYMENTS: 'demo',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'keepsnap@example.com',
  })
})
afterAll(async () => {
  await server.close()
  for (const stop of stops) await stop()
})

// Photos of earlier tests fit into every plan, and none of them wait to be deleted.
beforeEach(async () => {
  await query('update photos set full_bytes = 10')
  await query('delete from photo_removals')
  await query('update removal_guard set stopped_at = null')
})

const { query, runAllJobs, userWithPhotos, idsOf, statusOf, acceptedDays } = keepingActions(() => server)
const day = 86_400

/** Moves the clock as the command does; no job runs. */
const moveClockAlone = (days: number) =>
  advanceDemoBilling({ db: server.db, log: server.app.deps.log, demo: demoOf(server) }, days * day)

/** Moves the clock as the command does, and runs what follows. */
async function moveClock(days: number): Promise<void> {
  await moveClockAlone(days)
  await server.work()
  await runAllJobs()
}
/** Payments of the user are declined from now on. */
async function declineCard(user: TestUser): Promise<void> {
  const [row] = await query<{ customer: string }>(
    'select customer_id as customer from billing_customers where user_id = $1',
    [user.id],
  )
  await demoOf(server).setCardPays(row!.customer, false)
}
const none = { photos: 0, accounts: 0 }
const dueAfterDays = async (days: number) => {
  const [row] = await query<{ at: Date }>('select billing_now() + make_interval(days => $1) as at', [days])
  return photosDueForRemoval(server.db, row!.at)
}

test('a demo subscription that ends: 30 days on the billing clock, then removal, and a new one brings the photos back', async () => {
  const { user, ids } = await userWithPhotos(3, 0.6, 'free')
  await subscribe(server, user)
  await runAllJobs()
  expect(await query('select plan, clock from counted_plans')).toEqual([{ plan: 'pro_monthly', clock: 'demo' }])
  // Renewed, it goes on.
  await moveClock(62)
  expect([(await statusOf(user)).plan.id, (await statusOf(user)).removal]).toEqual(['pro_monthly', undefined])
  expect((await callBilling(server, user, 'cancel')).statusCode).toBe(200)
  expect([await dueAfterDays(20), await dueAfterDays(70)]).toEqual([
    { photos: 0, accounts: 0 },
    { photos: 2, accounts: 1 },
  ])

  await moveClock(32)
  const status = await statusOf(user)
  expect([status.plan.id, status.removal?.photos]).toEqual(['free', 2])
  expect(await acceptedDays(user)).toEqual([0])
  await moveClock(20)
  expect(await acceptedDays(user)).toEqual([0, 20])
  expect(await idsOf(user)).toEqual(ids)
  // A jump over several days: the last email, and the removal once it is accepted.
  await moveClock(12)
  expect(await acceptedDays(user)).toEqual([])
  expect(await idsOf(user)).toEqual(ids.slice(2))
  expect((await statusOf(user)).removed_photos?.photos).toBe(2)

  await subscribe(server, user)
  await runAllJobs()
  expect(await idsOf(user)).toEqual(ids)
  expect((await statusOf(user)).removed_photos).toBeUndefined()
})

test('a refund ends the plan and starts the countdown; open pages are notified of both', async () => {
  const { user } = await userWithPhotos(2, 0.9, 'free')
  await subscribe(server, user)
  await runAllJobs()
  const live = await connectLive(await server.listen(), user.token)
  const isPlan = ({ action }: ServerMessage): boolean => action === 'plan_updated'
  expect((await callBilling(server, user, 'refund')).statusCode).toBe(200)
  await live.next(isPlan)
  live.received.length = 0
  await runAllJobs()
  await live.next(isPlan)
  live.socket.close()
  expect((await statusOf(user)).removal).toMatchObject({ photos: 1 })
  expect(await acceptedDays(user)).toEqual([0])
})

test('a move over a renewal that is declined counts: its period, 7 days and 30 days', async () => {
  const { user, ids } = await userWithPhotos(3, 0.6, 'free')
  await subscribe(server, user)
  await runAllJobs()
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
  const { user } = await userWithPhotos(2, 0.9, 'free')
  await subscribe(server, user, 'pro_yearly')
  const change = await callBilling(server, user, 'change', { body: { price_id: checkoutBody().price_id } })
  expect(change.statusCode).toBe(200)
  await runAllJobs()
  await declineCard(user)
  // Ten months are paid: $149.99 less $14.99 for the first one, which pays for nine more.
  expect([await dueAfterDays(303 + 36), await dueAfterDays(306 + 38)]).toEqual([none, { photos: 1, accounts: 1 }])
  await moveClock(302)
  expect((await statusOf(user)).subscription).toMatchObject({ status: 'active' })
  await moveClock(5)
  expect((await statusOf(user)).subscription).toMatchObject({ status: 'past_due' })
})

test('a complimentary plan does not end by the billing clock, and keeps what fits into it', async () => {
  const { user } = await userWithPhotos(2, 0.9, 'free')
  await subscribe(server, user)
  await query(
    "update users set granted_plan = 'pro_monthly', granted_until = now() + interval '10 days' where id = $1",
    [user.id],
  )
  await runAllJobs()
  await declineCard(user)
  expect(await dueAfterDays(400)).toEqual(none)
  await query("update users set granted_until = now() - interval '1 minute' where id = $1", [user.id])
  expect(await dueAfterDays(400)).toEqual({ photos: 1, accounts: 1 })
})

test('a plan that ended with an earlier move counts before any job has noticed its end', async () => {
  const { user } = await userWithPhotos(2, 0.9, 'free')
  await subscribe(server, user)
  await runAllJobs()
  expect((await callBilling(server, user, 'cancel')).statusCode).toBe(200)
  await moveClockAlone(32)
  expect(await query('select from photo_keeping where user_id = $1', [user.id])).toEqual([])
  expect([await dueAfterDays(28), await dueAfterDays(31)]).toEqual([none, { photos: 1, accounts: 1 }])
})
