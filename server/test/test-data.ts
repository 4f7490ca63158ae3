import { hash } from '@node-rs/argon2'
import { hashOf, newId, newSecret } from '../lib/ids.ts'
import { changeAccount } from '../features/accounts/operator-changes.ts'
import { addSession, addUser } from '../features/accounts/queries.ts'
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
