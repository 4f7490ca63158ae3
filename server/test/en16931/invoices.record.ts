/**
 * Documents of businesses, as operators hand them over, against the official rules of EN 16931: `npm run record -- invoices`.
 * The rules are CEN's (github.com/ConnectingEurope/eInvoicing-EN16931, the preprocessed schematron of UBL) and not part of this project.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentsSince, enqueueInvoices } from '../../features/plans/business-invoices.ts'
import type { Business } from '../../ports/payments/payments.ts'
import { belgianBusiness, belgianOperator, dutchBusiness, payAsBusiness } from '../businesses.ts'
import { startStripeServer, type StripeServer } from '../stripe-server.ts'
import { callBilling } from '../subscriptions.ts'

/** What is used of the package, whose types are for another module system. */
interface Schematron {
  Schema: { fromString(text: string): { validateString(xml: string): { assertId?: string; message?: string }[] } }
}

let site: StripeServer
let validate: (xml: string) => string[]
beforeAll(async () => {
  site = await startStripeServer(afterAll, undefined, belgianOperator)
  // Its name in a variable: it is installed for this stage alone.
  const name = 'node-schematron'
  const { Schema } = ((await import(name)) as { default: Schematron }).default
  const rules = readFileSync(join(process.env['EN16931_RULES'] ?? '', 'EN16931-UBL-validation.sch'), 'utf8')
  const schema = Schema.fromString(rules)
  validate = (xml) => schema.validateString(xml).map(({ assertId, message = '' }) => `${assertId} ${message.trim()}`)
})

/** The documents of the customer of a test, the oldest first; it is alone in the database. */
async function handedOver(customer: string): Promise<string[]> {
  await site.deliver()
  await enqueueInvoices(site.server.db, customer)
  await site.server.work()
  const documents = await Array.fromAsync(documentsSince(site.server.db, new Date(0)))
  expect(documents.flatMap(({ waitsFor }) => waitsFor)).toEqual([])
  const found = documents.map(({ xml = '' }) => xml)
  await site.server.app.deps.pool.query('delete from business_invoices')
  return found
}

interface Case {
  business?: Business
  plan?: 'pro_yearly'
  act?: (customer: string, token: string) => Promise<unknown>
  /** The kinds of the documents. */
  kinds: string[]
}
const chargeOf = (customer: string): string => site.stripe.chargesOf(customer)[0]!.id
const { Invoice, CreditNote } = { Invoice: 'Invoice', CreditNote: 'CreditNote' }
const cases: Record<string, Case> = {
  'an invoice': { kinds: [Invoice] },
  'an invoice and the credit note of its whole refund': {
    act: (customer) => site.server.app.deps.payments!.refund(chargeOf(customer), `all ${customer}`),
    kinds: [Invoice, CreditNote],
  },
  'a refund in part, of an amount with a rounding': {
    act: (customer) => site.server.app.deps.payments!.refund(chargeOf(customer), `part ${customer}`, 400),
    kinds: [Invoice, CreditNote],
  },
  'a change to a larger plan, with unused time': {
    act: (_, token) => change(token, site.stripe.prices.pro_yearly),
    kinds: [Invoice, Invoice],
  },
  'a change to a smaller plan': {
    plan: 'pro_yearly',
    act: async (_, token) => {
      await change(token, site.stripe.prices.pro_monthly)
      await site.deliver()
      await site.server.app.deps.pool.query(
        "update business_invoices set eur_rate = 0.86, rate_by = 'operator', waits_for = '{}'",
      )
    },
    kinds: [Invoice, CreditNote],
  },
  'reverse charge, and its credit note': {
    business: dutchBusiness,
    act: (customer) => site.server.app.deps.payments!.refund(chargeOf(customer), `part ${customer}`, 300),
    kinds: [Invoice, CreditNote],
  },
}
const change = (token: string, price: string) =>
  callBilling(site.server, { token } as Parameters<typeof callBilling>[1], 'change', { body: { price_id: price } }) // as far as it is read

test.for(Object.entries(cases))('%s', async ([name, { business = belgianBusiness, plan, act, kinds }]) => {
  site.stripe.store.eurRate = 0.8642
  const { user, customer } = await payAsBusiness(site, business, plan)
  await site.deliver()
  await act?.(customer, user.token)
  const documents = await handedOver(customer)
  // Stripe's times have no milliseconds, so the order of two in one second is open.
  expect(
    documents.map((xml) => String(/<(Invoice|CreditNote) /.exec(xml)?.[1])).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(kinds.toSorted((a, b) => a.localeCompare(b)))
  for (const xml of documents) expect(validate(xml)).toEqual([])
  process.stdout.write(`invoices: ${name}: ${documents.length} documents, no rule of EN 16931 is broken\n`)
})

test('the rules find what is wrong', async () => {
  const { customer } = await payAsBusiness(site, belgianBusiness)
  const [xml = ''] = await handedOver(customer)
  const wrong = xml.replace(/<cbc:IssueDate>.*\n/, '').replace(/(<cbc:TaxInclusiveAmount [^>]*>)[^<]*/, '$110.00')
  expect(validate(wrong).map((message) => message.split(' ')[0])).toEqual(
    expect.arrayContaining(['BR-03', 'BR-CO-15', 'BR-CO-16']),
  )
})
