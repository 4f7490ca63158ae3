import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Business, getBusiness } from '@keepsnap/contract/businesses.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { Business as ProvidersBusiness } from '../../ports/payments/payments.ts'
import { removeJobs } from '../../test/harness.ts'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { makeUser, type TestUser, validPassword } from '../../test/test-data.ts'
import { archivedBillingOf } from '../accounts/archive.ts'
import { reconcilePayments } from './reconcile.ts'
import { syncCustomer } from './sync-customer.ts'

let site: StripeServer
beforeAll(async () => {
  site = await startStripeServer(afterAll)
})

const fields = {
  name: 'Fotohuis BV',
  vat_number: 'BE0123456749',
  street: 'Korenmarkt 1',
  postal_code: '9000',
  city: 'Gent',
}
const saved = { business: { ...fields, country: 'BE' } }
const other: ProvidersBusiness = {
  name: 'Fête & Fils SRL',
  vatNumber: 'BE0202239951',
  street: 'Rue Haute 1',
  postalCode: '1000',
  city: 'Bruxelles',
  country: 'BE',
}

async function call(user: TestUser, method: 'GET' | 'PUT' | 'DELETE' = 'GET', body?: Partial<Business>) {
  await site.server.app.deps.pool.query('delete from rate_hits')
  const url = '/subscriptions/business'
  return site.server.request({ method, url, token: user.token, ...(body && { body }) })
}
const read = async (user: TestUser) => (await call(user)).json<Reply<typeof getBusiness>>()
/** The name and the VAT number that the provider has. */
async function atProvider(customer: string) {
  const found = await site.server.app.deps.payments!.businessOf(customer)
  return found && [found.name, found.vatNumber]
}
const enterAtProvider = (customer: string, business: ProvidersBusiness | null) =>
  site.server.app.deps.payments!.setBusiness(customer, business)
async function subscriber(): Promise<{ user: TestUser; customer: string }> {
  const user = await makeUser(site.server)
  const customer = await site.pay(user)
  await site.deliver()
  return { user, customer }
}
/** An event of the provider, which is only about this customer. */
async function announce(customer: string, type: string): Promise<void> {
  await site.server.app.deps.pool.query(
    `insert into payment_events (provider, id, type, customer_id, created_at) values ('stripe', $1, $2, $3, now())`,
    [`evt_${customer}_${type}`, type, customer],
  )
  await syncCustomer(site.server.app.deps, customer)
}

describe('a business that is saved in Settings', () => {
  test('before the first checkout is set when that opens, so that its invoice names it', async () => {
    const user = await makeUser(site.server)
    expect(await read(user)).toEqual({ business: null })
    const answer = await call(user, 'PUT', { ...fields, name: ' Fotohuis  BV', vat_number: 'be 0123.456.749' })
    expect([answer.statusCode, answer.json()]).toEqual([200, saved])
    const customer = await site.pay(user)
    expect(await atProvider(customer)).toEqual([fields.name, fields.vat_number])
    await site.deliver()
    expect(await read(user)).toEqual(saved)
    const [invoice] = await site.server.app.deps.payments!.invoicesOf(customer)
    expect(invoice?.business).toMatchObject({ name: fields.name, street: fields.street, country: 'BE' })
  })

  test('by a subscriber is set at once, and removed at once', async () => {
    const { user, customer } = await subscriber()
    await call(user, 'PUT', fields)
    expect(await atProvider(customer)).toEqual([fields.name, fields.vat_number])
    const removed = await call(user, 'DELETE')
    expect([removed.statusCode, removed.json(), await atProvider(customer)]).toEqual([200, { business: null }, null])
    // Nothing of it is kept.
    const rows = await site.server.db.selectFrom('businesses').selectAll().where('user_id', '=', user.id).execute()
    expect(JSON.stringify(rows)).not.toMatch(/Fotohuis|BE0|Korenmarkt|Gent/)
  })

  test('while the provider cannot be reached is kept, and set later: also when its job is lost', async () => {
    const { user, customer } = await subscriber()
    site.stripe.isDown = true
    const answer = await call(user, 'PUT', fields)
    expect([answer.statusCode, answer.json()]).toEqual([200, { ...saved, is_pending: true }])
    expect(await read(user)).toEqual({ ...saved, is_pending: true })
    site.stripe.isDown = false
    await removeJobs(site.server.app.deps.pool)
    // What the provider says meanwhile is older.
    await announce(customer, 'customer.updated')
    expect(await read(user)).toEqual({ ...saved, is_pending: true })
    await site.server.app.deps.pool.query("update businesses set updated_at = now() - interval '2 minutes'")
    await reconcilePayments(site.server.app.deps)
    await site.server.work()
    expect([await read(user), await atProvider(customer)]).toEqual([saved, [fields.name, fields.vat_number]])
  })

  test('with a VAT number that the provider does not take is refused, and what was there stays', async () => {
    const { user, customer } = await subscriber()
    await call(user, 'PUT', fields)
    const answer = await call(user, 'PUT', { ...fields, name: 'Other', vat_number: 'IE1+34567A' })
    const msg = 'The payment provider does not accept this VAT number. Compare it with your registration'
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', 'vat_number'], msg }] },
    ])
    expect([await read(user), await atProvider(customer)]).toEqual([saved, [fields.name, fields.vat_number]])
  })

  test('with refused fields says which and why, and changes nothing', async () => {
    const user = await makeUser(site.server)
    const answer = await call(user, 'PUT', { ...fields, vat_number: 'BE0123456748', city: ' ' })
    expect(answer.json()).toEqual({
      code: 'invalid',
      detail: [
        {
          loc: ['body', 'vat_number'],
          msg: 'This VAT number cannot be right: its check digits do not match. Compare it with your registration',
        },
        { loc: ['body', 'city'], msg: 'Please enter the city' },
      ],
    })
    expect(await read(user)).toEqual({ business: null })
  })

  test('several times at once ends as one of them, here and at the provider', async () => {
    const { user, customer } = await subscriber()
    const names = ['One', 'Two', 'Three', 'Four']
    const answers = await Promise.all(names.map((name) => call(user, 'PUT', { ...fields, name })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 200))
    await site.server.work()
    const { business, is_pending: isPending } = await read(user)
    expect(isPending).toBeUndefined()
    expect(await atProvider(customer)).toEqual([business?.name, fields.vat_number])
  })
})

describe('a business that is entered on the pages of the provider', () => {
  test('is read after the checkout, and when it is changed or removed there', async () => {
    const user = await makeUser(site.server)
    const id = await site.checkout(user)
    const customer = site.stripe.store.sessions.get(id)?.customer ?? ''
    await enterAtProvider(customer, other)
    site.stripe.payCheckout(id)
    await site.deliver()
    expect((await read(user)).business).toMatchObject({
      name: other.name,
      vat_number: other.vatNumber,
      city: other.city,
    })
    await enterAtProvider(customer, { ...other, name: 'Renamed' })
    await announce(customer, 'customer.updated')
    expect((await read(user)).business?.name).toBe('Renamed')
    await enterAtProvider(customer, null)
    await announce(customer, 'customer.tax_id.deleted')
    expect(await read(user)).toEqual({ business: null })
  })

  test('does not replace what was saved here after the provider was asked', async () => {
    const { user, customer } = await subscriber()
    await enterAtProvider(customer, other)
    await announce(customer, 'customer.updated')
    const { deps } = site.server.app
    const payments = {
      ...deps.payments!,
      async businessOf() {
        await call(user, 'PUT', fields)
        return other
      },
    }
    await syncCustomer({ ...deps, payments }, customer, { asksCheckouts: true })
    expect(await read(user)).toEqual(saved)
  })
})

test('it is part of the archive of an account, and goes with the account, also at the provider', async () => {
  const { user, customer } = await subscriber()
  await call(user, 'PUT', fields)
  expect((await archivedBillingOf(site.server.db, user.id)).business).toMatchObject(saved.business)
  const body = { password: validPassword }
  const deleted = await site.server.request({ method: 'DELETE', url: '/user', token: user.token, body })
  expect(deleted.statusCode).toBe(204)
  await site.server.work()
  const rows = await site.server.db.selectFrom('businesses').select('name').where('user_id', '=', user.id).execute()
  expect([rows, await atProvider(customer)]).toEqual([[], null])
})
