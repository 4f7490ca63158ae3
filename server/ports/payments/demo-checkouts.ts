import { sql, type Selectable } from 'kysely'
import type { DemoCheckouts } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { lockDemoCustomer } from './demo-customer.ts'
import type { DemoStore, LockedDemoCustomer } from './demo-store.ts'
import { knownPrice, startSubscription } from './demo-subscriptions.ts'
import { PaymentRefused, type Checkout, type NewCheckout } from './payments.ts'

type DemoCheckoutState = Extract<Checkout['state'], 'open' | 'paid' | 'expired'>
type Row = Selectable<DemoCheckouts> & { is_over: boolean }

/** How long a checkout can be paid, as at Stripe, by the database's clock. */
const checkoutHours = 24
/** What a return URL has in the place of the checkout's id. */
const idPlaceholder = /\{CHECKOUT_SESSION_ID\}|%7BCHECKOUT_SESSION_ID%7D/gi

/** Whether a text has the form of a checkout's id; saves a query for any other text. */
const isCheckoutId = (text: string): boolean => /^demo_cs_[0-9A-Za-z]{22}$/.test(text)

/** The URL to return to after payment, with the id of the checkout. */
export function successUrlOf({ id, success_url: url }: Pick<Row, 'id' | 'success_url'>): string {
  const filled = url.replace(idPlaceholder, id)
  if (filled !== url) return filled
  const withId = new URL(url)
  withId.searchParams.set('session_id', id)
  return withId.href
}

/** The state of a checkout; a demonstration has no payments that take days. */
export const checkoutState = ({ state, is_over: isOver }: Row): DemoCheckoutState =>
  state === 'paid' ? 'paid' : state === 'expired' || isOver ? 'expired' : 'open'

/** A checkout as the port returns it. */
export function checkoutOf(row: Row, publicUrl: string): Checkout {
  const state = checkoutState(row)
  return {
    id: row.id,
    state,
    customerId: row.customer_id,
    reference: row.reference,
    url: state === 'open' ? `${publicUrl}/demo-checkout/${row.id}` : null,
    subscriptionId: row.subscription_id,
  }
}

const selectCheckouts = ({ db }: Pick<DemoStore, 'db'>) =>
  db
    .selectFrom('demo_checkouts')
    .selectAll()
    .select(sql<boolean>`expires_at <= now()`.as('is_over'))

/** The row of a checkout; undefined when there is none with this id. */
export const checkoutRow = async (store: Pick<DemoStore, 'db'>, id: string): Promise<Row | undefined> =>
  isCheckoutId(id) ? selectCheckouts(store).where('id', '=', id).executeTakeFirst() : undefined

/** The rows of a customer's open checkouts. */
export const openCheckoutRows = (store: DemoStore, customerId: string): Promise<Row[]> =>
  selectCheckouts(store)
    .where('customer_id', '=', customerId)
    .where('state', '=', 'open')
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('expires_at')
    .execute()

/** Opens a checkout, or returns the one that was opened with the same key. */
export async function createDemoCheckout(
  store: DemoStore,
  checkout: NewCheckout,
  idempotencyKey: string,
): Promise<Row> {
  const { id: priceId } = knownPrice(checkout.priceId)
  const values = {
    customer_id: checkout.customerId,
    price_id: priceId,
    reference: checkout.reference,
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
  }
  return lockDemoCustomer(store, checkout.customerId, async ({ tx }) => {
    await tx
      .insertInto('demo_checkouts')
      .values({
        id: `demo_cs_${newId()}`,
        idempotency_key: idempotencyKey,
        ...values,
        expires_at: sql`now() + make_interval(hours => ${checkoutHours})`,
      })
      .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
      .execute()
    const row = await selectCheckouts({ db: tx })
      .where('idempotency_key', '=', idempotencyKey)
      .executeTakeFirstOrThrow()
    const isSame = Object.entries(values).every(([name, value]) => row[name as keyof typeof values] === value) // the keys of `values`
    if (!isSame) throw new PaymentRefused('the idempotency key was used for another checkout')
    return row
  })
}

/** Runs a transaction with a checkout and its customer's row locked; undefined when there is no such checkout. */
async function lockCheckout<T>(
  store: DemoStore,
  id: string,
  work: (row: Row, customer: LockedDemoCustomer) => Promise<T>,
): Promise<T | undefined> {
  const found = await checkoutRow(store, id)
  if (!found) return undefined
  return lockDemoCustomer(store, found.customer_id, async (customer) => {
    const row = await checkoutRow({ db: customer.tx }, id)
    return row && work(row, customer)
  })
}

/** Pays a checkout if it is open, once; the row after it, undefined when there is no such checkout. */
export const payCheckout = (store: DemoStore, id: string): Promise<Row | undefined> =>
  lockCheckout(store, id, async (row, customer) => {
    if (checkoutState(row) !== 'open') return row
    // With a card that pays, from now on.
    await customer.tx.updateTable('demo_customers').set({ card_pays: true }).where('id', '=', customer.id).execute()
    const subscription = await startSubscription({ ...customer, cardPays: true }, knownPrice(row.price_id))
    const paid = { state: 'paid', subscription_id: subscription.id }
    await customer.tx.updateTable('demo_checkouts').set(paid).where('id', '=', id).execute()
    await customer.record('checkout.session.completed')
    return { ...row, ...paid }
  })

/** Ends a checkout unless it was paid or has ended; false when there is no such checkout. */
export async function expireCheckout(store: DemoStore, id: string): Promise<boolean> {
  const isKnown = await lockCheckout(store, id, async ({ state }, { tx, record }) => {
    if (state === 'open') {
      await tx.updateTable('demo_checkouts').set({ state: 'expired' }).where('id', '=', id).execute()
      await record('checkout.session.expired')
    }
    return true
  })
  return isKnown ?? false
}
