/** The double as an HTTP server: requests as the package `stripe` sends them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { plans } from '@keepsnap/contract/plans.ts'
import {
  decodeForm,
  listAt,
  type Form,
  refund,
  type Route,
  type RouteContext,
  routes,
  unsupportedParameters,
} from './stripe-routes.ts'
import {
  apiVersion,
  cardDeclined,
  createBilling,
  createEvents,
  createStore,
  daySeconds,
  type Dispute,
  get,
  invalidRequest,
  type Price,
  resetStore,
  type Store,
  type StripeEvent,
  StripeFault,
} from './stripe-billing.ts'
import type { Cleanup } from './child-processes.ts'

interface NewPrice {
  id: string
  unit_amount: number | null
  currency?: string
  /** Null: it is paid once. */
  interval?: 'day' | 'week' | 'month' | 'year' | null
  tax_behavior?: Price['tax_behavior']
}

/** Stripe for tests: the package `stripe` talks to it as to the real one. */
export type StripeDouble = Awaited<ReturnType<typeof startStripeDouble>>

/** Whether an event is about a customer. */
const concerns = ({ data: { object } }: StripeEvent, customerId: string): boolean =>
  object.id === customerId || ('customer' in object && object.customer === customerId)

function createPrice(store: Store, newPrice: NewPrice): Price {
  const { id, unit_amount, currency = 'usd', interval = 'month', tax_behavior = 'unspecified' } = newPrice
  const recurring = interval && {
    interval,
    interval_count: 1,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed' as const,
  }
  const price = {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: store.clock.now(),
    currency,
    livemode: store.isLive,
    recurring,
    tax_behavior,
    type: interval ? 'recurring' : 'one_time',
    unit_amount,
  } as Price
  store.prices.set(id, price)
  return price
}

/** Completes a checkout with a payment that takes days, as by bank debit; Stripe's page returns to the same address. */
function payLater(
  { store, billing, events }: RouteContext,
  sessionId: string,
  status: 'active' | 'incomplete' = 'active',
): string {
  const session = get(store.sessions, { kind: 'checkout.session', id: sessionId })
  if (session.status !== 'open') throw invalidRequest(`The checkout is ${String(session.status)}.`)
  const price = get(store.prices, { kind: 'price', id: session.priceId })
  const subscription = billing.subscribe(session.customer ?? '', price)
  const reason = 'subscription_create'
  const invoice = billing.invoiceDelayed({ subscription, reason, total: price.unit_amount ?? 0 }, status)
  Object.assign(session, { invoice: invoice.id, status: 'complete', subscription: subscription.id, url: null })
  events.emit('checkout.session.completed', session)
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', sessionId)
}

/** The delayed payment of a checkout arrives, or fails: then its session stays complete and unpaid for good. */
function settleCheckout({ store, billing, events }: RouteContext, sessionId: string, isPaid: boolean): void {
  const session = get(store.sessions, { kind: 'checkout.session', id: sessionId })
  billing.settle(get(store.invoices, { kind: 'invoice', id: session.invoice ?? '' }), isPaid)
  if (isPaid) session.payment_status = 'paid'
  events.emit(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session)
}

/** The bank takes the money of a charge back, at first for a time. */
function openDispute({ store, events }: RouteContext, chargeId: string, reason: string): Dispute {
  const charge = get(store.charges, { kind: 'charge', id: chargeId })
  charge.disputed = true
  const now = store.clock.now()
  const dispute = {
    id: store.newId('du'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: chargeId,
    created: now,
    currency: charge.currency,
    evidence_details: { due_by: now + 7 * daySeconds, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: false,
    livemode: store.isLive,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
  } as unknown as Dispute // in part
  store.disputes.set(dispute.id, dispute)
  events.emit('charge.dispute.created', dispute)
  return dispute
}

/** Completes a checkout as the payment page does. */
function payCheckout({ store, billing, events }: RouteContext, sessionId: string): string {
  const session = get(store.sessions, { kind: 'checkout.session', id: sessionId })
  if (session.status !== 'open') throw invalidRequest(`The checkout is ${String(session.status)}.`)
  const customer = session.customer ?? ''
  const declines = store.declines.get(customer)
  if (declines !== undefined) {
    if (declines !== true) store.declines.delete(customer)
    throw cardDeclined()
  }
  const price = get(store.prices, { kind: 'price', id: session.priceId })
  const subscription = billing.subscribe(customer, price)
  billing.invoice({ subscription, reason: 'subscription_create', total: price.unit_amount ?? 0 })
  Object.assign(session, {
    invoice: subscription.latest_invoice,
    payment_status: 'paid',
    status: 'complete',
    subscription: subscription.id,
    url: null,
  })
  events.emit('checkout.session.completed', session)
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', sessionId)
}

/** Does what is due, in its order, until a time. */
function advanceTo({ store, billing, events }: RouteContext, end: number): void {
  for (let due = billing.nextDue(); due && due.at <= end; due = billing.nextDue()) store.clock.at(due.at, due.act)
  store.clock.moveTo(end)
  for (const session of store.sessions.values()) {
    if (session.status !== 'open' || session.expires_at > end) continue
    Object.assign(session, { status: 'expired', url: null })
    events.emit('checkout.session.expired', session)
  }
}

/** What the customer, the bank and the operator do at Stripe. */
function actionsOf(context: RouteContext) {
  const { store, billing, events } = context
  return {
    /** The customer pays in a checkout; where the page then leads. Throws when that is not possible. */
    payCheckout: (sessionId: string) => payCheckout(context, sessionId),
    /** Moves the clock, and does what is due until then. */
    advance: (days: number) => advanceTo(context, store.clock.now() + days * daySeconds),
    /** The bank declines payments of a customer: the next one, the next so many, all (true) or none (0). */
    declinePayments(customerId: string, declines: true | number = 1) {
      if (declines === 0) store.declines.delete(customerId)
      else store.declines.set(customerId, declines)
    },
    /** Ends a subscription in the dashboard, now or with its period. */
    cancelSubscription(id: string, { atPeriodEnd } = { atPeriodEnd: false }) {
      const subscription = get(store.subscriptions, { kind: 'subscription', id })
      if (!atPeriodEnd) return billing.cancel(subscription)
      Object.assign(subscription, { cancel_at_period_end: true, canceled_at: store.clock.now() })
      events.emit('customer.subscription.updated', subscription)
    },
    /** Gives money back in the dashboard; without an amount what is left. */
    refundCharge: (id: string, cents?: number) => refund(context, id, cents),
    /** The customer completes a checkout with a payment that takes days. */
    payLater: (sessionId: string, status?: 'active' | 'incomplete') => payLater(context, sessionId, status),
    /** That payment arrives, or fails. */
    settleCheckout: (sessionId: string, isPaid: boolean) => settleCheckout(context, sessionId, isPaid),
    openDispute: (chargeId: string, reason = 'fraudulent') => openDispute(context, chargeId, reason),
    /** The bank decides, or a dispute is prevented before, which is a case of another type. */
    closeDispute(id: string, status: 'won' | 'lost' | 'prevented', caseType = 'chargeback') {
      const dispute = get(store.disputes, { kind: 'dispute', id })
      Object.assign(dispute, { status, payment_method_details: { type: 'card', card: { case_type: caseType } } })
      events.emit('charge.dispute.closed', dispute)
    },
    /** Ends a subscription on a date, as the billing portal can. */
    cancelAt(id: string, seconds: number) {
      const subscription = get(store.subscriptions, { kind: 'subscription', id })
      Object.assign(subscription, { cancel_at: seconds, canceled_at: store.clock.now() })
      events.emit('customer.subscription.updated', subscription)
    },
    addPrice: (price: NewPrice) => createPrice(store, price),
    archivePrice(id: string) {
      const price = get(store.prices, { kind: 'price', id })
      price.active = false
      events.emit('price.updated', price)
    },
    subscriptionsOf: (id: string) => [...store.subscriptions.values()].filter(({ customer }) => customer === id),
    /** Charges that succeeded. */
    chargesOf: (id: string) => [...store.charges.values()].filter(({ customer, paid }) => paid && customer === id),
    eventsOf: (id: string) => store.events.filter((event) => concerns(event, id)),
  }
}

function settingsOf(url: string, { isLive }: Store) {
  const secretKey = `sk_${isLive ? 'live' : 'test'}_double`
  const webhookSecret = 'whsec_double'
  const prices = { pro_monthly: 'price_pro_monthly', pro_yearly: 'price_pro_yearly' }
  const env: Record<string, string> = {
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_PRICE_PRO_MONTHLY: prices.pro_monthly,
    STRIPE_PRICE_PRO_YEARLY: prices.pro_yearly,
    STRIPE_API_BASE: url,
  }
  return { secretKey, webhookSecret, prices, env }
}

/** Listens on loopback until the test or file has ended. `isLive`: with keys and events of live mode. */
export async function startStripeDouble(cleanup: Cleanup, { isLive = false } = {}) {
  const store = createStore(isLive)
  const webhooks = createDeliveries('whsec_double')
  const events = createEvents(store, webhooks.onEvent)
  const billing = createBilling(store, events)
  const account = { hasPortal: true, hasTax: false, taxBehavior: null }
  const context: RouteContext = { store, billing, events, account }
  const failures: { failure: Failure; endpoint: string | undefined }[] = []
  const state: ApiState = {
    context,
    secretKey: settingsOf('', store).secretKey,
    denied: new Set(),
    requests: [],
    violations: [],
    failureOf(endpoint) {
      if (double.isDown) return 'reset before'
      const index = failures.findIndex((one) => one.endpoint === undefined || one.endpoint === endpoint)
      return index < 0 ? undefined : failures.splice(index, 1)[0]?.failure
    },
  }
  const server = createApiServer(state)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  const url = `http://127.0.0.1:${port}`
  let stopped: Promise<void> | undefined
  const stopFailing = (): void => void (failures.length = 0)
  const double = {
    url,
    /** `env`: for `readConfig`. `prices`: the ids of the prices of the paid plans. */
    ...settingsOf(url, store),
    /** Everything that it knows; tests may change it as an operator could in Stripe's dashboard. */
    store,
    account: context.account,
    billing,
    webhooks,
    /** Requests that arrived, the oldest first. */
    requests: state.requests,
    /** What our side did wrong. If there is something left at the end, the clean-up throws. */
    violations: state.violations,
    /** Whether every connection breaks. */
    isDown: false,
    /** The next requests to an endpoint fail, or to any. */
    failNext(failure: Failure, { endpoint, times = 1 }: { endpoint?: string; times?: number } = {}): void {
      for (let count = 0; count < times; count += 1) failures.push({ failure, endpoint })
    },
    /** Endpoints that the key may not call, such as `POST /v1/refunds`: a restricted key. */
    denied: state.denied,
    /** Which key is accepted; another one than that of the settings: it was rotated. */
    acceptKey(key: string): void {
      state.secretKey = key
    },
    /** Forgets failures that have not happened yet. */
    stopFailing,
    ...actionsOf(context),
    /** Deletes everything but the prices, and resets the clock, so that each of many tests takes as long as the first. */
    reset(): void {
      resetStore(store)
      webhooks.drop()
      stopFailing()
      state.requests.length = 0
      state.denied.clear()
    },
    stop: (): Promise<void> =>
      (stopped ??= new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })),
  }
  createPrice(store, { id: double.prices.pro_monthly, unit_amount: plans.pro_monthly.price_cents })
  createPrice(store, { id: double.prices.pro_yearly, unit_amount: plans.pro_yearly.price_cents, interval: 'year' })
  cleanup(async () => {
    await double.stop()
    if (double.violations.length) throw new Error(`Stripe would refuse this: ${double.violations.join('; ')}`)
  })
  return double
}

/** A request that arrived. */
export interface ReceivedRequest {
  endpoint: string
  params: Form
  idempotencyKey: string | undefined
  status: number
}

/**
 * What goes wrong with a request: Stripe answers with an error before it does anything, the connection breaks before or after
 * that, or the answer takes long.
 */
type Failure = 429 | 500 | 503 | 'reset before' | 'reset after' | { delayMs: number }

interface Answer {
  status: number
  body: object
}

interface ApiState {
  context: RouteContext
  secretKey: string
  /** What a restricted key lacks the permission for, such as `POST /v1/refunds` or `expand data.balance_transaction`. */
  denied: Set<string>
  requests: ReceivedRequest[]
  /** What our side did wrong: parameters that the double does not know, a wrong version, a key used for two requests. */
  violations: string[]
  /** Decides what goes wrong with the next request. */
  failureOf(endpoint: string): Failure | undefined
}

interface Matched {
  route: Route
  id: string
}

function match(method: string, path: string): Matched | undefined {
  for (const route of routes) {
    const pattern = new RegExp(`^${route.endpoint.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
    const found = pattern.exec(`${method} ${path}`)
    if (found) return { route, id: found.length > 1 ? decodeURIComponent(found.at(-1) ?? '') : '' }
  }
  return undefined
}

function checkParameters(state: ApiState, { route }: Matched, params: Form): void {
  const problems = unsupportedParameters(route, params).map((name) => `The double does not heed ${name}`)
  if (problems[0] === undefined) return
  state.violations.push(...problems.map((problem) => `${route.endpoint}: ${problem}`))
  throw invalidRequest(problems[0], { code: 'parameter_unknown' })
}

function checkHeaders(state: ApiState, { headers }: IncomingMessage): void {
  if (headers.authorization !== `Bearer ${state.secretKey}`)
    throw new StripeFault(401, {
      type: 'invalid_request_error',
      message: 'Invalid API Key provided: sk_test_********uble',
    })
  if (headers['stripe-version'] !== apiVersion) {
    state.violations.push(`Stripe-Version is ${String(headers['stripe-version'])}`)
    throw invalidRequest('Invalid Stripe API version.')
  }
}

/** Answers of earlier requests by their idempotency keys, with what those requests were. */
type Answered = Map<string, { request: string; answer: Answer }>

function execute(state: ApiState, matched: Matched, params: Form): Answer {
  try {
    return { status: 200, body: structuredClone(matched.route.answer(state.context, params, matched.id)) }
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error
    return { status: error.status, body: { error: error.error } }
  }
}

function executeOnce(
  state: ApiState,
  answered: Answered,
  request: { matched: Matched; params: Form; key: string | undefined },
): Answer {
  const { matched, params, key } = request
  if (key === undefined || matched.route.endpoint.startsWith('GET')) return execute(state, matched, params)
  const described = JSON.stringify([matched.route.endpoint, matched.id, params])
  const earlier = answered.get(key)
  if (earlier && earlier.request !== described) {
    state.violations.push(`${matched.route.endpoint}: the idempotency key ${key} was used for another request`)
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    throw new StripeFault(400, { type: 'idempotency_error', message })
  }
  const answer = earlier?.answer ?? execute(state, matched, params)
  answered.set(key, { request: described, answer })
  return answer
}

const faultBodies: Record<number, object> = {
  429: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests hit the API too quickly.' },
  500: { type: 'api_error', message: 'An unknown error occurred.' },
  503: { type: 'api_error', message: 'Stripe is unavailable.' },
}

async function receive(state: ApiState, answered: Answered, req: IncomingMessage): Promise<Answer | 'reset'> {
  const { pathname, search } = new URL(req.url ?? '/', 'http://stripe.test')
  const body = await text(req)
  const matched = match(req.method ?? '', pathname)
  const params = decodeForm(body === '' ? search.slice(1) : body)
  const endpoint = matched?.route.endpoint ?? `${req.method} ${pathname}`
  const header = req.headers['idempotency-key']
  const key = typeof header === 'string' ? header : undefined
  const received: ReceivedRequest = { endpoint, params, idempotencyKey: key, status: 0 }
  state.requests.push(received)
  const failure = state.failureOf(endpoint)
  if (failure === 'reset before') return 'reset'
  if (typeof failure === 'number') return { status: failure, body: { error: faultBodies[failure] } }
  const answer = ((): Answer => {
    try {
      checkHeaders(state, req)
      if (!matched) {
        state.violations.push(`${endpoint}: the double does not know this endpoint`)
        throw new StripeFault(404, { type: 'invalid_request_error', message: 'Unrecognized request URL.' })
      }
      const expanded = (listAt(params, 'expand') ?? []).map((one) => `expand ${one}`)
      if ([endpoint, ...expanded].some((one) => state.denied.has(one)))
        throw new StripeFault(403, {
          type: 'invalid_request_error',
          message: `The provided key 'rk_test_*********uble' does not have the required permissions for this endpoint.`,
        })
      checkParameters(state, matched, params)
      return executeOnce(state, answered, { matched, params, key })
    } catch (error) {
      if (!(error instanceof StripeFault)) throw error
      return { status: error.status, body: { error: error.error } }
    }
  })()
  received.status = answer.status
  if (failure === 'reset after') return 'reset'
  if (typeof failure === 'object') await new Promise((resolve) => setTimeout(resolve, failure.delayMs))
  return answer
}

/** Creates the server; a bug of the double is answered 500 and recorded. */
function createApiServer(state: ApiState): Server {
  const answered: Answered = new Map()
  let count = 0
  const respond = (res: ServerResponse, answer: Answer | 'reset'): void => {
    if (answer === 'reset') return void res.socket?.resetAndDestroy()
    count += 1
    res.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': `req_${count}` })
    res.end(JSON.stringify(answer.body))
  }
  return createServer((req, res) => {
    receive(state, answered, req).then(
      (answer) => respond(res, answer),
      (error: unknown) => {
        state.violations.push(`the double failed: ${String(error)}`)
        respond(res, { status: 500, body: { error: { type: 'api_error', message: String(error) } } })
      },
    )
  })
}

/** A webhook as Stripe sends it. */
interface SignedWebhook {
  body: Buffer
  headers: { 'content-type': string; 'stripe-signature': string }
}

/** Receives a webhook as our server does; resolves with the status of the answer. */
type WebhookHandler = (webhook: SignedWebhook) => Promise<number>

/** Signs as Stripe does: `t` is the time of signing, `v1` the HMAC-SHA256 over `t.body`. */
function signatureHeader(body: Buffer, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
}

function createDeliveries(webhookSecret: string) {
  let held: StripeEvent[] = []
  let isHeld = true
  let receive: WebhookHandler | undefined
  let running: Promise<unknown> = Promise.resolve()

  /** Signs an event, or other bytes, at a time in seconds. */
  const webhook = (
    event: StripeEvent | Buffer,
    options: { secret?: string; signedAt?: number } = {},
  ): SignedWebhook => {
    const body = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event, null, 2))
    const { secret = webhookSecret, signedAt = Math.floor(Date.now() / 1000) } = options
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureHeader(body, secret, signedAt),
    }
    return { body, headers }
  }
  async function deliverOne(event: StripeEvent): Promise<number> {
    if (!receive) throw new Error('webhooks go nowhere yet: call `receiver`')
    const status = await receive(webhook(event))
    if (status === 200) held = held.filter(({ id }) => id !== event.id)
    return status
  }
  return {
    webhook,
    /** Events that were not delivered successfully, in the order in which they happened. */
    held: () => [...held],
    /** From now on, events are delivered when they happen (`idle` waits for that), or held until `deliver`. */
    hold(value: boolean): void {
      isHeld = value
    },
    /** Delivers events now, one after the other; the statuses of the answers. Without a list: those that are held. */
    async deliver(events: readonly StripeEvent[] = held): Promise<number[]> {
      const statuses: number[] = []
      for (const event of events) statuses.push(await deliverOne(event))
      return statuses
    },
    /** Delivers them at the same time. */
    deliverAtOnce: (events: readonly StripeEvent[]) => Promise.all(events.map(deliverOne)),
    /** Forgets what is held: it is never delivered. */
    drop(): void {
      held = []
    },
    /** Where webhooks go. */
    receiver(receiver: WebhookHandler): void {
      receive = receiver
    },
    /** Waits for the deliveries that have begun. */
    idle: async () => void (await running),
    onEvent(event: StripeEvent): void {
      held.push(event)
      if (isHeld) return
      running = running.then(() => deliverOne(event))
      // `idle` reports a failure.
      running.catch(() => {})
    },
  }
}
