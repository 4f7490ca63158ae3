import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { removalCommands } from '../../operations/plan-commands.ts'
import { photosDueForRemoval } from './over-limit-photos.ts'
import {
  checkKeptPhotos,
  type ClockWatch,
  createClockWatch,
  dueAccounts,
  removeApprovedPhotos,
  waitingRemovals,
} from './keeping.ts'
import { useServer } from '../../test/harness.ts'
import { addPhotos, makeUser, type TestUser } from '../../test/test-data.ts'

const gigabyte = 1024 ** 3
let log = ''
const out = { write: (text: string) => (log += text) }
const server = useServer({ PAYMENTS: 'demo' }, { out, ownImageProcesses: false })

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.app.deps.pool.query(text, values)).rows
beforeEach(async () => {
  log = ''
  await query('delete from users')
  await query('update removal_guard set stopped_at = null, stopped_because = null, checked_at = null')
})

/** As if the plan of an account had ended 31 days ago, and every email about it had been accepted. */
async function makeDue({ id }: TestUser, { clock = 'database', isFile = false } = {}): Promise<void> {
  await query("insert into photo_keeping (user_id, clock, starts_at) values ($1, $2, now() - interval '31 days')", [
    id,
    clock,
  ])
  await query(
    `insert into photo_keeping_emails (user_id, day, email_id, accepted_at, is_file)
     select $1, day, $1 || day, now() - interval '31 days' + make_interval(days => day), $2 from unnest(array[0, 20, 27]) as day`,
    [id, isFile],
  )
}
/** An account on the free plan with two photos, of which one does not fit. */
async function makeFullAccount(): Promise<TestUser> {
  const user = await makeUser(server)
  await addPhotos(server, user, { count: 2, bytes: Math.round(0.7 * gigabyte), daysAgo: 1 })
  return user
}
/** An account whose 30 days are over, with one photo that has to go. */
async function makeDueAccount(options?: Parameters<typeof makeDue>[1]): Promise<TestUser> {
  const user = await makeFullAccount()
  await makeDue(user, options)
  return user
}
const makeDueAccounts = async (count: number, options?: Parameters<typeof makeDueAccount>[0]): Promise<TestUser[]> => {
  const users: TestUser[] = []
  for (let n = 0; n < count; n++) users.push(await makeDueAccount(options))
  return users
}
const run = (clockWatch: ClockWatch = createClockWatch()) => checkKeptPhotos(server.app.deps, clockWatch)
const removedCount = async (): Promise<number> => (await query('select photo_id from photo_removals')).length
/** What the command prints. */
const command = (...args: string[]): Promise<string> =>
  removalCommands['removals']!(args)({ ...server.app.deps, confirm: async () => false })
const stopReason = async () =>
  (await query<{ why: string | null }>('select stopped_because as why from removal_guard'))[0]?.why
describe('removal stops', () => {
  test('when everything is due: nothing is removed until the operator has seen it and goes on', async () => {
    const users = await makeDueAccounts(7)
    await run()
    expect(await removedCount()).toBe(0)
    expect(await stopReason()).toBe('7 of 14 photos of 7 accounts would be removed within a day')
    expect(log).toContain('run \\"keepsnap removals\\"')
    await run()
    expect(await removedCount()).toBe(0)

    const overview = await command()
    expect(overview).toContain('To be removed now: 7 photos of 7 accounts, 4.90 GB.')
    for (const { email } of users) expect(overview).toContain(`${email}: 1 photo, 0.70 GB`)
    expect(overview).toContain('Nothing was changed.')
    expect(await removedCount()).toBe(0)

    expect(await command('--yes')).toContain('Removed.')
    expect([await removedCount(), await stopReason()]).toEqual([7, null])
    expect(await command()).toBe('No photos are due to be removed.')
  })

  test('when several runs of a day would come to too much', async () => {
    await makeDueAccounts(5)
    await run()
    expect([await removedCount(), await stopReason()]).toEqual([5, null])
    await makeDueAccount()
    await run()
    expect([await removedCount(), await stopReason()]).toEqual([
      5,
      '6 of 12 photos of 6 accounts would be removed within a day',
    ])
  })

  test('when the clock of the database has jumped since the last run, also of another process', async () => {
    await makeDueAccount()
    await query("update removal_guard set checked_at = now() - interval '40 days'")
    await run()
    expect(await removedCount()).toBe(0)
    expect(await stopReason()).toContain('the clock of the database jumped by more than a day')
    await command('--yes')
    expect(await removedCount()).toBe(1)
  })

  test('also the deletion of removed photos, whose time to be restored a clock jump would end', async () => {
    const user = await makeDueAccount()
    const watch = createClockWatch()
    await run(watch)
    expect(await removedCount()).toBe(1)
    // The clock is 40 days further than it was at the last run.
    await query("update photo_removals set restorable_until = restorable_until - interval '40 days'")
    await query("update removal_guard set checked_at = now() - interval '40 days'")
    await run()
    expect([await removedCount(), await query("select 1 from graphile_worker.jobs where key like 'delete:%'")]).toEqual(
      [1, []],
    )
    expect(await stopReason()).toContain('the clock of the database jumped by more than a day')
    await query('delete from photo_removals where user_id = $1', [user.id])
  })

  test('for none of these when few accounts or few photos are touched', async () => {
    await makeDueAccounts(5)
    await run()
    expect(await removedCount()).toBe(5)
    const other = await makeUser(server)
    await query(
      `insert into photos (id, user_id, code, filename, state, counted_month, full_key, full_bytes)
       select 'many' || n, $1, 'many' || n, 'a.jpg', 'ready', now()::date, 'full/many' || n, 10 from generate_series(1, 400) as n`,
      [other.id],
    )
    await makeDueAccounts(7)
    await run()
    expect([await removedCount(), await stopReason()]).toEqual([12, null])
  })
})

test('a clock has jumped when it moved by a day more or less than the machine ran', () => {
  const hour = 3_600_000
  let uptime = 1_000
  const watch = createClockWatch(() => uptime)
  const start = Date.UTC(2026, 10, 1)
  const at = (hours: number) => new Date(start + hours * hour)
  expect(watch.hasJumped(at(0), null)).toBe(false)
  uptime += 72 * 3600
  expect(watch.hasJumped(at(72), at(0))).toBe(false)
  uptime += 3600
  expect(watch.hasJumped(at(73 + 25), at(72))).toBe(true)
  uptime += 3600
  expect(watch.hasJumped(at(74 + 25), at(73 + 25))).toBe(false)
  expect(watch.hasJumped(at(70), at(74))).toBe(true)
  const restarted = createClockWatch(() => uptime)
  expect(restarted.hasJumped(at(80), at(75))).toBe(false)
  expect(createClockWatch(() => uptime).hasJumped(at(200), at(75))).toBe(true)
})

test('the operator removes exactly what was shown', async () => {
  const shown = await makeDueAccount({ isFile: true })
  const number = /--yes ([\da-f]{8})$/.exec(await command())?.[1] ?? ''
  const late = await makeDueAccount({ isFile: true })
  await expect(command('--yes', number)).rejects.toThrow('the photos that are due have changed since they were shown')
  // It becomes due while the question is asked, or when the answer is carried out.
  await query('delete from users where id = $1', [late.id])
  const confirm = async (): Promise<boolean> => (await makeDueAccount({ isFile: true })) !== undefined
  await expect(removalCommands['removals']!([])({ ...server.app.deps, confirm })).rejects.toThrow(
    'the photos that are due have changed',
  )
  expect(await removedCount()).toBe(0)
  await query('delete from users where id <> $1', [shown.id])
  expect(await command('--yes', number)).toContain(`${shown.email}: 1 photo`)
  expect(await removedCount()).toBe(1)
  const entries = await query('select actor_name, action from audit_log where user_id = $1', [shown.id])
  expect(entries).toEqual([{ actor_name: 'removals', action: 'remove photos' }])
})

test('an account whose emails were kept as files waits for the operator', async () => {
  const user = await makeDueAccount({ isFile: true })
  await run()
  expect([await removedCount(), await stopReason()]).toEqual([0, null])
  const waiting = { photos: 1, accounts: 1 }
  expect(await waitingRemovals(server.db)).toEqual({ ...waiting, stopped_at: null, stopped_because: null })
  expect(JSON.parse(log.trim().split('\n').at(-1) ?? '')).toMatchObject({ level: 50, ...waiting })
  expect(await command()).toContain(
    `${user.email}: 1 photo, 0.70 GB (emails about it were only saved in the outbox folder)`,
  )
  await command('--yes')
  expect(await removedCount()).toBe(1)
  expect(await waitingRemovals(server.db)).toMatchObject({ photos: 0, accounts: 0 })
})

test('two runs at once remove each photo once', async () => {
  await makeDueAccounts(3)
  await Promise.all([run(), run(), run()])
  expect(await removedCount()).toBe(3)
  expect(await query("select id from emails where kind = 'removed'")).toHaveLength(3)
})

test('a removal that was interrupted goes on, and one that is no longer needed does not', async () => {
  const [first, second] = await makeDueAccounts(2)
  await query('update photo_keeping set approved_at = now()')
  await query('update photos set full_bytes = 10 where user_id = $1', [second!.id])
  await run()
  expect(await query('select user_id from photo_removals')).toEqual([{ user_id: first!.id }])
  expect(await query("select user_id from emails where kind = 'removed'")).toEqual([{ user_id: first!.id }])
  expect(await query('select * from photo_keeping')).toEqual([])
})

describe('the clock of demo payments', () => {
  const moveClock = (days: number) => query('update demo_clock set moved_by = make_interval(days => $1)', [days])

  test('moves the days of accounts whose demo plan has ended, and of no others; its moves are no jump', async () => {
    const [demo, other] = [await makeDueAccount({ clock: 'demo' }), await makeDueAccount()]
    await query("update photo_keeping set starts_at = now() - interval '1 day'")
    const watch = createClockWatch()
    await run(watch)
    expect(await removedCount()).toBe(0)
    await moveClock(60)
    await run(watch)
    expect(await query('select user_id from photo_removals')).toEqual([{ user_id: demo.id }])
    expect([await stopReason(), (await query('select user_id from photo_keeping'))[0]]).toEqual([
      null,
      { user_id: other.id },
    ])
    await moveClock(66)
    await run(watch)
    expect(await removedCount()).toBe(1)
    await moveClock(67)
    await run(watch)
    expect(await removedCount()).toBe(0)
    await moveClock(0)
  })

  test('the number of photos that a move would remove includes plans that have ended or will end', async () => {
    await makeDueAccount({ clock: 'demo' })
    await makeDueAccount()
    const ending = await makeUser(server)
    await query(
      `insert into paid_plans (user_id, provider, plan, subscription_id, status, cancel_at_period_end, current_period_end, until)
       values ($1, 'demo', 'pro_monthly', 'sub', 'active', true, now() + interval '10 days', now() + interval '10 days')`,
      [ending.id],
    )
    await query(
      `insert into photos (id, user_id, code, filename, state, counted_month, full_key, full_bytes)
       select 'e' || n, $1, 'e' || n, 'a.jpg', 'ready', now()::date, 'full/e' || n, $2 from generate_series(1, 4) as n`,
      [ending.id, Math.round(0.6 * gigabyte)],
    )
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    expect(await photosDueForRemoval(server.db, inDays(0))).toEqual({ photos: 1, accounts: 1 })
    expect(await photosDueForRemoval(server.db, inDays(39))).toEqual({ photos: 1, accounts: 1 })
    expect(await photosDueForRemoval(server.db, inDays(41))).toEqual({ photos: 4, accounts: 2 })
  })
})

describe('of an account whose plan Stripe may still charge', () => {
  const check = () =>
    checkKeptPhotos(
      server.app.deps,
      createClockWatch(() => 1),
    )
  const setProvider = (provider: string | null) => query('update payment_settings set provider = $1', [provider])
  const isCounting = async ({ id }: TestUser): Promise<boolean> =>
    (await query('select from photo_keeping where user_id = $1', [id])).length > 0
  /** An account that pays by Stripe, as a synchronization with Stripe leaves it. */
  async function makeStripeAccount(): Promise<TestUser> {
    const user = await makeFullAccount()
    await query(
      "insert into billing_customers (customer_id, provider, user_id, synced_at) values ($1, 'stripe', $1, now())",
      [user.id],
    )
    await query(
      `insert into subscriptions (id, customer_id, price_id, plan, status, cancel_at_period_end, current_period_start, current_period_end, started_at)
       values ($1, $1, 'price', 'pro_monthly', 'active', false, now(), now() + interval '1 month', now())`,
      [user.id],
    )
    await query(
      `insert into paid_plans (user_id, provider, plan, subscription_id, status, cancel_at_period_end, current_period_end, until)
       values ($1, 'stripe', 'pro_monthly', $1, 'active', false, now() + interval '1 month', now() + interval '37 days')`,
      [user.id],
    )
    return user
  }
  beforeEach(() => setProvider('stripe'))
  afterAll(() => setProvider('demo'))

  test('nothing is removed, whatever is set here, until Stripe confirms the end', async () => {
    const user = await makeStripeAccount()
    await check()
    for (const provider of [null, 'demo']) {
      await setProvider(provider)
      await check()
      expect(await isCounting(user)).toBe(false)
      await makeDue(user)
      expect(await dueAccounts(server.db)).toEqual([])
      await query('update photo_keeping set approved_at = now()')
      await removeApprovedPhotos(server.db)
      expect(await removedCount()).toBe(0)
      await query('delete from photo_keeping')
    }
    await setProvider('stripe')
    // Stripe has not been reached since the period ended.
    await query("update paid_plans set until = now() - interval '1 second'")
    await check()
    expect(await isCounting(user)).toBe(false)
    await query("update subscriptions set status = 'canceled', ended_at = now()")
    await query('delete from paid_plans')
    await check()
    expect(await isCounting(user)).toBe(true)
  })

  test('a missed payment ends the plan only if the customer was synced recently', async () => {
    const user = await makeStripeAccount()
    await check()
    await query("update paid_plans set until = now() - interval '1 second'")
    await query("update subscriptions set status = 'past_due'")
    await query("update billing_customers set synced_at = now() - interval '3 days'")
    await check()
    expect(await isCounting(user)).toBe(false)
    await query('update billing_customers set synced_at = now()')
    await check()
    expect(await isCounting(user)).toBe(true)
  })
})
