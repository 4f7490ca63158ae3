import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BusinessInvoice } from '@keepsnap/contract/operator-invoices.ts'
import type { Business } from '../../ports/payments/payments.ts'
import { belgianBusiness, belgianOperator, dutchBusiness, payAsBusiness } from '../../test/businesses.ts'
import { startStripeServer, type StripeServer } from '../../test/stripe-server.ts'
import { callBilling } from '../../test/subscriptions.ts'
import { auditOf, callOperator, makeOperator, type TestUser, validPassword } from '../../test/test-data.ts'
import { centsToCredit, deleteOldInvoices, writeInvoices } from './business-invoices.ts'
import { reconcilePayments } from './reconcile.ts'

let site: StripeServer
let operator: TestUser
beforeAll(async () => {
  site = await startStripeServer(afterAll, undefined, belgianOperator)
  operator = await makeOperator(site.server)
})

const query = (text: string, values: unknown[] = []) => site.server.app.deps.pool.query(text, values)
const payments = () => site.server.app.deps.payments!
const list = async (): Promise<{ invoices: BusinessInvoice[]; waiting: number; total: number }> =>
  (await callOperator(site.server, operator, 'invoices?limit=100')).json()
/** The documents of a user, the oldest first. */
const invoicesOf = async ({ id }: TestUser): Promise<BusinessInvoice[]> =>
  (await list()).invoices
    .filter(({ account }) => account?.id === id)
    .toSorted((a, b) => a.issued_at.localeCompare(b.issued_at) || a.kind.localeCompare(b.kind) * -1)
const download = (id: string) => callOperator(site.server, operator, `invoices/${id}`)
const setRate = (id: string, rate: unknown) =>
  callOperator(site.server, operator, `invoices/${id}/rate`, { eur_rate: rate, reason: 'ECB, 1 November' })
/** A business that has paid; the rate is that of Stripe, or none. */
async function business(
  details: Business = belgianBusiness,
  { rate = 0.8642, plan }: { rate?: number | null; plan?: 'pro_yearly' } = {},
) {
  site.stripe.store.eurRate = rate
  const paid = await payAsBusiness(site, details, plan)
  await site.deliver()
  return { ...paid, charge: site.stripe.chargesOf(paid.customer)[0]!.id }
}

test('what a business pays and gets back is written once each, also by jobs at the same time', async () => {
  const { user, customer, charge } = await business()
  const [invoice] = await invoicesOf(user)
  expect(invoice).toMatchObject({
    kind: 'invoice',
    buyer: { name: belgianBusiness.name, vat_number: belgianBusiness.vatNumber },
    currency: 'USD',
    total_cents: 1499,
    vat_cents: 260,
    reverse_charge: false,
    eur_rate: 0.8642,
    rate_by: 'provider',
    waits_for: [],
  })
  await payments().refund(charge, 'a complaint', 500)
  await site.deliver()
  await payments().refund(charge, 'the rest')
  await Promise.all(Array.from({ length: 4 }, () => writeInvoices(site.server.app.deps, customer)))
  await site.deliver()
  const all = await invoicesOf(user)
  expect(all.map(({ kind, total_cents: cents }) => [kind, cents])).toEqual([
    ['invoice', 1499],
    ['credit_note', 500],
    ['credit_note', 999],
  ])
  expect(all[1]).toMatchObject({ corrects: invoice!.number, eur_rate: 0.8642, waits_for: [] })
  expect(all[2]!.number).toMatch(/^CN-\d{4}-\d{6}$/)
  expect(Number(all[2]!.number.slice(-6)) - Number(all[1]!.number.slice(-6))).toBe(1)
  const { file_name: name, xml } = (await download(all[2]!.id)).json<{ file_name: string; xml: string }>()
  expect(name).toBe(`${all[2]!.number}.xml`)
  expect(xml).toContain(`<cbc:ID>${invoice!.number}</cbc:ID>`)
})

test('a change to a smaller plan as a private person is none, so the later refund corrects all of the invoice', async () => {
  const { user } = await business(belgianBusiness, { plan: 'pro_yearly' })
  const removal = { method: 'DELETE', url: '/subscriptions/business', token: user.token } as const
  expect((await site.server.request(removal)).statusCode).toBe(200)
  const change = { body: { price_id: site.stripe.prices.pro_monthly } }
  expect((await callBilling(site.server, user, 'change', change)).statusCode).toBe(200)
  await site.deliver()
  expect((await callBilling(site.server, user, 'refund')).json()).toEqual({ refunded_cents: 14_999 })
  await site.deliver()
  expect((await invoicesOf(user)).map(({ kind, total_cents: cents }) => [kind, cents])).toEqual([
    ['invoice', 14_999],
    ['credit_note', 14_999],
  ])
})

test('a change to a smaller plan is a credit note, which the later refund does not repeat', async () => {
  const { user } = await business(belgianBusiness, { plan: 'pro_yearly' })
  const change = { body: { price_id: site.stripe.prices.pro_monthly } }
  expect((await callBilling(site.server, user, 'change', change)).statusCode).toBe(200)
  await site.deliver()
  expect((await callBilling(site.server, user, 'refund')).statusCode).toBe(200)
  await site.deliver()
  const all = await invoicesOf(user)
  expect(all.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note', 'credit_note'])
  const signed = all.map(({ kind, total_cents: cents }) => (kind === 'invoice' ? cents : -cents))
  expect(signed.reduce((sum, cents) => sum + cents, 0)).toBe(0)
  // Nothing was paid by the change, so nobody has exchanged money for it.
  const ofChange = all.find(({ corrects, kind }) => corrects === null && kind === 'credit_note')!
  expect(ofChange).toMatchObject({ eur_rate: null, waits_for: ['rate'] })
  expect((await setRate(ofChange.id, 0.87)).json()).toMatchObject({ eur_rate: 0.87, waits_for: [] })
  expect((await download(ofChange.id)).json<{ xml: string }>().xml).toContain('<cbc:PaymentMeansCode>97<')
})

test('a business in another country of the EU has reverse charge; one elsewhere and a person have no such invoice', async () => {
  const { user } = await business(dutchBusiness)
  const [invoice] = await invoicesOf(user)
  expect(invoice).toMatchObject({ total_cents: 1499, vat_cents: 0, reverse_charge: true })
  expect((await download(invoice!.id)).json<{ xml: string }>().xml).toContain('VATEX-EU-AE')
  const { user: british } = await business({ ...belgianBusiness, vatNumber: 'GB123456789', country: 'GB' })
  expect(await invoicesOf(british)).toEqual([])
})

test('an invoice waits for the rate and for a whole address, first in the list, until both are there', async () => {
  const incomplete = { ...belgianBusiness, street: '', city: '' }
  const { user, customer } = await business(incomplete, { rate: null })
  const [invoice] = await invoicesOf(user)
  expect(invoice!.waits_for).toEqual(['rate', 'buyer_street', 'buyer_city'])
  const before = await list()
  expect(before.invoices.findIndex(({ id }) => id === invoice!.id)).toBeLessThan(before.waiting)
  expect((await download(invoice!.id)).statusCode).toBe(409)
  for (const wrong of [0, -1, 1e9, '0.9', null]) expect((await setRate(invoice!.id, wrong)).statusCode).toBe(422)
  expect((await setRate(invoice!.id, 0.9)).json()).toMatchObject({ eur_rate: 0.9, rate_by: 'operator' })
  // A typing error can be corrected.
  expect((await setRate(invoice!.id, 0.86)).json()).toMatchObject({ eur_rate: 0.86 })
  await payments().setBusiness(customer, belgianBusiness)
  await query("update billing_customers set invoices_read_at = now() - interval '1 hour' where customer_id = $1", [
    customer,
  ])
  await reconcilePayments(site.server.app.deps)
  await site.server.work()
  expect((await invoicesOf(user))[0]).toMatchObject({ waits_for: [], rate_by: 'operator' })
  expect((await download(invoice!.id)).json<{ xml: string }>().xml).toContain('<cbc:StreetName>Rue Haute 1<')
  const actions = (await auditOf(site.server, user.id)).map((entry) => (entry as { action: string }).action)
  expect(actions).toContain('enter rate of invoice')
})

test('the rate of the payment provider cannot be replaced, and comes later than the invoice if it must', async () => {
  const { user, customer } = await business(belgianBusiness, { rate: null })
  const [{ id } = { id: '' }] = await invoicesOf(user)
  site.stripe.store.eurRate = 0.85
  await writeInvoices(site.server.app.deps, customer)
  expect((await invoicesOf(user))[0]).toMatchObject({ eur_rate: 0.85, rate_by: 'provider', waits_for: [] })
  expect((await setRate(id, 0.9)).json()).toMatchObject({ code: 'conflict' })
  expect((await setRate('unknown', 0.9)).statusCode).toBe(404)
})

test('invoices stay when the account is deleted, with a credit note for its refund, until the law allows to delete them', async () => {
  const { user, customer, charge } = await business()
  const before = (await list()).total
  const deleted = { method: 'DELETE', url: '/user', token: user.token, body: { password: validPassword } } as const
  expect((await site.server.request(deleted)).statusCode).toBeLessThan(300)
  await site.deliver()
  await payments().refund(charge, 'after the end')
  await writeInvoices(site.server.app.deps, customer)
  const { invoices, total } = await list()
  expect(total).toBe(before + 1)
  expect(
    invoices
      .filter(({ account }) => account === null)
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['credit_note', 'invoice'])
  await deleteOldInvoices(site.server.db)
  expect((await list()).total).toBe(total)
  await query("update business_invoices set issued_at = issued_at - interval '11 years' where customer_id is null")
  await deleteOldInvoices(site.server.db)
  expect((await list()).total).toBe(total - 2)
})

const payment = {
  subscriptionId: 's',
  amountCents: 15_000,
  refundedCents: 15_000,
  isDisputed: false,
  currency: 'usd',
  invoiceUrl: null,
  paidAt: new Date(),
}
const invoiceOf = (totalCents: number, dueCents: number) =>
  ({ subscriptionId: 's', totalCents, dueCents, business: belgianBusiness }) as Parameters<
    typeof centsToCredit
  >[0]['invoices'][number] // as far as it is read
test.for([
  [
    'a live subscription, whose credit can still be used',
    null,
    [invoiceOf(-13_500, 0), invoiceOf(15_000, 15_000)],
    [15_000],
  ],
  ['one that has ended with its credit', new Date(), [invoiceOf(-13_500, 0), invoiceOf(15_000, 15_000)], [1_500]],
  [
    'one whose credit was used',
    new Date(),
    [invoiceOf(1_500, 0), invoiceOf(-1_500, 0), invoiceOf(15_000, 15_000)],
    [15_000],
  ],
] as const)('refunds of %s', ([, endedAt, invoices, expected]) => {
  const subscriptions = [{ id: 's', endedAt }] as unknown as Parameters<typeof centsToCredit>[0]['subscriptions']
  const toCredit = centsToCredit({ payments: [{ ...payment, id: 'p', invoiceId: 'i' }], invoices, subscriptions })
  expect([...toCredit.values()]).toEqual(expected)
})
