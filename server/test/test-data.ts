import { hash } from '@node-rs/argon2'
import { eventPath } from '@keepsnap/contract/event-guests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import type { ApiKey } from '@keepsnap/contract/integrations.ts'
import { hashOf, newId, newSecret } from '../lib/ids.ts'
import { changeAccount } from '../features/accounts/operator-changes.ts'
import { addSession } from '../features/accounts/sessions.ts'
import { addUser } from '../features/accounts/users.ts'
import { demoPrices } from '../ports/payments/payment-settings.ts'
import type { NewCheckout } from '../ports/payments/payments.ts'
import { cheapHashing, newClientAddress, type TestRequest, type TestServer } from './harness.ts'

export const validPassword = 'Correct.Horse.9'

export interface TestUser {
  id: string
  email: string
  token: string
}

const newEmail = (): string => `user-${newId(8).toLowerCase()}@example.com`
/** One hash with the least effort for all users of this process: they have the same password. */
const hashOfPassword = hash(validPassword, cheapHashing.cost)

/** A signed-in user, written to the database; `registerUser` where registration or its email matters. */
export async function makeUser({ db }: Pick<TestServer, 'db'>, email = newEmail()): Promise<TestUser> {
  const [id, token] = [newId(), newSecret()]
  const username = email.slice(0, email.lastIndexOf('@'))
  if (!(await addUser(db, { id, email, username, passwordHash: await hashOfPassword })))
    throw new Error(`${email} has an account already`)
  await addSession(db, { tokenHash: hashOf(token), userId: id, userAgent: undefined })
  return { id, email, token }
}

/** A user who has registered through the API and is signed in. */
export async function registerUser(server: TestServer, email = newEmail()): Promise<TestUser> {
  const answer = await server.request({
    method: 'POST',
    url: '/register',
    from: newClientAddress(),
    body: { email, password: validPassword },
  })
  if (answer.statusCode !== 201) throw new Error(`registration answered ${answer.statusCode}: ${answer.body}`)
  const token = answer.json<{ access_token: string }>().access_token
  const me = await server.request({ method: 'GET', url: '/user/me', token })
  return { id: me.json<{ id: string }>().id, email, token }
}

/** The request of a sign-in. */
export const signInRequest = (email: string, password = validPassword): TestRequest => ({
  method: 'POST',
  url: '/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ username: email, password }).toString(),
})

/** A multipart body with one file, and its content type. */
export function multipartForm(
  file: Buffer,
  { filename = 'photo.jpg', field = 'file', type = 'image/jpeg' } = {},
): { body: Buffer; headers: Record<string, string> } {
  const boundary = `----test${newId()}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

/** Uploads a file as a user; the whole answer. */
export async function upload(
  server: TestServer,
  user: TestUser,
  file: Buffer,
  options: Parameters<typeof multipartForm>[1] & { headers?: Record<string, string>; query?: string } = {},
) {
  const form = multipartForm(file, options)
  return server.request({
    method: 'POST',
    url: `/photos/upload${options.query ?? ''}`,
    token: user.token,
    body: form.body,
    headers: { ...form.headers, ...options.headers },
  })
}

/** Uploads a file whose second half comes when `between` is over; the status and what was said. */
export async function uploadInHalves(
  address: string,
  user: TestUser,
  {
    url,
    file,
    between,
    headers: more = {},
  }: { url: string; file: Buffer; between: () => Promise<unknown>; headers?: Record<string, string> },
): Promise<[status: number, said: unknown]> {
  const { body, headers } = multipartForm(file)
  async function* halves(): AsyncGenerator<Buffer> {
    yield body.subarray(0, body.length / 2)
    await between()
    yield body.subarray(body.length / 2)
  }
  const answer = await fetch(address + url, {
    method: 'POST',
    headers: { ...headers, ...more, authorization: `Bearer ${user.token}` },
    body: ReadableStream.from(halves()),
    duplex: 'half',
  })
  return [answer.status, await answer.json()]
}

/** Puts an account on a plan, as `grant-plan` does. */
export async function grantPlan(server: TestServer, user: TestUser, plan: 'free' | 'pro_monthly' | 'pro_yearly') {
  if (
    !(await changeAccount(server.db, user.email, { granted_plan: plan === 'free' ? null : plan, granted_until: null }))
  )
    throw new Error('there is no such account')
}

/** Uploads a logo or a background; the whole answer. */
export const uploadBrandImage = (server: TestServer, user: TestUser, what: 'logo' | 'background', file: Buffer) => {
  const form = multipartForm(file, { filename: 'brand.png', type: 'image/png' })
  return server.request({ method: 'POST', url: `/upload-${what}`, token: user.token, ...form })
}

/** The secret of an email about a photo, as if the email had been sent; and the request that it answers. */
export async function createGrant(
  server: TestServer,
  { photo, owner, hours = 72 }: { photo: string; owner: string; hours?: number },
): Promise<{ secret: string; request: string; email: string }> {
  const [secret, request, email] = [newId(43), newId(), newId()]
  const { pool } = server.app.deps
  await pool.query(
    `insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, state, give_up_at)
     values ($1, 'photo', $2, $3, 'a@b.co', 'a@b.co', 'failed', now())`,
    [email, owner, photo],
  )
  await pool.query(
    `insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version)
     values ($1, $2, $3, $4, 'a@b.co', 'a@b.co', '1')`,
    [request, photo, owner, email],
  )
  await pool.query(
    `insert into grants (grant_hash, photo_id, request_id, expires_at)
     values ($1, $2, $3, now() + make_interval(hours => $4))`,
    [hashOf(secret), photo, request, hours],
  )
  return { secret, request, email }
}

/** Opens a checkout of demo payments, of a customer that nobody has; its id. */
export async function openDemoCheckout(
  { app, publicUrl }: Pick<TestServer, 'app' | 'publicUrl'>,
  checkout: Partial<NewCheckout> = {},
): Promise<string> {
  const { demoPayments } = app.deps
  if (!demoPayments) throw new Error('payments are no demonstration here')
  const customerId = await demoPayments.createCustomer({ reference: 'one', email: 'one@example.com' }, newId())
  const urls = { successUrl: `${publicUrl}/subscription/success`, cancelUrl: `${publicUrl}/pricing` }
  const values = { customerId, priceId: demoPrices.pro_monthly, reference: 'one', ...urls, ...checkout }
  return (await demoPayments.openCheckout(values, newId())).id
}

/** Photos without files, written to the database; their ids. They count as uploaded this month. */
export async function addPhotos(
  server: Pick<TestServer, 'app'>,
  user: TestUser,
  {
    count,
    daysAgo = 0,
    state = 'ready',
    isDeleted = false,
    bytes = 1_000,
  }: { count: number; daysAgo?: number; state?: string; isDeleted?: boolean; bytes?: number },
): Promise<string[]> {
  const { pool } = server.app.deps
  const { rows } = await pool.query<{ id: string }>(
    `insert into photos (id, user_id, code, filename, state, created_at, finished_at, deleted_at, counted_month, full_key,
       full_bytes, original_key, error_message, retry_helps)
     select photo.id, $1, photo.code, 'IMG_' || number || '.jpg', $2, photo.at, photo.at + interval '2 seconds',
       case when $3 then now() end, photo.at::date, case when $2 = 'ready' then 'full/' || photo.id end, $4,
       case when $2 = 'failed' then 'orig/' || photo.id end, case when $2 = 'failed' then 'The file is broken.' end, true
     from generate_series(1, $5) as number, lateral (
       select left(md5(random()::text), 22) as id, left(md5(random()::text), 22) as code,
         now() - make_interval(days => $6, secs => number) as at) as photo
     returning id`,
    [user.id, state, isDeleted, bytes, count, daysAgo],
  )
  await pool.query(
    `insert into usage_months values ($1, date_trunc('month', now() at time zone 'utc')::date, $2)
     on conflict (user_id, month) do update set uploads = usage_months.uploads + $2`,
    [user.id, count],
  )
  return rows.map(({ id }) => id)
}

/** Creates an API key of a user whose plan includes them; the answer, with the whole key. */
export async function createKey(
  server: TestServer,
  user: TestUser,
  body: { name?: string; expires_in_days?: number } = {},
): Promise<ApiKey> {
  const answer = await server.request({
    method: 'POST',
    url: '/api/keys',
    token: user.token,
    body: { name: 'Booth', ...body },
  })
  if (answer.statusCode !== 201) throw new Error(`creating a key answered ${answer.statusCode}: ${answer.body}`)
  return answer.json<ApiKey>()
}

/** A user with Pro Yearly. */
export async function makeApiUser(server: TestServer): Promise<TestUser> {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  return user
}

/** A user with Pro Yearly, and a key. */
export async function makeUserWithKey(server: TestServer): Promise<{ user: TestUser; key: string; keyId: string }> {
  const user = await makeApiUser(server)
  const { key, id } = await createKey(server, user)
  return { user, key, keyId: id }
}

/** A GET with a key; the whole answer. */
export const getByKey = (server: TestServer, key: string, url: string) =>
  server.request({ method: 'GET', url, headers: { 'x-api-key': key } })

/** An upload with a key; the whole answer. */
export const uploadByKey = (
  server: TestServer,
  key: string,
  file: Buffer,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) => {
  const form = multipartForm(file)
  return server.request({
    method: 'POST',
    url: `/api/upload${query}`,
    body: form.body,
    headers: { ...form.headers, 'api-key': key, ...headers },
  })
}

/** A signed-in admin who has just entered the password, unless `isConfirmed` is false. */
export async function makeOperator(
  server: Pick<TestServer, 'app' | 'db'>,
  { isConfirmed = true } = {},
): Promise<TestUser> {
  const operator = await makeUser(server)
  const { pool } = server.app.deps
  await pool.query('update users set is_admin = true where id = $1', [operator.id])
  if (isConfirmed)
    await pool.query('insert into operator_confirmations (session_hash) values ($1)', [hashOf(operator.token)])
  return operator
}

/** Calls the API of operators. */
export const callOperator = (
  server: Pick<TestServer, 'request'>,
  operator: TestUser,
  path: string,
  body?: Record<string, unknown>,
) =>
  server.request({
    method: body ? 'POST' : 'GET',
    url: `/api/operator/${path}`,
    token: operator.token,
    ...(body && { body }),
  })

/** What the audit log has about these subjects, the oldest first. */
export async function auditOf(server: Pick<TestServer, 'app'>, subjectId: string): Promise<object[]> {
  const { rows } = await server.app.deps.pool.query<object>(
    `select actor_kind, action, reason, outcome, detail from audit_log where subject_id = $1 order by at, id`,
    [subjectId],
  )
  return rows
}

/** Makes the delay after wrong passwords of an account an hour longer: the first one is a second, and passes on a busy machine. */
export const lengthenDelay = (server: TestServer, email: string): Promise<unknown> =>
  server.app.deps.pool.query(
    "update sign_in_delays set last_failure_at = now() + interval '1 hour' where account = $1",
    [email],
  )

interface SampleMessage {
  /** Id of the account that sent it; otherwise a visitor did. */
  owner?: string
  subject?: string
  email?: string
  priority?: boolean
  state?: 'open' | 'answered' | 'suspected'
  /** How long ago it was sent, and answered. */
  days?: number
}

/** Adds a message to support to the database; its id. */
export async function addSupportMessage(
  { app }: Pick<TestServer, 'app'>,
  {
    owner,
    email = 'ann@example.com',
    subject = 'The screen is dark',
    priority = false,
    state = 'open',
    days = 0,
  }: SampleMessage = {},
): Promise<string> {
  const id = newId()
  await app.deps.pool.query(
    `insert into support_messages (id, user_id, name, email, mailbox, subject, message, is_priority, filled_honeypot, state,
       client, is_emailed, is_confirmed, created_at, answered_at)
     values ($1, $2, 'Ann', $7, $7, $3, 'It was light before.', $4, false, $5, 'client', false, false,
       now() - make_interval(days => $6), case when $5 = 'answered' then now() - make_interval(days => $6) end)`,
    [id, owner ?? null, subject, priority, state, days, email],
  )
  return id
}

/** Adds a withdrawal from the contract of an account that pays with demo payments to the database; its id. */
export async function addWithdrawal(
  { app }: Pick<TestServer, 'app'>,
  { id: userId, email }: TestUser,
  state: 'waiting' | 'unmatched' | 'dismissed',
): Promise<string> {
  const id = newId()
  await app.deps.pool.query(
    `insert into withdrawals (id, name, email, mailbox, contract, language, state) values ($1, 'Ann', $2, $2, 'Pro', 'en', $3)`,
    [id, state === 'unmatched' ? `other-${email}` : email, 'unmatched'],
  )
  if (state !== 'unmatched')
    await app.deps.pool.query(
      `update withdrawals set state = $3, user_id = $2, customer_id = invoice.customer_id, invoice_id = invoice.id,
         subscription_id = invoice.subscription_id, plan = 'pro_yearly', concluded_at = issued_at,
         cost = jsonb_build_object('cents', due_cents, 'invoices', jsonb_build_array(invoice.id))
       from demo_invoices invoice join billing_customers using (customer_id)
       where withdrawals.id = $1 and billing_customers.user_id = $2`,
      [id, userId, state],
    )
  return id
}

/** Puts a photo into a new event with a guest gallery; the path of the photo in it. */
export async function addToGallery(
  server: TestServer,
  { id: userId, token }: TestUser,
  photo: string,
): Promise<string> {
  const { pool, mediaCache, tokens } = server.app.deps
  const body = { name: 'Winter party', gallery: 'link' }
  const event = (await server.request({ method: 'POST', url: '/user/events', token, body })).json<Event>()
  await pool.query('update photos set event_id = $2 where id = $1', [photo, event.id])
  mediaCache.invalidateUser(userId)
  const code = event.url.split('/').at(-1)!
  return eventPath(code, tokens.galleryPhotos(code).encrypt(photo))
}
