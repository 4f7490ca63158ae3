import { sql } from 'kysely'
import { type PlanId, plans } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../dependencies.ts'
import { createPasswords, type PasswordHashing } from '../features/accounts/passwords.ts'
import { addSession } from '../features/accounts/sessions.ts'
import { addUser } from '../features/accounts/users.ts'
import { hashOf, newId, newSecret } from '../lib/ids.ts'
import { plural } from '../lib/operator-texts.ts'
import { StartupError } from '../faults.ts'
import type { HttpServer } from '../platform/http/http-types.ts'
import { syncCustomer } from '../features/plans/sync-customer.ts'
import { lockCustomer } from '../features/plans/customers.ts'
import { demoPrices } from '../ports/payments/payment-settings.ts'

/** The owner of a demo account. Addresses under `.example` are reserved (RFC 2606), so nobody can have them. */
interface Person {
  email: `${string}.example`
  username: string
  /** What guests are shown. */
  brandName: string | null
  timeZone: string
  memberDays: number
  /** A paid plan, and for how many months it has been paid. */
  paidPlan: { id: Exclude<PlanId, 'free'>; months: number } | null
  isVerified: boolean
  /** Whether guests must give an email address before they get a photo. */
  asksForEmail: boolean
  /** For the operator, in the list at the end. */
  situation: string
}

const usual = { paidPlan: null, isVerified: true, asksForEmail: false, timeZone: 'Europe/Brussels' } as const

export const people = {
  studio: {
    ...usual,
    email: 'hello@lumen-booths.example',
    username: 'Lumen Booths',
    brandName: 'Lumen Photo Booths',
    memberDays: 431,
    paidPlan: { id: 'pro_yearly', months: 14 },
    situation: 'Pro Yearly: logo, watermark, weeks of guests, three events, API key, webhook',
  },
  photographer: {
    ...usual,
    email: 'nora@nora-lind.example',
    username: 'Nora Lind',
    brandName: 'Nora Lind Photography',
    timeZone: 'Europe/Amsterdam',
    memberDays: 167,
    paidPlan: { id: 'pro_monthly', months: 5 },
    asksForEmail: true,
    situation: 'Pro Monthly: two weddings, guests must give an email address',
  },
  host: {
    ...usual,
    email: 'tom@garden-party.example',
    username: 'Tom',
    brandName: null,
    memberDays: 19,
    isVerified: false,
    situation: 'Free: 8 of 10 photos this month, email address not confirmed',
  },
  newcomer: {
    ...usual,
    email: 'mia@first-evening.example',
    username: 'Mia',
    brandName: null,
    memberDays: 0,
    situation: 'Free: nothing yet',
  },
  closed: {
    ...usual,
    email: 'bar@old-harbour.example',
    username: 'Old Harbour Bar',
    brandName: 'Old Harbour Bar',
    memberDays: 260,
    situation: 'deactivated: signing in is refused',
  },
} as const satisfies Record<string, Person>
export type PersonName = keyof typeof people
export const personNames = Object.keys(people) as PersonName[] // its own keys

/** A created account: its credentials, and the token with which this command calls the API for it. */
export interface DemoAccount {
  id: string
  email: string
  password: string
  token: string
}
export type DemoAccounts = Record<PersonName, DemoAccount>

/** Random groups, plus the character classes that the password rules require. */
const newPassword = (): string => `${newId(5)}-${newId(5)}-${newId(5)}.Kq7`

const refusalOf = (accounts: number, isDemo: boolean): string =>
  isDemo
    ? 'This instance was filled by demo before. To fill it again, stop the server, delete the data folder (or empty the database of DATABASE_URL), and run demo again.'
    : `The database holds ${plural(accounts, 'account')}. demo fills only an empty instance: set DATA_DIR to a new folder (or DATABASE_URL to an empty database), and run it again.`

export async function refuseUsedDatabase(db: Dependencies['db']): Promise<void> {
  const { rows } = await sql<{ accounts: number; isDemo: boolean }>`
    select count(*)::int as accounts,
      coalesce(bool_or(email_key = any(${Object.values(people).map(({ email }) => email)}::text[])), false) as "isDemo"
    from users`.execute(db)
  const [{ accounts, isDemo } = { accounts: 0, isDemo: false }] = rows
  if (accounts > 0) throw new StartupError(refusalOf(accounts, isDemo))
}

/** Creates all accounts in one transaction. A concurrent second run waits for the table lock, then is refused. */
export async function addAccounts(
  { db }: Pick<Dependencies, 'db'>,
  passwordHashing?: Partial<PasswordHashing>,
): Promise<DemoAccounts> {
  const passwords = await createPasswords(passwordHashing)
  const added = await Promise.all(
    personNames.map(async (name) => {
      const password = newPassword()
      const account = { id: newId(), email: people[name].email, password, token: newSecret() }
      return { name, account, passwordHash: await passwords.hash(password, { account: name }) }
    }),
  )
  await db.transaction().execute(async (tx) => {
    await sql`lock table users in share row exclusive mode`.execute(tx)
    await refuseUsedDatabase(tx)
    for (const { name, account, passwordHash } of added) {
      const { id, email, token } = account
      const { username, timeZone, brandName, memberDays, isVerified, asksForEmail } = people[name]
      await addUser(tx, { id, email, username, timeZone, passwordHash })
      await addSession(tx, { tokenHash: hashOf(token), userId: id, userAgent: 'Keepsnap demo' })
      await sql`
        update users set created_at = now() - make_interval(days => ${memberDays}), brand_name = ${brandName},
          email_verified_at = case when ${isVerified} then now() - make_interval(days => ${memberDays}) + interval '6 minutes' end,
          ask_email_to_receive_photo = ${asksForEmail}
        where id = ${id}`.execute(tx)
    }
  })
  return Object.fromEntries(added.map(({ name, account }) => [name, account])) as DemoAccounts // one of each
}

/** The maximum number of photos of each evening, and the pixels of their long side. */
export interface DemoSize {
  photosPerEvening: number
  longSide: number
}

export interface FillContext {
  deps: Dependencies
  /** The API of this process, which is called in memory. */
  http: HttpServer
  publicUrl: string
  waitUntilProcessed: () => Promise<void>
  /** Aborts when the operator stops the command. */
  signal: AbortSignal
  reportProgress: (progress: string) => void
  /** Fewer and smaller photos, for tests. */
  size?: DemoSize
  passwordHashing?: Partial<PasswordHashing>
}

interface ApiCall {
  method: 'POST' | 'PUT'
  url: string
  body?: object
  /** A file to upload, instead of a body. */
  file?: { bytes: Buffer; name: string; type: string }
}

/** A multipart form with one file, as browsers send it. */
async function formOf({ bytes, name, type }: NonNullable<ApiCall['file']>) {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name, { type }))
  const response = new Response(form)
  return {
    payload: Buffer.from(await response.arrayBuffer()),
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
  }
}

/** Makes one call with the headers of somebody; throws unless its status is 2xx. */
export async function sendCall(
  { http, publicUrl }: FillContext,
  headers: Record<string, string>,
  { method, url, body, file }: ApiCall,
) {
  const form = file && (await formOf(file))
  const answer = await http.inject({
    method,
    url,
    headers: { host: new URL(publicUrl).host, ...headers, ...form?.headers },
    ...(form ? { payload: form.payload } : body && { payload: body }),
  })
  if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`)
  return answer
}

/** Makes one call as a signed-in user. The caller states the type of the reply, as in the contract. */
export async function callApi<Reply>(context: FillContext, token: string, call: ApiCall): Promise<Reply> {
  const answer = await sendCall(context, { authorization: `Bearer ${token}` }, call)
  return (answer.body === '' ? undefined : answer.json()) as Reply // see above
}

type PaidPlan = NonNullable<(typeof people)[PersonName]['paidPlan']>

/** Opens a checkout, pays it as the demo payment page does, and verifies it as the page after a checkout does. */
async function subscribe(context: FillContext, token: string, { id }: PaidPlan): Promise<void> {
  const { deps, publicUrl } = context
  const { checkout_url: url } = await callApi<{ checkout_url: string }>(context, token, {
    method: 'POST',
    url: '/subscriptions/checkout',
    body: {
      price_id: demoPrices[id],
      success_url: `${publicUrl}/subscription/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${publicUrl}/subscription/cancel`,
    },
  })
  const checkoutId = new URL(url).pathname.split('/').at(-1) ?? ''
  await deps.demoPayments?.payCheckout(checkoutId)
  const body = { session_id: checkoutId }
  await callApi(context, token, { method: 'POST', url: '/subscriptions/verify-session', body })
}

/** Backdates the start of a subscription and adds its earlier periods and payments, at the provider and in our copy. */
async function backdateSubscription({ deps }: FillContext, userId: string, { id, months }: PaidPlan): Promise<void> {
  const { db, log, payments } = deps
  const { price_cents: cents, interval_type: interval } = plans[id]
  const step = interval === 'year' ? 12 : 1
  const periods = Math.floor(months / step) + 1
  const { rows: customers } = await sql<{ customerId: string }>`
    select customer_id as "customerId" from billing_customers where user_id = ${userId}`.execute(db)
  const customerId = customers[0]?.customerId ?? ''
  await db.transaction().execute(async (tx) => {
    // Jobs about the payment may be running: they lock the same first.
    await lockCustomer(tx, customerId)
    const { rows } = await sql<{ id: string; begin: Date }>`
      with begun as (select billing_now() - make_interval(months => ${months}, days => 4) as at)
      update demo_subscriptions set started_at = begun.at, anchored_at = begun.at, period_number = ${periods},
        current_period_start = begun.at + make_interval(months => ${(periods - 1) * step}),
        current_period_end = begun.at + make_interval(months => ${periods * step})
      from begun where customer_id = ${customerId} returning id, begun.at as begin`.execute(tx)
    const [subscription] = rows
    if (!subscription) throw new Error('the subscription that was just paid is gone')
    const { id: subscriptionId, begin } = subscription
    await sql`update demo_payments set paid_at = ${begin} where subscription_id = ${subscriptionId}`.execute(tx)
    for (let period = 1; period < periods; period += 1)
      await sql`
        insert into demo_payments (id, customer_id, subscription_id, paid_at, amount_cents)
        values (${`demo_pay_${newId()}`}, ${customerId}, ${subscriptionId},
          ${begin}::timestamptz + make_interval(months => ${period * step}), ${cents})`.execute(tx)
    await sql`update subscriptions set started_at = ${begin} where id = ${subscriptionId}`.execute(tx)
    await sql`
      update billing_customers set created_at = ${begin}, first_paid_at = ${begin}
      where customer_id = ${customerId}`.execute(tx)
    await sql`update subscribers set became_subscriber_at = ${begin} where user_id = ${userId}`.execute(tx)
  })
  if (payments) await syncCustomer({ db, log, payments }, customerId)
}

/** Subscribes each person who has a paid plan, backdated to when they began to pay. */
export async function addPaidPlans(context: FillContext, accounts: DemoAccounts): Promise<void> {
  for (const name of personNames) {
    const { paidPlan } = people[name]
    if (!paidPlan) continue
    context.signal.throwIfAborted()
    await subscribe(context, accounts[name].token, paidPlan)
    await backdateSubscription(context, accounts[name].id, paidPlan)
  }
}

export interface Random {
  /** From 0 to 1. */
  next(): number
  between(least: number, most: number): number
  integer(least: number, most: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + (most - least) * next()
  return {
    next,
    between,
    integer: (least, most) => Math.floor(between(least, most + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!, // `next` is less than 1
  }
}
