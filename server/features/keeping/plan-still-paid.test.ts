import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { removalDependencies } from '../../setup/removal-dependencies.ts'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'
import { createClockWatch, dueAccounts } from './removal-guard.ts'
import { checkKeptPhotos, removeApprovedPhotos } from './remove-photos.ts'
import { gigabyte } from './test/keeping-actions.ts'

let site: StripeServer
beforeAll(async () => {
  site = await startStripeServer(afterAll)
})

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await site.server.app.deps.pool.query(text, values)).rows
const check = () =>
  checkKeptPhotos({ ...removalDependencies(site.server.app.deps), clockWatch: createClockWatch(() => 1) })
const setProvider = (provider: string | null) => query('update payment_settings set provider = $1', [provider])
const keeping = () => query('select user_id, starts_at from photo_keeping')

/** Two photos, of which one does not fit into the free plan. */
async function addPhotos(user: TestUser): Promise<void> {
  for (const age of [1, 2]) {
    const id = newId()
    await query(
      `insert into photos (id, user_id, code, filename, state, counted_month, full_key, full_type, full_bytes, thumb_bytes, created_at)
       values ($1, $2, $1 || 'c', 'a.jpg', 'ready', now()::date, 'full/' || $1, 'image/jpeg', $3, 0, now() - make_interval(days => $4))`,
      [id, user.id, Math.round(0.7 * gigabyte), age],
    )
  }
}

/** As if the plan had ended 31 days ago, and every email had been accepted. */
async function makeDue(user: TestUser): Promise<void> {
  await query(
    "insert into photo_keeping (user_id, clock, starts_at) values ($1, 'database', now() - interval '31 days')",
    [user.id],
  )
  await query(
    `insert into photo_keeping_emails (user_id, day, email_id, accepted_at)
     select $1, day, $1 || day, now() - interval '31 days' + make_interval(days => day) from unnest(array[0, 20, 27]) as day`,
    [user.id],
  )
}

test('nothing of an account is removed while Stripe may still charge it, whatever is set here', async () => {
  const user = await makeUser(site.server)
  const customer = await site.pay(user)
  await site.deliver()
  await addPhotos(user)
  await check()
  for (const provider of [null, 'demo']) {
    await setProvider(provider)
    await check()
    expect(await keeping()).toEqual([])
    await makeDue(user)
    expect(await dueAccounts(site.server.db)).toEqual([])
    await query('update photo_keeping set approved_at = now()')
    await removeApprovedPhotos(removalDependencies(site.server.app.deps))
    expect(await query('select * from photo_removals')).toEqual([])
    await query('delete from photo_keeping')
  }

  await setProvider('stripe')
  // Stripe has not been reached since the period ended.
  await query("update paid_plans set until = now() - interval '1 second'")
  await check()
  expect(await keeping()).toEqual([])

  const [subscription] = site.stripe.subscriptionsOf(customer)
  site.stripe.cancelSubscription(subscription?.id ?? '')
  await site.deliver()
  await check()
  expect(await keeping()).toMatchObject([{ user_id: user.id }])
})

test('a missed payment ends the plan only if the customer was synced recently', async () => {
  const user = await makeUser(site.server)
  await site.pay(user)
  await site.deliver()
  await addPhotos(user)
  await check()
  await query("update paid_plans set until = now() - interval '1 second' where user_id = $1", [user.id])
  const ofUser = 'customer_id = (select customer_id from billing_customers where user_id = $1)'
  await query(`update subscriptions set status = 'past_due' where ${ofUser}`, [user.id])
  await query(`update billing_customers set synced_at = now() - interval '3 days' where ${ofUser}`, [user.id])
  await check()
  expect(await query('select 1 from photo_keeping where user_id = $1', [user.id])).toEqual([])
  await query(`update billing_customers set synced_at = now() where ${ofUser}`, [user.id])
  await check()
  expect(await query('select 1 from photo_keeping where user_id = $1', [user.id])).toHaveLength(1)
})
