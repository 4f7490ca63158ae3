import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { businessProblems, noBusiness, normalizeBusiness } from '@keepsnap/contract/businesses.ts'
import { demoCheckoutForm, demoCheckoutPage } from '@keepsnap/contract/subscriptions.ts'
import type { Db } from '../../platform/db/connect.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { publish } from '../../platform/live/bus.ts'
import { type DemoCheckoutDetails, type DemoPayments, moveDemoClock, type Renewals } from '../../ports/payments/demo.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame } from '../guests/page-props.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { businessFieldsFrom, businessFrom } from './businesses.ts'
import { syncCustomer, type SyncDependencies } from './sync-customer.ts'
import { planOfPrice } from './customers.ts'
import { schedulePlanEnd } from './paid-plan.ts'

const batchSize = 1_000

/** Does something for each row that a query finds, in batches, in the order of the ids. */
async function forEachRow<Row extends { id: string }>(
  db: Db,
  found: RawBuilder<Row>,
  act: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const { rows }: { rows: Row[] } = await sql<Row>`
      select * from (${found}) as found where id > ${after} order by id limit ${batchSize}`.execute(db)
    for (const row of rows) await act(row)
    after = rows.length < batchSize ? undefined : rows.at(-1)?.id
  }
}

/**
 * Moves the clock of demo payments forward, renews and ends what is due, and enqueues the jobs that follow. Returns
 * undefined, without effect, if the clock would be too far ahead. If it fails after moving the clock, the jobs that run
 * every minute do the rest.
 */
export async function advanceDemoBilling(
  { db, log, demo }: Pick<SyncDependencies, 'db' | 'log'> & { demo: DemoPayments },
  seconds: number,
): Promise<Renewals | undefined> {
  if (!(await moveDemoClock(db, seconds))) return undefined
  const renewals = await demo.advance()
  // Customers with renewals are synchronized now: until their jobs do it, a renewed plan could seem to have ended.
  const renewed = sql<{ id: string }>`
    select distinct customer_id as id from payment_events where provider = 'demo' and processed_at is null`
  await forEachRow(db, renewed, ({ id }) => syncCustomer({ db, log, payments: demo }, id))
  // Jobs that are due run at once.
  const plans = sql<{ id: string; until: Date }>`
    select user_id as id, until from paid_plans join payment_settings using (provider)`
  await forEachRow(db, plans, ({ id, until }) => schedulePlanEnd(db, id, until))
  // Open pages reload the state of their plan: no event announces what depends on the billing clock.
  const customers = sql<{ id: string }>`select user_id as id from billing_customers where provider = 'demo'`
  await forEachRow(db, customers, ({ id: user }) => publish(db, { kind: 'plan', user }))
  // The days until photos are removed have passed as well.
  await enqueue(db, { name: 'check-kept-photos', payload: {}, key: 'check-kept-photos' })
  return renewals
}

type CheckoutPage = Extract<GuestPage, { page: 'demo-checkout' }>
type CheckoutCall = Pick<Call, 'reply' | 'client'> & {
  id: string
  business: CheckoutPage['business']
  state?: CheckoutPage['state']
}

/** The page on which a plan is paid with demo payments: no money moves. */
export function demoCheckoutRoutes(serve: Serve, deps: Dependencies): void {
  const { demoPayments } = deps
  serve(demoCheckoutPage, async ({ params: { id } }, call) => {
    const checkout = await demoPayments?.checkoutPage(id)
    const known = checkout ? await demoPayments?.businessOf(checkout.customerId) : null
    const fields = known ? businessFieldsFrom(known) : noBusiness
    await sendCheckout(deps, { ...call, id, business: { isChosen: Boolean(known), fields, problems: {} } }, checkout)
  })
  // Idempotent: submitted twice, it pays once and redirects to the same page both times.
  serve(demoCheckoutForm, async ({ params: { id }, body }, call) => {
    const { outcome } = body
    const business = enteredBusiness(body)
    const state = stateAfter(outcome, business)
    const isPaying = outcome === 'succeed' && state !== 'bad'
    const checkout = await (isPaying
      ? demoPayments?.payCheckout(id, business.isChosen ? businessFrom(business.fields) : null)
      : demoPayments?.checkoutPage(id))
    const returnUrl = isPaying ? checkout?.successUrl : checkout?.cancelUrl
    const mayReturn = checkout?.state === (isPaying ? 'paid' : 'open') && (isPaying || outcome === 'cancel')
    if (mayReturn && returnUrl !== undefined)
      await call.reply.header('cache-control', 'no-store').redirect(returnUrl, 303)
    else await sendCheckout(deps, { ...call, id, state, business }, checkout)
  })
}

type CheckoutBody = Static<(typeof demoCheckoutForm)['body']>

function stateAfter(outcome: CheckoutBody['outcome'], { problems }: CheckoutPage['business']): CheckoutPage['state'] {
  if (Object.keys(problems).length > 0) return 'bad'
  return outcome === 'decline' ? 'declined' : 'open'
}

/** The business in the form. Its fields count with the box, and not when the buyer leaves. */
function enteredBusiness({ outcome, as_business: asBusiness, ...entered }: CheckoutBody): CheckoutPage['business'] {
  const isChosen = asBusiness === 'yes'
  const fields = normalizeBusiness({ ...noBusiness, ...entered })
  return { isChosen, fields, problems: isChosen && outcome !== 'cancel' ? businessProblems(fields) : {} }
}

/** Sends the checkout page, or why there is none. Unknown ids count towards the client's rate limit. */
async function sendCheckout(
  { config, db, guestRenderer }: Dependencies,
  { id, reply, client, business, state = 'open' }: CheckoutCall,
  checkout: DemoCheckoutDetails | null | undefined,
): Promise<void> {
  const planId = checkout && (await planOfPrice(db, 'demo', checkout.priceId))
  if (!checkout || !planId) await countRateHit(db, 'unknownCodes', client)
  if (!checkout || !planId || checkout.state !== 'open') {
    const why = checkout && planId && checkout.state !== 'open' ? checkout.state : 'unknown'
    const page: GuestPage = { page: 'demo-checkout-ended', why }
    const frame = guestFrame(config.publicUrl, '/demo-checkout')
    return sendGuestPage(reply, guestRenderer, { page, frame, status: why === 'unknown' ? 404 : 410 })
  }
  const action = `/demo-checkout/${id}`
  await sendGuestPage(reply, guestRenderer, {
    page: { page: 'demo-checkout', state, plan: planId, action, business },
    ...(state === 'bad' && { status: 422 }),
    frame: guestFrame(config.publicUrl, action),
    checkout: { returnOrigins: [checkout.successUrl, checkout.cancelUrl].map((url) => new URL(url).origin) },
  })
}
