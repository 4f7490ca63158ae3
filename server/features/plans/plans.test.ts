import { sql } from 'kysely'
import { type PlanId, planIds, plans } from '@keepsnap/contract/plans.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../test/cloned-database.ts'
import { makeUser } from '../../test/test-data.ts'
import { planOf, planOfUser } from './plans.ts'

const database = useDatabase()
beforeAll(async () => void (await sql`update payment_settings set provider = 'demo'`.execute(database.db)))

test('a plan that does not exist counts as the free one', () => {
  expect(planOf({ plan: 'pro_yearly' }).id).toBe('pro_yearly')
  expect(planOf({ plan: 'platinum' }).id).toBe('free')
})

describe('the plan that counts', () => {
  interface PaidPlan {
    plan: PlanId
    provider?: 'stripe' | 'demo'
    endsIn?: string
  }
  async function userWith(granted: { plan: PlanId; endsIn?: string } | null, paid: PaidPlan | null) {
    const user = await makeUser(database)
    if (granted)
      await sql`update users set granted_plan = ${granted.plan}, granted_until = now() + ${granted.endsIn ?? null}::interval
        where id = ${user.id}`.execute(database.db)
    if (paid)
      await sql`
        insert into paid_plans (user_id, provider, plan, subscription_id, status, cancel_at_period_end, current_period_end, until)
        values (${user.id}, ${paid.provider ?? 'demo'}, ${paid.plan}, 'one', 'active', false, now(), now() + ${paid.endsIn ?? '1 day'}::interval)`.execute(
        database.db,
      )
    return user.id
  }

  test.each<[string, { plan: PlanId; endsIn?: string } | null, PaidPlan | null, PlanId]>([
    ['nothing', null, null, 'free'],
    ['a complimentary plan without an end', { plan: 'pro_monthly' }, null, 'pro_monthly'],
    ['a complimentary plan that has not ended', { plan: 'pro_yearly', endsIn: '1 minute' }, null, 'pro_yearly'],
    ['a complimentary plan that has ended', { plan: 'pro_yearly', endsIn: '-1 second' }, null, 'free'],
    ['a paid plan', null, { plan: 'pro_monthly' }, 'pro_monthly'],
    ['a paid plan that has ended', null, { plan: 'pro_monthly', endsIn: '-1 second' }, 'free'],
    ['a paid plan of another provider', null, { plan: 'pro_monthly', provider: 'stripe' }, 'free'],
    ['both, the paid one better', { plan: 'pro_monthly' }, { plan: 'pro_yearly' }, 'pro_yearly'],
    ['both, the complimentary one better', { plan: 'pro_yearly' }, { plan: 'pro_monthly' }, 'pro_yearly'],
  ])('with %s', async (_, granted, paid, plan) => {
    expect((await planOfUser(database.db, await userWith(granted, paid))).id).toBe(plan)
  })

  test('ends by the billing clock if it is paid; complimentary plans ignore that clock', async () => {
    const granted = await userWith({ plan: 'pro_yearly', endsIn: '10 days' }, null)
    const paid = await userWith(null, { plan: 'pro_monthly', endsIn: '10 days' })
    await sql`update demo_clock set moved_by = interval '11 days'`.execute(database.db)
    expect((await planOfUser(database.db, granted)).id).toBe('pro_yearly')
    expect((await planOfUser(database.db, paid)).id).toBe('free')
    await sql`update demo_clock set moved_by = interval '0'`.execute(database.db)
  })
})

test('the database has the plans of the contract', async () => {
  const rows = await database.db.selectFrom('plans').selectAll().orderBy('position').execute()
  expect(rows).toEqual(planIds.map((id, position) => ({ ...plans[id], position })))
})
