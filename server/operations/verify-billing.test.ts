import { expect, test } from 'vitest'
import type { IntegrityReport } from '../features/operators/check-database.ts'
import { newId } from '../lib/ids.ts'
import { ageJobs, failJobs, lockJobs, useServer } from '../test/harness.ts'
import { subscribe } from '../test/subscriptions.ts'
import { makeUser, type TestUser } from '../test/test-data.ts'
import { billingCommands } from './plan-commands.ts'
import { integrityReport, runVerify } from '../test/run-verify.ts'

const server = useServer({ LOG_LEVEL: 'silent' })

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.app.deps.pool.query<Row>(text, values)).rows

const run = (...args: string[]) => runVerify(server, args)
const findings = async (): Promise<IntegrityReport['findings']> => (await integrityReport(server)).findings

async function payer(): Promise<TestUser & { customer: string; subscription: string }> {
  const user = await makeUser(server)
  await subscribe(server, user)
  const [row] = await query<{ customer: string; subscription: string }>(
    `select customer_id as customer, subscription_id as subscription
     from billing_customers join paid_plans using (user_id) where user_id = $1`,
    [user.id],
  )
  return { ...user, ...row! }
}

/** The only line about payments, as they are doing. */
const paymentsLine = async (): Promise<string> => {
  const lines = (await run('--sample', '0')).text.split('\n').filter((line) => line.includes(' Payments: '))
  expect(lines).toHaveLength(1)
  return lines[0]!
}

test('says in one line how payments are doing, as the command billing does, and in fields for programs', async () => {
  const { config, log } = server.app.deps
  const ofBilling = async () =>
    billingCommands['billing']!([])({ config, log, db: server.db, confirm: async () => false })
  expect(await paymentsLine()).toBe(`ok     ${await ofBilling()}`)
  await query(
    "update payment_settings set last_webhook_at = '2026-01-02T03:04:05Z', compared_at = now(), mismatches = 3",
  )
  await query(
    `insert into payment_events (provider, id, type, created_at, received_at)
     values ('demo', 'evt_waiting', 'invoice.paid', now(), '2026-01-02T03:04:06Z')`,
  )
  expect(await paymentsLine()).toBe(`note   ${await ofBilling()}`)
  expect(await paymentsLine()).toMatch(
    /last webhook: 2026-01-02T03:04:05.000Z;.* unprocessed events: 1 since 2026-01-02T03:04:06.000Z;.* with 3 mismatches;/,
  )
  expect(JSON.parse((await run('--json')).text)).toMatchObject({
    payments: {
      lastWebhookAt: '2026-01-02T03:04:05.000Z',
      oldestUnprocessedAt: '2026-01-02T03:04:06.000Z',
      mismatches: 3,
    },
  })
  await query("delete from payment_events where id = 'evt_waiting'")
  await query('update payment_settings set last_webhook_at = null, compared_at = null, mismatches = null')
})

/** Everything about who pays and who gets what, without the times of questions to the provider. */
const moneyState = () =>
  query(`
    select to_jsonb(users) as row from users
    union all select to_jsonb(subscriptions) from subscriptions
    union all select to_jsonb(paid_plans) from paid_plans
    union all select to_jsonb(subscribers) from subscribers
    union all select to_jsonb(refunds) from refunds
    union all select to_jsonb(demo_subscriptions) from demo_subscriptions
    union all select to_jsonb(demo_payments) from demo_payments
    union all select jsonb_build_object('customer', customer_id, 'user', user_id, 'replaced', replaced_at, 'closed', closed_at)
      from billing_customers order by 1`)

const emailKinds = async (): Promise<string[]> =>
  (await query<{ kind: string }>('select kind from emails order by created_at, id')).map(({ kind }) => kind)

test('plans that contradict what was paid are each found, and a repair brings exactly the paid state back', async () => {
  const damages = [
    'delete from subscriptions where id = $1',
    `update subscriptions set status = 'canceled' where id = $1`,
    `update subscriptions set plan = 'pro_yearly' where id = $1`,
    `update paid_plans set plan = 'pro_yearly' where subscription_id = $1`,
    `update paid_plans set status = 'past_due' where subscription_id = $1`,
    'update paid_plans set cancel_at_period_end = true where subscription_id = $1',
    `update paid_plans set current_period_end = current_period_end - interval '3 days' where subscription_id = $1`,
    `update paid_plans set until = until + interval '1 year' where subscription_id = $1`,
    `update paid_plans set until = now() - interval '3 hours' where subscription_id = $1`,
    'delete from paid_plans where subscription_id = $1',
    `update paid_plans set subscription_id = (
      select id from subscriptions where id <> $1 order by id limit 1) where subscription_id = $1`,
  ]
  const [untouched, ...payers] = [await payer(), ...(await Promise.all(damages.map(payer)))]
  await server.work()
  expect(await findings()).toEqual([])
  const before = await moneyState()
  const emailsBefore = await emailKinds()
  for (const [at, damage] of damages.entries()) await query(damage, [payers[at]!.subscription])
  const [plans, ...others] = await findings()
  expect(others).toEqual([])
  expect(plans).toMatchObject({ kind: 'plans', count: damages.length })
  expect(plans!.examples.toSorted()).toEqual(payers.map(({ id }) => `account ${id}`).toSorted())
  const { text, exitStatus } = await run('--repair', '--yes')
  expect(text).toContain('WRONG  Accounts whose plan is not what the payment provider said: 11')
  expect(text).toContain(
    `repaired Queued the synchronization of ${damages.length} customers with the payment provider.`,
  )
  expect([exitStatus, text.includes(untouched.id)]).toEqual([1, false])
  await server.work()
  expect(await moneyState()).toEqual(before)
  // As with any news of the provider, users are told of what changes.
  expect((await emailKinds()).slice(emailsBefore.length).toSorted()).toEqual([
    'plan-changed',
    'plan-ended',
    'plan-resumed',
  ])
  const after = await run()
  expect([after.exitStatus, after.text]).toEqual([0, expect.stringContaining('Nothing is wrong')])
})

test('a paid plan of an account without any customer is reported as not repairable, and stays until its period ends', async () => {
  const user = await makeUser(server)
  await query(
    `insert into paid_plans (user_id, provider, plan, subscription_id, status, cancel_at_period_end, current_period_end, until)
     values ($1, 'demo', 'pro_monthly', 'sub_lost', 'active', false, now() + interval '1 day', now() + interval '1 day')`,
    [user.id],
  )
  const { text, exitStatus } = await run('--repair', '--yes')
  expect(text).toMatch(
    new RegExp(
      `NOT REPAIRED {2}1 account with a paid plan and without a customer at the payment provider.*: ${user.id}`,
    ),
  )
  expect([exitStatus, text.includes('repaired Queued')]).toEqual([1, false])
  const plans = () => query('select from paid_plans where user_id = $1', [user.id])
  expect(await plans()).toHaveLength(1)
  await query(
    `update paid_plans set until = now() - interval '3 hours', current_period_end = now() - interval '3 hours' where user_id = $1`,
    [user.id],
  )
  expect(await findings()).toMatchObject([{ kind: 'plans', count: 1 }])
  await query("select graphile_worker.add_job('reconcile-payments', '{}'::json)")
  await server.work()
  expect([await plans(), await findings()]).toEqual([[], []])
})

test('late events, refunds, closed customers and comparisons are each reported, and completed by a repair', async () => {
  const [told, refunded, closing, forgotten, switched] = await Promise.all([
    payer(),
    payer(),
    payer(),
    payer(),
    payer(),
  ])
  await server.work()
  const event = (id: string, customer: string | null, provider = 'demo') =>
    query(
      `insert into payment_events (provider, id, type, customer_id, created_at, received_at)
       values ($1, $2, 'invoice.paid', $3, now() - interval '1 hour', now() - interval '1 hour')`,
      [provider, id, customer],
    )
  await event('evt_stuck', told.customer)
  await event('evt_of_nobody', 'cus_gone')
  await event('evt_without_customer', null)
  await event('evt_of_another_provider', told.customer, 'stripe')
  await query(
    `insert into refunds (id, customer_id, reason, requested_at) values ('late', $1, 'operator', now() - interval '2 days')`,
    [refunded.customer],
  )
  await query('update users set is_active = false where id = any($1)', [[closing.id, forgotten.id]])
  await query(`update billing_customers set close_since = now() - interval '2 days' where customer_id = $1`, [
    closing.customer,
  ])
  await query(`update billing_customers set close_since = now() - interval '2 days' where customer_id = $1`, [
    switched.customer,
  ])
  await query(`update payment_settings set compared_at = now() - interval '3 days'`)
  const [payments, ...others] = await findings()
  expect(others).toEqual([])
  expect(payments).toMatchObject({ kind: 'payments', count: 7, since: expect.any(String) })
  expect(payments!.examples.toSorted()).toEqual(
    [
      'comparison with the payment provider',
      `customer ${closing.customer} to close`,
      `customer ${forgotten.customer} to close`,
      'event evt_of_nobody',
      'event evt_stuck',
      'event evt_without_customer',
      'refund late',
    ].toSorted(),
  )
  const { text, exitStatus } = await run('--repair', '--yes')
  expect(text).toContain('WRONG  Payments that are not finished: 7')
  expect(text).toContain('repaired Queued the job that finishes payments.')
  expect(text).toContain('repaired Queued the comparison of all customers with the payment provider.')
  expect(exitStatus).toBe(1)
  await server.work()
  expect(await findings()).toEqual([])
  const live = await query<{ customer_id: string }>(
    'select customer_id from demo_subscriptions where ended_at is null and customer_id = any($1)',
    [[told, refunded, closing, forgotten, switched].map(({ customer }) => customer)],
  )
  expect(live.map(({ customer_id: id }) => id).toSorted()).toEqual([told.customer, switched.customer].toSorted())
  expect(await query("select from payment_events where id = 'evt_of_another_provider'")).toHaveLength(1)
})

test('jobs, emails and deliveries that wait for too long are named, and counts are raised but never lowered', async () => {
  const user = await makeUser(server)
  const [email, webhook, delivery] = [newId(), newId(), newId()]
  await query(
    `insert into emails (id, kind, user_id, recipient, recipient_key, due_at, give_up_at)
     values ($1, 'usage', $2, 'a@example.com', 'a@example.com', now() - interval '1 hour', now() + interval '1 day')`,
    [email, user.id],
  )
  await query(
    `insert into webhooks (id, user_id, url, events, encrypted_secret, secret_last_four) values ($1, $2, 'https://example.com', '{}', '', '')`,
    [webhook, user.id],
  )
  await query(
    `insert into webhook_deliveries (id, webhook_id, message_id, type, body, next_attempt_at, give_up_at)
     values ($1, $2, 'one', 'photo.ready', '{}', now() - interval '2 hours', now() + interval '1 day')`,
    [delivery, webhook],
  )
  const { pool } = server.app.deps
  for (const name of ['failed', 'unstarted', 'cut off'])
    await query(`select graphile_worker.add_job('measure-logo', '{"key": "brand/one"}', job_key => $1)`, [name])
  const jobs = () =>
    query<{ id: string; attempts: number; locked_by: string | null }>(
      "select id, attempts, locked_by from graphile_worker.jobs where task_identifier = 'measure-logo' order by id",
    )
  const [failed, unstarted, cutOff] = await jobs()
  await failJobs(pool, 'failed')
  await ageJobs(pool, '1 hour', 'unstarted')
  await lockJobs(pool, '5 minutes', 'cut off')
  await query(
    `insert into usage_months (user_id, month, uploads) values ($1, date_trunc('month', now()), 7)
     on conflict (user_id, month) do update set uploads = 7`,
    [user.id],
  )
  expect(await findings()).toMatchObject([
    { kind: 'jobs-failed', count: 1, examples: [`measure-logo (job ${failed!.id})`] },
    {
      kind: 'jobs-waiting',
      count: 2,
      examples: [`measure-logo (job ${unstarted!.id})`, `measure-logo (job ${cutOff!.id})`],
    },
    { kind: 'emails', count: 1, examples: [`email ${email} (usage)`] },
    { kind: 'webhooks', count: 1, examples: [`delivery ${delivery}`] },
  ])
  const { text, exitStatus } = await run('--repair', '--yes')
  expect(exitStatus).toBe(1)
  for (const sentence of [
    'WRONG  Delayed emails: 1',
    'WRONG  Webhook deliveries that are late: 1',
    'WRONG  Jobs that are due and do not run: 2',
    'repaired Queued 1 job again that had failed permanently.',
    'repaired Queued the job that starts late photos, deletions, emails and deliveries again',
  ])
    expect(text).toContain(sentence)
  expect(await query('select uploads from usage_months where user_id = $1', [user.id])).toEqual([{ uploads: 7 }])
  expect((await jobs()).map(({ attempts, locked_by: by }) => [attempts, by])).toEqual([
    [0, null],
    [0, null],
    [1, 'dead'],
  ])
})
