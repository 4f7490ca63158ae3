import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { photosDueForRemoval } from '../../domain/kept-photos.ts'
import { moveClockOfDemo } from '../billing/move-demo-clock.ts'
import type { Cleanup } from '../../test/child-processes.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { startMailServer } from '../../test/smtp-server.ts'
import { callBilling, demoOf, subscribe } from '../../test/subscriptions.ts'
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

const { query, settle, userWithPhotos, idsOf, statusOf, acceptedDays } = keepingActions(() => server)
const day = 86_400

/** Moves the clock as the command does, and runs what follows. */
async function moveClock(days: number): Promise<void> {
  await moveClockOfDemo({ db: server.db, log: server.app.deps.log, demo: demoOf(server) }, days * day)
  await server.work()
  await settle()
}
const due = async (days: number) => {
  const [row] = await query<{ at: Date }>('select billing_now() + make_interval(days => $1) as at', [days])
  return photosDueForRemoval(server.db, row!.at)
}

test('a demo subscription that ends: 30 days on the billing clock, then removal, and a new one brings the photos back', async () => {
  const { user, ids } = await userWithPhotos(3, 0.6, 'free')
  await subscribe(server, user)
  await settle()
  expect(await query('select plan, clock from counted_plans')).toEqual([{ plan: 'pro_monthly', clock: 'demo' }])
  // Renewed, it goes on.
  await moveClock(62)
  expect([(await statusOf(user)).plan.id, (await statusOf(user)).removal]).toEqual(['pro_monthly', undefined])
  expect((await callBilling(server, user, 'cancel')).statusCode).toBe(200)
  expect([await due(20), await due(70)]).toEqual([
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
  await settle()
  expect(await idsOf(user)).toEqual(ids)
  expect((await statusOf(user)).removed_photos).toBeUndefined()
})

test('money back ends the plan, and the days begin; open pages are told of both', async () => {
  await query('update removal_guard set stopped_at = null')
  const { user } = await userWithPhotos(2, 0.9, 'free')
  await subscribe(server, user)
  await settle()
  const live = await connectLive(await server.listen(), user.token)
  const isPlan = ({ action }: ServerMessage): boolean => action === 'plan_updated'
  expect((await callBilling(server, user, 'refund')).statusCode).toBe(200)
  await live.next(isPlan)
  live.received.length = 0
  await settle()
  await live.next(isPlan)
  live.socket.close()
  expect((await statusOf(user)).removal).toMatchObject({ photos: 1 })
  expect(await acceptedDays(user)).toEqual([0])
})
