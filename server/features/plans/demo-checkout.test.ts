import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { demoPrices } from '../../ports/payments/payment-settings.ts'
import { serverForThisTest, useServer } from '../../test/harness.ts'
import { openDemoCheckout } from '../../test/test-data.ts'

const server = useServer({ PAYMENTS: 'demo' })

const show = (id: string, on = server) => on.request({ method: 'GET', url: `/demo-checkout/${id}` })
const submit = (
  id: string,
  outcome: string,
  { on = server, fields = {} }: { on?: typeof server; fields?: object } = {},
) =>
  on.request({
    method: 'POST',
    url: `/demo-checkout/${id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ outcome, ...fields }).toString(),
  })
const paymentsOf = async (checkoutId: string): Promise<number> => {
  const demo = server.app.deps.demoPayments!
  const { customerId } = (await demo.checkout(checkoutId))!
  return (await demo.paymentsOf(customerId!)).length
}

test('the page is that of the plan, and is not cached', async () => {
  const id = await openDemoCheckout(server, { priceId: demoPrices.pro_yearly })
  const { statusCode, body, headers } = await show(id)
  expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
  for (const part of ['Demo: no money moves', `action="/demo-checkout/${id}"`, '$149.99']) expect(body).toContain(part)
})

test('succeeding pays and redirects to success_url with the id; a second submission redirects without paying again', async () => {
  const id = await openDemoCheckout(server)
  const answers = await Promise.all([submit(id, 'succeed'), submit(id, 'succeed'), submit(id, 'succeed')])
  for (const { statusCode, headers } of [...answers, await submit(id, 'succeed')])
    expect([statusCode, headers.location]).toEqual([303, `${server.publicUrl}/subscription/success?session_id=${id}`])
  expect(await paymentsOf(id)).toBe(1)
  const page = await show(id)
  expect([page.statusCode, page.body.includes('This checkout has been paid')]).toEqual([410, true])
  for (const outcome of ['decline', 'cancel']) expect((await submit(id, outcome)).statusCode).toBe(410)
})

test('declining shows the page again with the reason; then it can be paid or cancelled', async () => {
  const id = await openDemoCheckout(server)
  const declined = await submit(id, 'decline')
  expect([declined.statusCode, declined.body.includes('The card was declined.')]).toEqual([200, true])
  expect(declined.body).toContain('Nothing was charged')
  const left = await submit(id, 'cancel')
  expect([left.statusCode, left.headers.location]).toEqual([303, `${server.publicUrl}/pricing`])
  expect(await paymentsOf(id)).toBe(0)
  expect((await submit(id, 'succeed')).statusCode).toBe(303)
  expect(await paymentsOf(id)).toBe(1)
})

test('an expired checkout and one that does not exist have pages of their own', async () => {
  const id = await openDemoCheckout(server)
  await sql`update demo_checkouts set expires_at = now() where id = ${id}`.execute(server.db)
  for (const answer of [await show(id), await submit(id, 'succeed'), await submit(id, 'cancel')])
    expect([answer.statusCode, answer.body.includes('This checkout has expired')]).toEqual([410, true])
  expect(await paymentsOf(id)).toBe(0)
  for (const unknown of [`demo_cs_${newId()}`, 'x'.repeat(128)]) {
    const answer = await show(unknown)
    expect([answer.statusCode, answer.body.includes('This checkout doesn’t exist')]).toEqual([404, true])
    expect((await submit(unknown, 'succeed')).statusCode).toBe(404)
  }
})

test('its form may be redirected to the origins of the checkout, and to no others', async () => {
  const id = await openDemoCheckout(server, {
    successUrl: 'https://app.example/done?a=1',
    cancelUrl: 'http://localhost:3000/pricing',
  })
  const policy = String((await show(id)).headers['content-security-policy'])
  expect(policy).toContain("form-action 'self' https://app.example http://localhost:3000;")
  expect(String((await show('unknown')).headers['content-security-policy'])).toContain("form-action 'self';")
})

test('without demo payments there is no such page', async () => {
  const id = await openDemoCheckout(server)
  const other = await serverForThisTest({ PAYMENTS: 'off' }, { database: server.database })
  expect((await show(id, other)).statusCode).toBe(404)
  expect((await submit(id, 'succeed', { on: other })).statusCode).toBe(404)
  expect(await paymentsOf(id)).toBe(0)
})

describe('buying as a business', () => {
  const fields = { vat_number: 'be 0123.456.749', street: 'Korenmarkt 1', postal_code: '9000', city: 'Gent' }
  const asBusiness = { as_business: 'yes', name: 'Fotohuis & Zoon BV', ...fields }
  const invoicesOf = async (id: string) => {
    const demo = server.app.deps.demoPayments!
    return demo.invoicesOf((await demo.checkout(id))!.customerId!)
  }

  test('the invoice names it, and the page of the next checkout shows it', async () => {
    const id = await openDemoCheckout(server)
    expect((await submit(id, 'succeed', { fields: asBusiness })).statusCode).toBe(303)
    const business = { name: asBusiness.name, vatNumber: 'BE0123456749', city: 'Gent', country: 'BE' }
    expect(await invoicesOf(id)).toMatchObject([{ business }])
    const { customerId } = (await server.app.deps.demoPayments!.checkout(id))!
    const { body } = await show(await openDemoCheckout(server, { customerId: customerId! }))
    expect(body).toMatch(/<input[^>]*name="as_business"[^>]*checked=""/)
    expect(body).toContain('value="BE0123456749"')
  })

  test('refused fields are shown with what was entered, and nothing is paid', async () => {
    const id = await openDemoCheckout(server)
    const answer = await submit(id, 'succeed', { fields: { ...asBusiness, vat_number: 'BE0123456748', city: '' } })
    expect([answer.statusCode, await paymentsOf(id)]).toEqual([422, 0])
    for (const part of [
      'its check digits do not match',
      'Please enter the city',
      'Fotohuis &amp; Zoon BV',
      'BE0123456748',
    ])
      expect(answer.body).toContain(part)
    // Leaving is possible in any case; so is paying as a private person, which the box decides.
    expect((await submit(id, 'cancel', { fields: { ...asBusiness, city: '' } })).statusCode).toBe(303)
    expect((await submit(id, 'succeed', { fields: { name: 'Half', vat_number: 'x' } })).statusCode).toBe(303)
    expect(await invoicesOf(id)).toMatchObject([{ business: null }])
  })
})
