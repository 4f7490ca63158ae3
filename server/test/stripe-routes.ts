import type Stripe from 'stripe'
import {
  type Billing,
  type CheckoutSession,
  type Customer,
  daySeconds,
  type Events,
  get,
  getCustomer,
  invalidRequest,
  listOf,
  noSuch,
  type Store,
  StripeFault,
  type Subscription,
} from './stripe-billing.ts'

/** The endpoints of Stripe's API that the double answers. */

export interface RouteContext {
  store: Store
  billing: Billing
  events: Events
  /** Settings of the account, which a test may change. */
  account: { hasPortal: boolean; hasTax: boolean; taxBehavior: Stripe.Tax.Settings.Defaults.TaxBehavior | null }
}

export interface Route {
  /** `METHOD /path/{id}`, as in the extracted parameters. */
  endpoint: string
  /** The parameters that the double supports, such as `line_items.*.price`; others are refused, not ignored. */
  supportedParameters: readonly string[]
  answer(context: RouteContext, params: Form, id: string): object
}

const compare: Record<string, (created: number, limit: number) => boolean> = {
  gt: (created, limit) => created > limit,
  gte: (created, limit) => created >= limit,
  lt: (created, limit) => created < limit,
  lte: (created, limit) => created <= limit,
}

/** A page of a list as Stripe gives it: newest first, 10 unless the request says otherwise, at most 100. */
function pageOf<T extends { id: string; created: number }>(url: string, items: Iterable<T>, params: Form) {
  const bounds = Object.entries(numbersAt(params, 'created'))
  const matching = [...items].filter(({ created }) => bounds.every(([name, limit]) => compare[name]?.(created, limit)))
  // The order of creation decides between those of one second.
  const newestFirst = matching.toReversed().sort((a, b) => b.created - a.created)
  const limit = Number(valueAt(params, 'limit') ?? 10)
  if (limit < 1 || limit > 100) throw invalidRequest('This value must be between 1 and 100.', { param: 'limit' })
  const after = valueAt(params, 'starting_after')
  const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0)
    throw invalidRequest(`No such object: '${after}'`, { code: 'resource_missing', param: 'starting_after' })
  return listOf(url, newestFirst.slice(start, start + limit), newestFirst.length > start + limit)
}

/** What a list shall expand; only what is listed here can be. */
function expandsOf(params: Form, known: readonly string[]): string[] {
  const asked = listAt(params, 'expand') ?? []
  for (const one of asked) if (!known.includes(one)) throw invalidRequest(`This property cannot be expanded (${one}).`)
  return asked
}

const paging = ['limit', 'starting_after', 'created.*']

/** The parameters of a request that the double does not support. */
export function unsupportedParameters({ supportedParameters }: Route, params: Form): string[] {
  const patterns = supportedParameters.map(
    (one) => new RegExp(`^${one.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`),
  )
  return formPaths(params).filter((path) => !patterns.some((pattern) => pattern.test(path)))
}

/** The customer that a parameter names; lists of customers that do not exist are refused. */
function customerParam({ store }: RouteContext, params: Form): string | undefined {
  const id = valueAt(params, 'customer')
  if (id !== undefined) getCustomer(store, id, 'customer')
  return id
}

const isOf = (id: string | undefined) => (one: { customer: unknown }) => id === undefined || one.customer === id

const customers: Route[] = [
  {
    endpoint: 'POST /v1/customers',
    supportedParameters: ['email', 'metadata.*'],
    answer({ store, events }, params) {
      const reference = valueAt(params, 'metadata.reference')
      const customer = {
        id: store.newId('cus'),
        object: 'customer',
        balance: 0,
        created: store.clock.now(),
        currency: null,
        delinquent: false,
        email: valueAt(params, 'email') ?? null,
        livemode: store.isLive,
        metadata: reference === undefined ? {} : { reference },
      } as Customer
      store.customers.set(customer.id, customer)
      events.emit('customer.created', customer)
      return customer
    },
  },
  {
    endpoint: 'GET /v1/customers/{id}',
    supportedParameters: [],
    answer: ({ store }, _params, id) => getCustomer(store, id),
  },
  {
    endpoint: 'POST /v1/customers/{id}',
    supportedParameters: ['balance', 'name', 'address', 'address.*'],
    answer({ store }, params, id) {
      const customer = getCustomer(store, id)
      const [balance, name, country] = ['balance', 'name', 'address.country'].map((one) => valueAt(params, one))
      if (balance !== undefined) customer.balance = Number(balance)
      if (name !== undefined) customer.name = name || null
      if (valueAt(params, 'address') === '') customer.address = null
      else if (country !== undefined)
        customer.address = {
          city: valueAt(params, 'address.city') ?? null,
          country,
          line1: valueAt(params, 'address.line1') ?? null,
          line2: null,
          postal_code: valueAt(params, 'address.postal_code') ?? null,
          state: null,
        }
      return customer
    },
  },
  {
    endpoint: 'GET /v1/customers/{customer}/tax_ids',
    supportedParameters: paging,
    answer: ({ store }, params, id) =>
      pageOf(`/v1/customers/${id}/tax_ids`, store.taxIdsOf(getCustomer(store, id).id), params),
  },
  {
    endpoint: 'POST /v1/customers/{customer}/tax_ids',
    supportedParameters: ['type', 'value'],
    answer({ store }, params, id) {
      const value = valueAt(params, 'value') ?? ''
      if (!/^[A-Z]{2}[0-9A-Z]{2,13}$/.test(value))
        throw invalidRequest('Invalid value for eu_vat.', { code: 'tax_id_invalid', param: 'value' })
      const taxId = {
        id: store.newId('txi'),
        object: 'tax_id',
        country: value.slice(0, 2),
        created: store.clock.now(),
        customer: getCustomer(store, id).id,
        livemode: store.isLive,
        type: 'eu_vat',
        value,
      } as Stripe.TaxId & { customer: string } // in part
      store.taxIds.set(taxId.id, taxId)
      return taxId
    },
  },
  {
    endpoint: 'DELETE /v1/customers/{customer}/tax_ids/{id}',
    supportedParameters: [],
    answer({ store }, _params, id) {
      get(store.taxIds, { kind: 'tax_id', id })
      store.taxIds.delete(id)
      return { id, object: 'tax_id', deleted: true }
    },
  },
  {
    endpoint: 'GET /v1/prices/{id}',
    supportedParameters: [],
    answer: ({ store }, _params, id) => get(store.prices, { kind: 'price', id }),
  },
  {
    endpoint: 'POST /v1/billing_portal/sessions',
    supportedParameters: ['customer', 'return_url'],
    answer(context, params) {
      const { store, account } = context
      const customer = customerParam(context, params) ?? ''
      if (!account.hasPortal)
        throw invalidRequest('No configuration provided and your live mode default configuration has not been created.')
      const id = store.newId('bps')
      const session = {
        id,
        object: 'billing_portal.session',
        configuration: 'bpc_1',
        created: store.clock.now(),
        customer,
        livemode: store.isLive,
        return_url: valueAt(params, 'return_url') ?? null,
        url: `https://billing.stripe.test/p/session/${id}`,
      } as Stripe.BillingPortal.Session
      return session
    },
  },
  {
    endpoint: 'GET /v1/tax/settings',
    supportedParameters: [],
    answer: ({ account, store }) => ({
      object: 'tax.settings',
      defaults: { provider: 'stripe', tax_behavior: account.taxBehavior, tax_code: null },
      livemode: store.isLive,
      status: account.hasTax ? 'active' : 'pending',
    }),
  },
]

function openSession(context: RouteContext, params: Form): CheckoutSession & { priceId: string } {
  const { store } = context
  const customer = customerParam(context, params)
  const priceId = valueAt(params, 'line_items.0.price') ?? ''
  const price = get(store.prices, { kind: 'price', id: priceId, param: 'line_items[0][price]' })
  if (!price.active) throw invalidRequest(`The price specified is inactive.`, { param: 'line_items[0][price]' })
  if (valueAt(params, 'mode') !== 'subscription') throw invalidRequest('The double has subscriptions only.')
  if (!price.recurring) throw invalidRequest('You must provide at least one recurring price in `subscription` mode.')
  if (valueAt(params, 'automatic_tax.enabled') === 'true' && !context.account.hasTax)
    throw invalidRequest('You must have a valid head office address to enable automatic tax calculation in test mode.')
  const id = store.newId(store.isLive ? 'cs_live' : 'cs_test')
  return {
    id,
    object: 'checkout.session',
    amount_total: price.unit_amount,
    cancel_url: valueAt(params, 'cancel_url') ?? null,
    client_reference_id: valueAt(params, 'client_reference_id') ?? null,
    created: store.clock.now(),
    currency: price.currency,
    customer: customer ?? null,
    expires_at: store.clock.now() + daySeconds,
    invoice: null,
    livemode: store.isLive,
    mode: 'subscription',
    payment_status: 'unpaid',
    priceId,
    status: 'open',
    subscription: null,
    success_url: valueAt(params, 'success_url') ?? null,
    url: `https://checkout.stripe.test/c/pay/${id}`,
  } as CheckoutSession & { priceId: string }
}

const sessionKind = 'checkout.session'
const checkouts: Route[] = [
  {
    endpoint: 'POST /v1/checkout/sessions',
    supportedParameters: [
      'mode',
      'customer',
      'client_reference_id',
      'success_url',
      'cancel_url',
      'line_items.*.price',
      'line_items.*.quantity',
      'automatic_tax.enabled',
      'customer_update.*',
      'tax_id_collection.enabled',
    ],
    answer(context, params) {
      const session = openSession(context, params)
      context.store.sessions.set(session.id, session)
      return session
    },
  },
  {
    endpoint: 'GET /v1/checkout/sessions',
    supportedParameters: [...paging, 'customer', 'status'],
    answer(context, params) {
      const status = valueAt(params, 'status')
      const customer = customerParam(context, params)
      const found = [...context.store.sessions.values()].filter(isOf(customer))
      return pageOf(
        '/v1/checkout/sessions',
        found.filter((one) => status === undefined || one.status === status),
        params,
      )
    },
  },
  {
    endpoint: 'GET /v1/checkout/sessions/{id}',
    supportedParameters: [],
    answer: ({ store }, _params, id) => get(store.sessions, { kind: sessionKind, id }),
  },
  {
    endpoint: 'POST /v1/checkout/sessions/{id}/expire',
    supportedParameters: [],
    answer({ store, events }, _params, id) {
      const session = get(store.sessions, { kind: sessionKind, id })
      if (session.status !== 'open')
        throw invalidRequest(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${String(session.status)}\`.`,
        )
      Object.assign(session, { status: 'expired', url: null })
      events.emit('checkout.session.expired', session)
      return session
    },
  },
]

/** A subscription with what is expanded in it. */
function expanded({ store }: RouteContext, subscription: Subscription, expands: readonly string[]) {
  const { customer, latest_invoice: invoiceId } = subscription
  const { payments: _, ...invoice } = store.invoices.get(invoiceId ?? '') ?? { payments: undefined }
  return {
    ...subscription,
    ...(expands.includes('customer') && { customer: store.customers.get(customer) ?? customer }),
    ...(expands.includes('latest_invoice') && invoiceId !== null && { latest_invoice: invoice }),
  }
}

/** A subscription as a request asks for it. */
const answered = (context: RouteContext, params: Form, subscription: Subscription): object =>
  expanded(context, subscription, expandsOf(params, ['customer', 'latest_invoice']))

function updateSubscription(context: RouteContext, params: Form, id: string): object {
  const { store, billing, events } = context
  const subscription = get(store.subscriptions, { kind: 'subscription', id })
  if (subscription.ended_at !== null)
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'invalid_canceled_subscription_fields',
    })
  const cancels = valueAt(params, 'cancel_at_period_end')
  const now = store.clock.now()
  if (cancels !== undefined)
    Object.assign(subscription, {
      cancel_at_period_end: cancels === 'true',
      canceled_at: cancels === 'true' ? now : null,
    })
  if (valueAt(params, 'cancel_at') === '') Object.assign(subscription, { cancel_at: null, canceled_at: null })
  const priceId = valueAt(params, 'items.0.price')
  if (priceId === undefined) events.emit('customer.subscription.updated', subscription)
  else {
    const itemId = valueAt(params, 'items.0.id')
    // Without its id, Stripe would add a second item.
    if (itemId !== subscription.items.data[0]?.id)
      throw noSuch({ kind: 'subscription item', id: itemId ?? '', param: 'items[0][id]' })
    const price = get(store.prices, { kind: 'price', id: priceId, param: 'items[0][price]' })
    if (!price.active) throw invalidRequest('The price specified is inactive.', { param: 'items[0][price]' })
    const proration = valueAt(params, 'proration_behavior') ?? 'create_prorations'
    billing.changePrice(subscription, price, {
      isInvoicedNow: proration === 'always_invoice',
      isProrated: proration !== 'none',
      isRefusedUnlessPaid: valueAt(params, 'payment_behavior') === 'error_if_incomplete',
    })
  }
  return answered(context, params, subscription)
}

const subscriptions: Route[] = [
  {
    endpoint: 'GET /v1/subscriptions',
    supportedParameters: [...paging, 'customer', 'status', 'expand.*'],
    answer(context, params) {
      const status = valueAt(params, 'status')
      const found = [...context.store.subscriptions.values()].filter(isOf(customerParam(context, params)))
      const isListed = (one: string): boolean => (status === undefined ? one !== 'canceled' : one === status)
      const listed = status === 'all' ? found : found.filter((one) => isListed(one.status))
      const expands = expandsOf(params, ['data.customer', 'data.latest_invoice']).map((one) =>
        one.slice('data.'.length),
      )
      const page = pageOf('/v1/subscriptions', listed, params)
      return { ...page, data: page.data.map((one) => expanded(context, one, expands)) }
    },
  },
  {
    endpoint: 'GET /v1/subscriptions/{id}',
    supportedParameters: ['expand.*'],
    answer: (context, params, id) =>
      answered(context, params, get(context.store.subscriptions, { kind: 'subscription', id })),
  },
  {
    endpoint: 'POST /v1/subscriptions/{id}',
    supportedParameters: [
      'cancel_at_period_end',
      'cancel_at',
      'items.*.id',
      'items.*.price',
      'proration_behavior',
      'payment_behavior',
      'expand.*',
    ],
    answer: updateSubscription,
  },
  {
    endpoint: 'DELETE /v1/subscriptions/{id}',
    supportedParameters: ['invoice_now', 'prorate'],
    answer({ store, billing }, params, id) {
      const subscription = get(store.subscriptions, { kind: 'subscription', id })
      if (subscription.ended_at !== null) throw noSuch({ kind: 'subscription', id })
      if (valueAt(params, 'invoice_now') === 'true' || valueAt(params, 'prorate') === 'true')
        throw invalidRequest('The double cancels without a last invoice.')
      billing.cancel(subscription)
      return subscription
    },
  },
]

/** Gives back a part of a charge, or what is left of it. */
export function refund({ store, events }: RouteContext, id: string, cents?: number): Stripe.Refund {
  const charge = get(store.charges, { kind: 'charge', id, param: 'charge' })
  const refuse = (code: string, message: string) =>
    new StripeFault(400, { type: 'invalid_request_error', code, message })
  const disputes = [...store.disputes.values()].filter((one) => one.charge === id)
  const isWon = disputes.length > 0 && disputes.every(({ status }) => status === 'won')
  if (charge.disputed && !isWon)
    throw refuse('charge_disputed', `Charge ${id} has been charged back; cannot issue a refund.`)
  const rest = charge.amount_captured - charge.amount_refunded
  if (rest === 0) throw refuse('charge_already_refunded', `Charge ${id} has already been refunded.`)
  const amount = cents ?? rest
  if (amount > rest)
    throw invalidRequest('Refund amount is greater than unrefunded amount on charge.', { param: 'amount' })
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
  const made = {
    id: store.newId('re'),
    object: 'refund',
    amount,
    charge: id,
    created: store.clock.now(),
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    reason: null,
    status: 'succeeded',
  } as Stripe.Refund
  store.refunds.set(made.id, made)
  events.emit('charge.refunded', charge)
  return made
}

const isOfCharge = (params: Form) => (one: { charge: unknown }) => {
  const charge = valueAt(params, 'charge')
  return charge === undefined || one.charge === charge
}

const money: Route[] = [
  {
    endpoint: 'GET /v1/charges/{id}',
    supportedParameters: [],
    answer: ({ store }, _params, id) => get(store.charges, { kind: 'charge', id }),
  },
  {
    endpoint: 'GET /v1/invoices',
    supportedParameters: [...paging, 'customer', 'subscription', 'expand.*'],
    answer(context, params) {
      const expands = expandsOf(params, ['data.payments'])
      const subscription = valueAt(params, 'subscription')
      const found = [...context.store.invoices.values()]
        .filter(isOf(customerParam(context, params)))
        .filter(({ subscriptionId }) => subscription === undefined || subscriptionId === subscription)
      // Payments are answered only when they are asked for.
      const answered = found.map(({ payments, ...invoice }) => (expands.length ? { ...invoice, payments } : invoice))
      return pageOf('/v1/invoices', answered, params)
    },
  },
  {
    endpoint: 'GET /v1/charges',
    supportedParameters: [...paging, 'customer', 'expand.*'],
    answer(context, params) {
      const expands = expandsOf(params, ['data.balance_transaction'])
      const { eurRate: exchange_rate, charges } = context.store
      const transaction = { object: 'balance_transaction', currency: 'eur', exchange_rate }
      const balance_transaction = expands.length && exchange_rate !== null ? transaction : null
      const found = [...charges.values()].filter(isOf(customerParam(context, params)))
      return pageOf(
        '/v1/charges',
        found.map((charge) => ({ ...charge, balance_transaction })),
        params,
      )
    },
  },
  {
    endpoint: 'POST /v1/refunds',
    supportedParameters: ['charge', 'amount'],
    answer(context, params) {
      const amount = valueAt(params, 'amount')
      return refund(context, valueAt(params, 'charge') ?? '', amount === undefined ? undefined : Number(amount))
    },
  },
  {
    endpoint: 'GET /v1/refunds',
    supportedParameters: [...paging, 'charge'],
    answer: ({ store }, params) =>
      pageOf('/v1/refunds', [...store.refunds.values()].filter(isOfCharge(params)), params),
  },
  {
    endpoint: 'GET /v1/disputes',
    supportedParameters: [...paging, 'charge'],
    answer: ({ store }, params) =>
      pageOf('/v1/disputes', [...store.disputes.values()].filter(isOfCharge(params)), params),
  },
  {
    endpoint: 'POST /v1/invoices/create_preview',
    supportedParameters: [
      'subscription',
      'subscription_details.items.*.id',
      'subscription_details.items.*.price',
      'subscription_details.proration_behavior',
    ],
    answer({ store, billing }, params) {
      const id = valueAt(params, 'subscription') ?? ''
      const subscription = get(store.subscriptions, { kind: 'subscription', id, param: 'subscription' })
      const name = 'subscription_details.items.0'
      if (valueAt(params, `${name}.id`) !== subscription.items.data[0]?.id)
        throw invalidRequest('The double previews changes of the one item.')
      const priceId = valueAt(params, `${name}.price`) ?? ''
      const price = get(store.prices, { kind: 'price', id: priceId, param: name })
      return billing.previewChange(
        subscription,
        price,
        valueAt(params, 'subscription_details.proration_behavior') !== 'none',
      )
    },
  },
  {
    endpoint: 'GET /v1/events',
    supportedParameters: [...paging, 'types.*'],
    answer({ store }, params) {
      const types = listAt(params, 'types')
      if (types && types.length > 20) throw invalidRequest('You may pass up to 20 event types.', { param: 'types' })
      return pageOf(
        '/v1/events',
        store.events.filter(({ type }) => !types || types.includes(type)),
        params,
      )
    },
  },
]

export const routes: readonly Route[] = [...customers, ...checkouts, ...subscriptions, ...money]

/** A decoded form: lists are objects with the keys 0, 1, ... until a shape says that they are lists. */
type FormValue = string | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

const isObject = (value: FormValue | undefined): value is Form => typeof value === 'object'

/** Decodes `a[b][0]=c` as Stripe does, from a body or a query. */
export function decodeForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part, index) => index === 0 || part !== '')
    let inner = form
    for (const part of path.slice(0, -1)) {
      const found = inner[part]
      const next: Form = isObject(found) ? found : {}
      inner[part] = next
      inner = next
    }
    inner[path.at(-1) ?? ''] = value
  }
  return form
}

/** The value at a path such as `items.0.price`. */
function valueAt(form: Form, path: string): string | undefined {
  let value: FormValue | undefined = form
  for (const part of path.split('.')) value = isObject(value) ? value[part] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Every name with a value, such as `items.0.price`. */
function formPaths(form: Form, prefix = ''): string[] {
  return Object.entries(form).flatMap(([name, value]) =>
    isObject(value) ? formPaths(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
}

/** The numbers of an object such as `created[gte]=1`. */
function numbersAt(form: Form, name: string): Record<string, number> {
  const value = form[name]
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, Number(text)])) : {}
}

/** The texts of a list. */
export function listAt(form: Form, name: string): string[] | undefined {
  const value = form[name]
  return isObject(value) ? Object.values(value).map(String) : undefined
}
