import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { demoCheckoutForm, demoCheckoutPage } from '@keepsnap/contract/demo-checkout.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame } from '../../domain/guest-page-props.ts'
import { planOf } from '../../domain/plans.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import type { Call, Serve } from '../../http/serve.ts'
import type { DemoCheckoutDetails } from '../../ports/payments/demo.ts'

type CheckoutDependencies = Pick<Dependencies, 'db' | 'demoPayments' | 'guestRenderer' | 'config'>
type CheckoutCall = Pick<Call, 'reply' | 'client'> & { id: string }

/** The page on which a plan is paid with demo payments: no money moves. */
export function demoCheckoutRoutes(serve: Serve, deps: CheckoutDependencies): void {
  serve(demoCheckoutPage, async ({ params: { id } }, call) => {
    await sendCheckout(deps, { ...call, id }, await deps.demoPayments?.checkoutPage(id))
    return undefined
  })
  serve(demoCheckoutForm, async ({ params: { id }, body: { outcome } }, call) => {
    await submitCheckout(deps, { ...call, id }, outcome)
    return undefined
  })
}

/** Idempotent: submitted twice, it pays once and redirects to the same page both times. */
async function submitCheckout(
  deps: CheckoutDependencies,
  call: CheckoutCall,
  outcome: 'succeed' | 'decline' | 'cancel',
): Promise<void> {
  const { id, reply } = call
  const isPaying = outcome === 'succeed'
  const checkout = await (isPaying ? deps.demoPayments?.payCheckout(id) : deps.demoPayments?.checkoutPage(id))
  const returnUrl = isPaying ? checkout?.successUrl : checkout?.cancelUrl
  const mayReturn = checkout?.state === (isPaying ? 'paid' : 'open') && outcome !== 'decline'
  if (mayReturn && returnUrl !== undefined)
    return void (await reply.header('cache-control', 'no-store').redirect(returnUrl, 303))
  return sendCheckout(deps, { ...call, isDeclined: outcome === 'decline' }, checkout)
}

/** The plan that is sold at a price. */
async function planOfPrice({ db }: CheckoutDependencies, priceId: string) {
  const row = await db
    .selectFrom('plan_prices')
    .select('plan')
    .where('provider', '=', 'demo')
    .where('price_id', '=', priceId)
    .executeTakeFirst()
  return row && planOf(row)
}

/** Sends the checkout page, or why there is none. Unknown ids count towards the client's rate limit. */
async function sendCheckout(
  deps: CheckoutDependencies,
  { id, reply, client, isDeclined }: CheckoutCall & { isDeclined?: boolean },
  checkout: DemoCheckoutDetails | null | undefined,
): Promise<void> {
  const { config, guestRenderer } = deps
  const plan = checkout && (await planOfPrice(deps, checkout.priceId))
  if (!checkout || !plan) await countRateHit(deps.db, 'unknownCodes', client)
  if (!checkout || !plan || checkout.state !== 'open') {
    const why = checkout && plan && checkout.state !== 'open' ? checkout.state : 'unknown'
    const page: GuestPage = { page: 'demo-checkout-ended', why }
    const frame = guestFrame(config.publicUrl, '/demo-checkout')
    return sendGuestPage(reply, guestRenderer, { page, frame, status: why === 'unknown' ? 404 : 410 })
  }
  const action = `/demo-checkout/${id}`
  await sendGuestPage(reply, guestRenderer, {
    page: { page: 'demo-checkout', state: isDeclined ? 'declined' : 'open', plan: plan.id, action },
    frame: guestFrame(config.publicUrl, action),
    checkout: { returnOrigins: [checkout.successUrl, checkout.cancelUrl].map((url) => new URL(url).origin) },
  })
}
