import { beforeAll, describe, expect, test } from 'vitest'
import { withdrawalLimits } from '@keepsnap/contract/limits.ts'
import type { OperatorOverview, OperatorUserDetail } from '@keepsnap/contract/operators.ts'
import type { OperatorWithdrawal } from '@keepsnap/contract/operator-withdrawals.ts'
import type { WithdrawalMade, WithdrawalOffer } from '@keepsnap/contract/withdrawals.ts'
import { PaymentsDown } from '../../ports/payments/payments.ts'
import { makeJobsDue, newClientAddress, serverForThisTest, useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import {
  callBilling,
  demoOf,
  failCall,
  moveBillingClock,
  subscribe,
  subscriptionStatusOf,
} from '../../test/subscriptions.ts'
import { auditOf, callOperator, makeOperator, makeUser, type TestUser } from '../../test/test-data.ts'
import { reconcilePayments } from './reconcile.ts'
import { runRefund } from './refunds.ts'
import { withdrawalEnd } from './withdrawal-refunds.ts'
import { countWithdrawals } from '../operators/withdrawals.ts'
import { cleanUpWithdrawals, processWithdrawal } from './withdrawals.ts'

let operator: TestUser
const server = useServer({ LOG_LEVEL: 'silent', SUPPORT_EMAIL: 'help@foto.example.com' })
beforeAll(async () => void (operator = await makeOperator(server)))

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const planOf = async (user: TestUser): Promise<string> => (await subscriptionStatusOf(server, user)).plan.id
const offerTo = async (user: TestUser): Promise<WithdrawalOffer> =>
  (await callBilling(server, user, 'withdrawal', { method: 'GET' })).json<WithdrawalOffer>()
const fieldsOf = ({ email }: Pick<TestUser, 'email'>) => ({
  name: 'Ada Peeters',
  email,
  contract: 'Pro Monthly, made this week',
})
const post = (body: object, { token, from = newClientAddress() }: { token?: string; from?: string } = {}) =>
  server.request({ method: 'POST', url: '/withdraw', body, token, from })
/** Withdraws from the account's own contract, signed in. */
async function withdraw(user: TestUser, more: object = {}): Promise<WithdrawalMade> {
  const { contract } = await offerTo(user)
  const answer = await post({ ...fieldsOf(user), contract_id: contract?.id ?? 'none', ...more }, user)
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
  return answer.json<WithdrawalMade>()
}
/** Withdraws without a session; the body of the receipt. */
async function withdrawSignedOut(user: Pick<TestUser, 'email'>): Promise<string> {
  expect((await post(fieldsOf(user))).json()).toMatchObject({ outcome: 'email', refunded_cents: null, until: null })
  return receiptTo(user)
}
async function receiptTo({ email }: Pick<TestUser, 'email'>): Promise<string> {
  await server.work()
  const receipts = (await emailsTo(server, email)).filter(
    ({ subject }) => subject === 'Your withdrawal from the contract',
  )
  return receipts.at(-1)?.text ?? ''
}
const linkIn = (receipt: string): string => /http:\/\/photos\.test(\/withdraw\/\S+)/.exec(receipt)?.[1] ?? 'no link'
const press = (path: string) => server.request({ method: 'POST', url: path, body: '', headers: formType })
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const sendForm = (fields: object) =>
  server.request({
    method: 'POST',
    url: '/withdraw?lang=en',
    body: new URLSearchParams({ ...fields }).toString(),
    headers: { ...formType, accept: 'text/html' },
    from: newClientAddress(),
  })
const customerOf = async ({ id }: TestUser): Promise<string> =>
  (await query('select customer_id as id from billing_customers where user_id = $1', [id])).rows[0]?.id ?? ''
/** What was refunded of each payment, the oldest first. */
const refundedOf = async (user: TestUser): Promise<string[]> =>
  (await demoOf(server).paymentsOf(await customerOf(user)))
    .toReversed()
    .map(({ refundedCents, amountCents }) => `${refundedCents} of ${amountCents}`)
const statesOf = async ({ email }: Pick<TestUser, 'email'>): Promise<string[]> =>
  (await query('select state from withdrawals where email = $1 order by state', [email])).rows.map(({ state }) => state)
async function subscriber(plan?: 'pro_yearly'): Promise<TestUser> {
  const user = await makeUser(server)
  await subscribe(server, user, plan)
  return user
}
const change = (user: TestUser, price: 'demo_pro_yearly' | 'demo_pro_monthly') =>
  callBilling(server, user, 'change', { body: { price_id: price } })
const operatorCall = (path: string, body?: Record<string, unknown>) =>
  callOperator(server, operator, `withdrawals${path}`, body)
const idOf = async ({ email }: Pick<TestUser, 'email'>): Promise<string> =>
  (await query('select id from withdrawals where email = $1 order by created_at desc', [email])).rows[0]?.id ?? ''

test.each([
  ['Sunday, so Monday', '2026-11-29T12:00:00Z', '2026-12-14T22:59:59Z'],
  ['the day in Brussels, not in UTC', '2026-11-29T23:30:00Z', '2026-12-14T22:59:59Z'],
  ['a Saturday, so Monday', '2026-11-21T12:00:00Z', '2026-12-07T22:59:59Z'],
  ['a Sunday, so Monday', '2026-11-22T12:00:00Z', '2026-12-07T22:59:59Z'],
  ['a Friday', '2026-11-20T12:00:00Z', '2026-12-04T22:59:59Z'],
  ['the change to summer time', '2027-03-22T23:30:00Z', '2027-04-06T21:59:59Z'],
  ['the change to winter time', '2026-10-13T21:30:00Z', '2026-10-27T22:59:59Z'],
])('the last second of the 14 days: %s', (_, concludedAt, last) => {
  expect(new Date(withdrawalEnd(new Date(concludedAt)).getTime() - 1000)).toEqual(new Date(last))
})

describe('signed in', () => {
  test('the contract is offered, a withdrawal ends it at once, and its money goes back; the 30-day money back stays', async () => {
    const user = await subscriber()
    const { contract, ...who } = await offerTo(user)
    expect(who).toEqual({ name: expect.any(String), email: user.email, made: null })
    expect(contract).toMatchObject({ plan: { id: 'pro_monthly', price_cents: 1499 }, is_over: false })
    expect(await withdraw(user)).toMatchObject({ outcome: 'accepted', refunded_cents: 1499 })
    expect([await planOf(user), await refundedOf(user)]).toEqual(['free', ['1499 of 1499']])
    expect(await offerTo(user)).toMatchObject({ contract: null, made: { refunded_cents: 1499 } })
    const receipt = await receiptTo(user)
    for (const part of ['Ada Peeters', user.email, 'Pro Monthly, made this week', 'I withdraw from this contract.'])
      expect(receipt).toContain(part)
    expect(receipt).toMatch(/Made on: \d+ \w+ \d{4} at \d\d:\d\d:\d\d CES?T/)
    const subjects = (await emailsTo(server, user.email)).map(({ subject }) => String(subject))
    expect(subjects.toSorted()).toEqual(['Welcome to Pro Monthly', 'Your refund', 'Your withdrawal from the contract'])
    // A new contract can be refunded by the other rule.
    await subscribe(server, user)
    expect((await callBilling(server, user, 'refund')).json()).toEqual({ refunded_cents: 1499 })
  })

  test('twice at once it is made once', async () => {
    const user = await subscriber()
    const { contract } = await offerTo(user)
    const body = { ...fieldsOf(user), contract_id: contract?.id }
    const answers = await Promise.all([post(body, user), post(body, user), post({ ...body, name: 'Ada' }, user)])
    const made = answers.map((one) => one.json<WithdrawalMade>())
    expect(new Set(made.map(({ made_at }) => made_at)).size).toBe(1)
    expect(made.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted'])
    expect([await statesOf(user), await refundedOf(user)]).toEqual([['done'], ['1499 of 1499']])
  })

  test('on the 15th day it is late: the plan goes on, and an operator can accept it all the same', async () => {
    const user = await subscriber()
    await query("update demo_invoices set issued_at = issued_at - interval '18 days' where customer_id = $1", [
      await customerOf(user),
    ])
    const { contract } = await offerTo(user)
    expect(contract?.is_over).toBe(true)
    expect(await withdraw(user)).toMatchObject({ outcome: 'late', until: contract?.until, refunded_cents: null })
    expect([await planOf(user), await refundedOf(user)]).toEqual(['pro_monthly', ['0 of 1499']])
    const receipt = await receiptTo(user)
    for (const part of ['so the plan goes on', 'within 30 days of your first payment', 'http://photos.test/settings'])
      expect(receipt).toContain(part)
    const accepted = await operatorCall(`/${await idOf(user)}/accept`, { reason: 'The last day was a holiday' })
    expect(accepted.json()).toMatchObject({ state: 'done', accepted_by: 'operator', refunded_cents: 1499 })
    expect(await planOf(user)).toBe('free')
  })

  test('a contract that the page has not shown waits for the link', async () => {
    const user = await subscriber()
    expect(await withdraw(user, { contract_id: 'demo_in_of_somebody_else' })).toMatchObject({ outcome: 'email' })
    await server.work()
    expect([await statesOf(user), await planOf(user)]).toEqual([['waiting'], 'pro_monthly'])
  })
})

describe('the money of a contract', () => {
  test('after a change to a year: its invoice, and the unused time of the month that it set off', async () => {
    const user = await subscriber()
    await query(
      "update demo_subscriptions set current_period_start = current_period_start - interval '15 days', current_period_end = current_period_end - interval '15 days' where customer_id = $1",
      [await customerOf(user)],
    )
    await change(user, 'demo_pro_yearly')
    const [, year] = (await demoOf(server).paymentsOf(await customerOf(user))).toReversed()
    const setOff = 14_999 - (year?.amountCents ?? 0)
    expect(setOff).toBeGreaterThan(600)
    expect(setOff).toBeLessThan(900)
    expect(await withdraw(user)).toMatchObject({ outcome: 'accepted', refunded_cents: 14_999 })
    expect(await refundedOf(user)).toEqual([`${setOff} of 1499`, `${14_999 - setOff} of ${14_999 - setOff}`])
  })

  test('after a change to a month: what it turned in of the year, also what is left of it', async () => {
    const user = await subscriber('pro_yearly')
    await change(user, 'demo_pro_monthly')
    expect((await subscriptionStatusOf(server, user)).subscription?.credit_cents).toBeGreaterThan(13_000)
    expect(await withdraw(user)).toMatchObject({ outcome: 'accepted', refunded_cents: 14_999 })
    expect(await refundedOf(user)).toEqual(['14999 of 14999'])
    expect((await subscriptionStatusOf(server, user)).subscription).toBeNull()
  })

  test('is given back once, when some of it was before, and when it is refunded as a whole at the same time', async () => {
    const [partly, both] = [await subscriber(), await subscriber()]
    const [payment] = await demoOf(server).paymentsOf(await customerOf(partly))
    await demoOf(server).refund(payment?.id ?? '', 'by hand', 500)
    expect(await withdraw(partly)).toMatchObject({ refunded_cents: 999 })
    const { contract } = await offerTo(both)
    const [refund] = await Promise.all([
      callBilling(server, both, 'refund'),
      post({ ...fieldsOf(both), contract_id: contract?.id }, both),
    ])
    expect([200, 409]).toContain(refund.statusCode)
    await server.work()
    expect([await refundedOf(both), await planOf(both)]).toEqual([['1499 of 1499'], 'free'])
    const told = (await emailsTo(server, both.email)).filter(({ subject }) => subject === 'Your refund')
    expect(told).toHaveLength(1)
  })

  test('after a refund there is no contract', async () => {
    const user = await subscriber()
    await callBilling(server, user, 'refund')
    expect((await offerTo(user)).contract).toBeNull()
    expect(await withdraw(user)).toMatchObject({ outcome: 'email' })
    expect(await receiptTo(user)).toContain('No contract that is going on was found')
    expect(await refundedOf(user)).toEqual(['1499 of 1499'])
  })

  test('an unfinished withdrawal is finished before a full refund gives back the rest', async () => {
    const user = await subscriber('pro_yearly')
    await change(user, 'demo_pro_monthly')
    const customer = await customerOf(user)
    await query('update demo_subscriptions set credit_cents = credit_cents - 5000 where customer_id = $1', [customer])
    const { contract } = await offerTo(user)
    const error = new PaymentsDown('the provider is not there')
    const body = { ...fieldsOf(user), contract_id: contract?.id }
    const { refund } = demoOf(server)
    Object.assign(demoOf(server), { refund: () => Promise.reject(error) })
    const answer = await post(body, user)
    Object.assign(demoOf(server), { refund })
    expect(answer.json()).toMatchObject({ outcome: 'accepted', refunded_cents: null })
    await query(
      "insert into refunds (id, customer_id, reason, requested_at) values ('rest-' || $1, $1, 'operator', now())",
      [customer],
    )
    expect(await runRefund(server.app.deps, `rest-${customer}`)).toBe(5000)
    expect(await statesOf(user)).toEqual(['done'])
    expect(await refundedOf(user)).toEqual(['14999 of 14999'])
  })

  test('a renewal until the plan ends goes back as well', async () => {
    const user = await subscriber()
    const receipt = await withdrawSignedOut(user)
    await moveBillingClock(server, 32)
    expect(await refundedOf(user)).toEqual(['0 of 1499', '0 of 1499'])
    await press(linkIn(receipt))
    expect(await refundedOf(user)).toEqual(['1499 of 1499', '1499 of 1499'])
  })

  test('goes back whichever call to the provider fails, after it is tried again', async () => {
    const error = new PaymentsDown('the provider is not there')
    for (const [before, isLost] of [
      [2, false],
      [3, true],
      [5, true],
    ] as const) {
      const user = await subscriber()
      const { contract } = await offerTo(user)
      const body = { ...fieldsOf(user), contract_id: contract?.id }
      const { result } = await failCall(demoOf(server), { before, error, isLost }, () => post(body, user))
      expect(result.statusCode).toBe(200)
      for (let n = 0; n < 2; n += 1) {
        await makeJobsDue(server.app.deps.pool, 'withdrawal:%')
        await server.work()
      }
      expect([before, await statesOf(user), await refundedOf(user)]).toEqual([before, ['done'], ['1499 of 1499']])
    }
  })
})

describe('signed out', () => {
  test('the link in the receipt ends the plan with its button, as often as it is pressed', async () => {
    const user = await subscriber()
    const path = linkIn(await withdrawSignedOut({ email: user.email.toUpperCase() }).then(() => receiptTo(user)))
    const open = () => server.request({ method: 'GET', url: path })
    expect((await open()).body).toContain('End Pro Monthly and get your money back?')
    expect(await planOf(user)).toBe('pro_monthly')
    const pressed = await Promise.all([press(path), press(path)])
    expect(pressed.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    for (const { body } of [await open(), await press(path)]) expect(body).toContain('We have paid back $14.99')
    expect([await planOf(user), await refundedOf(user)]).toEqual(['free', ['1499 of 1499']])
    // Who repeats it later is told the same.
    await query("update withdrawals set created_at = now() - interval '1 hour' where user_id = $1", [user.id])
    expect(await withdrawSignedOut(user)).toContain('Pro Monthly has ended')
  })

  test('a stranger’s address is answered in the same way, and gets no link', async () => {
    const user = await subscriber()
    const stranger = { email: `nobody-${user.email}` }
    const answers = [await post(fieldsOf(stranger)), await post(fieldsOf(user))]
    const [one, other] = answers.map((answer) => ({ ...answer.json<WithdrawalMade>(), made_at: '' }))
    expect(one).toEqual(other)
    const receipt = await receiptTo(stranger)
    expect(receipt).toContain('No contract that is going on was found')
    expect(linkIn(receipt)).toBe('no link')
    expect(await planOf(user)).toBe('pro_monthly')
  })

  test('accounts with addresses of one mailbox withdraw in the same words, each for itself', async () => {
    const [one, tagged] = [{ email: 'both@example.com' }, { email: 'both+work@example.com' }]
    for (const who of [one, tagged, tagged]) await post(fieldsOf(who))
    await server.work()
    expect([await statesOf(one), await statesOf(tagged)]).toEqual([['unmatched'], ['unmatched']])
  })

  test('a link that is not ours, or too old, opens nothing', async () => {
    const user = await subscriber()
    const path = linkIn(await withdrawSignedOut(user))
    const old = server.app.deps.tokens.withdrawals.token(await idOf(user), Math.floor(Date.now() / 1000) - 1)
    for (const one of [`${path}x`, `/withdraw/${old}`, '/withdraw/unknown']) {
      expect((await press(one)).statusCode).toBe(404)
      expect((await server.request({ method: 'GET', url: one })).body).toContain('This link isn’t valid')
    }
    expect(await planOf(user)).toBe('pro_monthly')
  })

  test('the receipt does not wait for the provider; another one follows', async () => {
    const user = await subscriber()
    const error = new PaymentsDown('the provider is not there')
    await server.work()
    await post(fieldsOf(user))
    const first = await failCall(demoOf(server), { before: 0, error }, () => receiptTo(user))
    expect(first.result).toContain('We are looking for your contract')
    await query("update withdrawals set created_at = now() - interval '1 hour' where email = $1", [user.email])
    await reconcilePayments(server.app.deps)
    expect(linkIn(await receiptTo(user))).toMatch(/^\/withdraw\//)
  })

  test('limits of an address say where to write, and do not count those of sessions', async () => {
    const user = await subscriber()
    await query(
      `insert into withdrawals (id, name, email, mailbox, contract, language, state)
       select 'full-' || n, 'Ann', $1, $1, 'Pro', 'en', 'unmatched' from generate_series(1, $2) as n`,
      [user.email, withdrawalLimits.perAddressDay],
    )
    const refused = await post(fieldsOf(user))
    expect([refused.statusCode, refused.json().detail]).toEqual([
      429,
      'Too many withdrawals have been made with this address today. Please write to help@foto.example.com instead: a withdrawal by email counts as well.',
    ])
    const form = await sendForm({ ...fieldsOf(user), confirmed: 'yes' })
    expect([form.statusCode, form.body]).toEqual([429, expect.stringContaining('help@foto.example.com')])
    expect(await withdraw(user)).toMatchObject({ outcome: 'accepted' })
  })
})

test('receipts of many accounts do not fill an address that is none of theirs', async () => {
  const [one, other] = [await makeUser(server), await makeUser(server)]
  const fill = (n: number) => post({ ...fieldsOf({ email: 'full@example.com' }), contract_id: `none ${n}` }, one)
  for (let n = 0; n < withdrawalLimits.perAddressDay; n += 1) expect((await fill(n)).statusCode).toBe(200)
  const more = { ...fieldsOf({ email: 'full@example.com' }), contract_id: 'none' }
  expect((await post(more, other)).statusCode).toBe(429)
  expect((await post({ ...more, email: other.email.toUpperCase() }, other)).statusCode).toBe(200)
})

describe('without JavaScript', () => {
  test('the form asks for the confirmation, goes back, and makes the withdrawal', async () => {
    const user = await subscriber()
    const fields = { ...fieldsOf(user), name: 'Ada <b>Peeters' }
    const step = await sendForm(fields)
    for (const part of ['Confirm withdrawal', 'Ada &lt;b&gt;Peeters', 'name="confirmed"'])
      expect(step.body).toContain(part)
    expect(await statesOf(user)).toEqual([])
    const back = await sendForm({ ...fields, confirmed: 'no' })
    expect(back.body).toContain('value="Ada &lt;b&gt;Peeters"')
    const made = await sendForm({ ...fields, confirmed: 'yes' })
    expect(made.body).toMatch(/Your withdrawal was made on \d+ \w+ \d{4} at \d\d:\d\d:\d\d/)
    await server.work()
    expect(await statesOf(user)).toEqual(['waiting'])
  })

  test('what is wrong is said beside its field, and nothing is lost', async () => {
    const bad = await sendForm({ name: '', email: 'ada@', contract: 'x'.repeat(501) })
    expect(bad.statusCode).toBe(422)
    for (const part of ['Please enter your name', 'value="ada@"', 'Please use at most 500 characters', 'x'.repeat(501)])
      expect(bad.body).toContain(part)
    const json = await post({ name: '...', email: '', contract: 'x' })
    expect(json.json().detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual(['name', 'email'])
  })
})

describe('operators', () => {
  test('find the account of an unmatched one, accept it or close it, and see what is overdue', async () => {
    const [user, other] = [await subscriber(), { email: 'guess@example.com' }]
    const unknown = { email: `other-${user.email}` }
    for (const one of [unknown, other]) await withdrawSignedOut(one)
    const id = await idOf(unknown)
    const before = (await countWithdrawals(server.db)).overdue
    await query("update withdrawals set made_at = made_at - interval '15 days' where id = $1", [id])
    const list = (await operatorCall('')).json<{ withdrawals: OperatorWithdrawal[]; counts: { overdue: number } }>()
    expect(list.counts.overdue).toBe(before + 1)
    expect(list.withdrawals.find((one) => one.id === id)).toMatchObject({
      is_overdue: true,
      state: 'unmatched',
      found: null,
    })
    const overview = (await callOperator(server, operator, 'overview')).json<OperatorOverview>()
    expect(overview.withdrawals.overdue).toBe(before + 1)
    await query("update withdrawals set made_at = made_at + interval '15 days' where id = $1", [id])
    const reason = 'Called us'
    expect((await operatorCall(`/${id}/accept`, { reason })).statusCode).toBe(409)
    expect((await operatorCall(`/${id}/link`, { email: unknown.email, reason })).statusCode).toBe(404)
    const linked = await operatorCall(`/${id}/link`, { email: user.email, reason })
    expect(linked.json()).toMatchObject({
      state: 'waiting',
      account: { id: user.id },
      found: { plan_name: 'Pro Monthly' },
    })
    const accepted = await operatorCall(`/${id}/accept`, { reason })
    expect(accepted.json()).toMatchObject({ state: 'done', refunded_cents: 1499, accepted_by: 'operator' })
    const { payments } = (await callOperator(server, operator, `users/${user.id}`)).json<OperatorUserDetail>()
    expect(payments.refunds).toMatchObject([{ reason: 'withdrawal', amount_cents: 1499 }])
    // Pressed twice.
    expect((await operatorCall(`/${id}/accept`, { reason })).statusCode).toBe(200)
    expect(await planOf(user)).toBe('free')
    const closed = await operatorCall(`/${await idOf(other)}/dismiss`, { reason: 'No customer' })
    expect(closed.json()).toMatchObject({ state: 'dismissed', note: 'No customer' })
    expect((await operatorCall(`/${id}/dismiss`, { reason })).statusCode).toBe(409)
    expect((await auditOf(server, user.id)).map((one) => (one as { action: string }).action)).toEqual(
      expect.arrayContaining(['link withdrawal', 'accept withdrawal']),
    )
  })
})

test('a receipt that is sent after an operator has linked its withdrawal to another address has no link', async () => {
  const user = await subscriber()
  const stranger = { email: `late-${user.email}` }
  await post(fieldsOf(stranger))
  const id = await idOf(stranger)
  await processWithdrawal(server.app.deps, id)
  const linked = await operatorCall(`/${id}/link`, { email: user.email, reason: 'Called us' })
  expect(linked.json()).toMatchObject({ state: 'waiting' })
  const receipt = await receiptTo(stranger)
  expect([receipt, linkIn(receipt)]).toEqual([expect.stringContaining('No contract that is going on'), 'no link'])
})

test('a deleted account leaves its withdrawal, whose money an operator can still send back', async () => {
  const user = await subscriber()
  await withdrawSignedOut(user)
  await query('update users set created_at = created_at where id = $1', [user.id])
  const deleted = await callOperator(server, operator, `users/${user.id}/delete`, {
    email: user.email,
    reason: 'Asked for it',
  })
  expect(deleted.statusCode).toBe(200)
  await server.work()
  const id = await idOf(user)
  const accepted = await operatorCall(`/${id}/accept`, { reason: 'Withdrawn before' })
  expect(accepted.json()).toMatchObject({ state: 'done', account: null, refunded_cents: 1499 })
})

test('an account that is deleted before its contract is found leaves it, too', async () => {
  const user = await subscriber()
  const { contract } = await offerTo(user)
  const body = { ...fieldsOf(user), contract_id: contract?.id }
  const error = new PaymentsDown('the provider is not there')
  const { result } = await failCall(demoOf(server), { before: 0, error }, () => post(body, user))
  expect([result.json(), await statesOf(user)]).toEqual([expect.objectContaining({ outcome: 'email' }), ['received']])
  const customer = await customerOf(user)
  const words = { email: user.email, reason: 'Asked for it' }
  expect((await callOperator(server, operator, `users/${user.id}/delete`, words)).statusCode).toBe(200)
  await server.work()
  await makeJobsDue(server.app.deps.pool, 'withdrawal:%')
  const receipt = await receiptTo(user)
  expect(await statesOf(user)).toEqual(['waiting'])
  expect((await press(linkIn(receipt))).body).toContain('We have paid back $14.99')
  expect(await demoOf(server).paymentsOf(customer)).toMatchObject([{ refundedCents: 1499 }])
})

test('withdrawals are deleted after three years, and clients forgotten after a day', async () => {
  const [old, recent] = [{ email: 'old@example.com' }, { email: 'recent@example.com' }]
  for (const one of [old, recent]) await post(fieldsOf(one))
  await query("update withdrawals set made_at = made_at - interval '1096 days' where email = $1", [old.email])
  await query("update withdrawals set created_at = created_at - interval '25 hours' where email = $1", [recent.email])
  await cleanUpWithdrawals(server.db)
  const { rows } = await query(
    "select email, client from withdrawals where email in ('old@example.com', 'recent@example.com')",
  )
  expect(rows).toEqual([{ email: recent.email, client: null }])
})

test('where plans are not sold, nothing is there', async () => {
  const off = await serverForThisTest({ PAYMENTS: 'off' })
  const user = await makeUser(off)
  expect((await off.request({ method: 'POST', url: '/withdraw', body: fieldsOf(user) })).statusCode).toBe(404)
  const offer = await off.request({ method: 'GET', url: '/subscriptions/withdrawal', token: user.token })
  expect(offer.statusCode).toBe(404)
})
