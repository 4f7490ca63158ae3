import type { Business } from '../ports/payments/payments.ts'
import { newId } from '../lib/ids.ts'
import type { TestServer } from './harness.ts'
import type { StripeServer } from './stripe-server.ts'
import { makeUser, type TestUser } from './test-data.ts'

/** The settings of an operator that is a Belgian business. */
export const belgianOperator = {
  OPERATOR_NAME: 'Fotolicht BV',
  OPERATOR_ADDRESS: 'Kaai 1, 2000 Antwerpen, Belgium',
  OPERATOR_VAT: 'BE 0202.239.951',
  OPERATOR_EMAIL: 'boekhouding@fotolicht.example',
}

export const belgianBusiness: Business = {
  name: 'Fête & Fils SRL',
  vatNumber: 'BE0123456749',
  street: 'Rue Haute 1',
  postalCode: '1000',
  city: 'Bruxelles',
  country: 'BE',
}
export const dutchBusiness: Business = {
  name: 'Feestfoto B.V.',
  vatNumber: 'NL123456782B90',
  street: 'Kade 2',
  postalCode: '1011 AA',
  city: 'Amsterdam',
  country: 'NL',
}

/** A user who pays for a plan with Stripe as a business; nothing is delivered. */
export async function payAsBusiness(
  site: StripeServer,
  business: Business,
  plan?: 'pro_yearly',
): Promise<{ user: TestUser; customer: string }> {
  const { server, stripe } = site
  const user = await makeUser(server)
  const sessionId = await site.checkout(user, plan)
  const customer = stripe.store.sessions.get(sessionId)?.customer ?? ''
  await server.app.deps.payments!.setBusiness(customer, business)
  stripe.payCheckout(sessionId)
  return { user, customer }
}

/** An invoice of a business that can be handed over, by the rate of an operator; its id. */
export async function addBusinessInvoice({ db }: Pick<TestServer, 'db'>, userId: string): Promise<string> {
  const { customer_id } = await db
    .selectFrom('billing_customers')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const [id, now] = [newId(), new Date()]
  const at = now.toISOString()
  const document = {
    buyer: belgianBusiness,
    seller: {
      name: 'Fotolicht BV',
      address: 'Kaai 1, 2000 Antwerpen',
      vatNumber: 'BE0202239951',
      email: 'a@b.example',
    },
    lines: [{ name: 'Keepsnap Pro Yearly', cents: 14_999, from: at, to: at }],
    vat: { category: 'S', percent: 21 },
    isCharged: true,
  }
  const what = { kind: 'invoice', provider: 'demo', currency: 'usd', issued_at: now, total_cents: 14_999 } as const
  const rate = { eur_rate: 0.86, rate_by: 'operator', waits_for: [] }
  await db
    .insertInto('business_invoices')
    .values({
      id,
      customer_id,
      number: `DEMO-${id}`,
      source_id: id,
      document: JSON.stringify(document),
      ...what,
      ...rate,
    })
    .execute()
  return id
}
