import type { TObject } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { createApiKey } from '@keepsnap/contract/api-keys.ts'
import { register, signIn } from '@keepsnap/contract/accounts.ts'
import type { Endpoint } from '@keepsnap/contract/endpoint.ts'
import { changeSubscription, openCheckout, verifySession } from '@keepsnap/contract/billing.ts'
import { startWatermarkRun } from '@keepsnap/contract/branding.ts'
import { demoCheckoutForm } from '@keepsnap/contract/demo-checkout.ts'
import { rates } from '@keepsnap/contract/limits.ts'
import { holdPhoto } from '@keepsnap/contract/holds.ts'
import { changePhoto } from '@keepsnap/contract/photos.ts'
import { decideReport, reportForm, reportPhoto } from '@keepsnap/contract/reports.ts'
import { requestPageForm, requestPhoto } from '@keepsnap/contract/requests.ts'
import { updateSettings } from '@keepsnap/contract/settings.ts'
import { confirmOperator } from '@keepsnap/contract/operator.ts'
import { hideReportedPhoto, retryFailedPhoto, showReportedPhoto } from '@keepsnap/contract/operator-photos.ts'
import { activateUser, deactivateUser, givePlan, refundUser } from '@keepsnap/contract/operator-users.ts'
import { deleteAccount } from '@keepsnap/contract/privacy.ts'
import { requestPasswordReset, checkResetLink, resetPassword, verifyEmail } from '@keepsnap/contract/email-links.ts'
import { changeEmail, changePassword } from '@keepsnap/contract/security.ts'
import { changeSupportMessage, deleteSupportMessage } from '@keepsnap/contract/operator-support.ts'
import { sendSupportMessage } from '@keepsnap/contract/support.ts'
import { changeWebhook, createWebhook } from '@keepsnap/contract/webhooks.ts'
import { newId, newSecret } from '../../lib/ids.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../harness.ts'
import { validPassword, makeUser, upload, type TestUser } from '../test-data.ts'
import { isRecord } from '../statistics.ts'
import { checkoutBody } from '../subscriptions.ts'
import { hashTables } from '../table-hashes.ts'

let server: TestServer
let user: TestUser
let operator: TestUser
let photo: string
let columns: string[]
const called = ({ method, path }: Endpoint): string => `${method} ${path}`
const newAddress = (): string => `extra-${newId(8).toLowerCase()}@example.com`

/** A right body for each call that takes one; a new one needs its own here. */
const bodies: Record<string, () => Record<string, unknown>> = {
  [called(register)]: () => ({ email: newAddress(), password: validPassword }),
  [called(signIn)]: () => ({ username: user.email, password: validPassword }),
  [called(updateSettings)]: () => ({ ask_email_to_receive_photo: false, username: 'Sofie' }),
  [called(changePhoto)]: () => ({ hidden: false }),
  [called(holdPhoto)]: () => ({ photo_id: photo }),
  [called(startWatermarkRun)]: () => ({ what: 'undo' }),
  [called(requestPhoto)]: () => ({ email: newAddress() }),
  [called(requestPageForm)]: () => ({ email: newAddress() }),
  [called(reportPhoto)]: () => ({ reason: 'me', note: 'x' }),
  [called(reportForm)]: () => ({ reason: 'me' }),
  [called(decideReport)]: () => ({ decision: 'keep' }),
  [called(requestPasswordReset)]: () => ({ email: newAddress() }),
  [called(resetPassword)]: () => ({ token: newSecret(), new_password: validPassword }),
  [called(checkResetLink)]: () => ({ token: newSecret() }),
  [called(verifyEmail)]: () => ({ token: newSecret() }),
  [called(changeEmail)]: () => ({ email: newAddress(), password: validPassword }),
  [called(changePassword)]: () => ({ current_password: validPassword, new_password: validPassword }),
  [called(openCheckout)]: () => checkoutBody(),
  [called(verifySession)]: () => ({ session_id: newSecret() }),
  [called(changeSubscription)]: () => ({ price_id: checkoutBody().price_id }),
  [called(demoCheckoutForm)]: () => ({ outcome: 'decline' }),
  [called(createApiKey)]: () => ({ name: 'Booth', expires_in_days: 30 }),
  [called(createWebhook)]: () => ({ url: 'https://hooks.example.com/', events: ['photo.ready'] }),
  [called(changeWebhook)]: () => ({ url: 'https://hooks.example.com/', events: ['photo.ready'], enabled: true }),
  [called(sendSupportMessage)]: () => ({
    name: 'Ann',
    email: newAddress(),
    subject: 'The screen',
    message: 'It is dark.',
  }),
  [called(deleteAccount)]: () => ({ password: validPassword }),
  [called(confirmOperator)]: () => ({ password: validPassword }),
  [called(deactivateUser)]: () => ({ reason: 'a test' }),
  [called(activateUser)]: () => ({ reason: 'a test' }),
  [called(refundUser)]: () => ({ reason: 'a test' }),
  [called(givePlan)]: () => ({ plan: 'pro_yearly', until: null, reason: 'a test' }),
  [called(retryFailedPhoto)]: () => ({ reason: 'a test' }),
  [called(hideReportedPhoto)]: () => ({ reason: 'a test', message: 'to you' }),
  [called(showReportedPhoto)]: () => ({ reason: 'a test', message: 'to you' }),
  [called(changeSupportMessage)]: () => ({ state: 'answered' }),
  [called(deleteSupportMessage)]: () => ({ reason: 'a test' }),
}
const withBody = endpoints.filter(({ body }) => body !== undefined)
const json = withBody.filter(({ form }) => !form)
const named = (shapes: readonly Endpoint[]): [string, Endpoint][] => shapes.map((shape) => [called(shape), shape])

beforeAll(async () => {
  server = await startServer()
  ;[user, operator] = [await makeUser(server), await makeUser(server)]
  await server.app.deps.pool.query('update users set is_admin = true where id = $1', [operator.id])
  photo = (await upload(server, user, await jpeg())).json<{ id: string }>().id
  await server.work()
  const { rows } = await server.app.deps.pool.query<{ name: string }>(
    "select distinct column_name as name from information_schema.columns where table_schema = 'public'",
  )
  columns = rows.map(({ name }) => name)
})
afterAll(() => server.close())

/** Sends a body. The calls of a user that have a limit of their own are not counted here. */
async function send({ method, path, rate, access }: Endpoint, body: string, type = 'application/json') {
  if (rate !== undefined && rates[rate].per === 'user') await server.app.deps.pool.query('delete from rate_hits')
  return server.request({
    method,
    url: path.replace(':user_id', user.id).replace(/:\w+/, photo),
    token: (access === 'operator' ? operator : user).token,
    headers: { 'content-type': type },
    body,
  })
}

test('every call that takes a body has a valid one here', () => {
  expect(Object.keys(bodies).toSorted()).toEqual(withBody.map(called).toSorted())
})

/** All fields in the record run; otherwise a quarter, so that the calls together try each column about ten times. */
function fieldsToTry(fields: readonly string[], name: string): readonly string[] {
  const first = json.findIndex((shape) => called(shape) === name) % 4
  return isRecord ? fields : fields.filter((field, at) => at % 4 === first || alwaysTried.has(field))
}
const alwaysTried = new Set([
  'is_admin',
  'is_active',
  'subscription_tier',
  'password_hash',
  'user_id',
  'id',
  '$set',
  '',
])

describe.each(named(json))('%s', (name, shape) => {
  const right = () => bodies[name]!()
  const withText = (extra: string): string => `${JSON.stringify(right()).slice(0, -1)},${extra}}`

  test('accepts no unknown field, in particular no column of our tables', async () => {
    const fields = [...columns, 'subscription_tier', 'photo_count', 'isAdmin', 'role', 'user[is_admin]', '$set', '']
    const known = new Set(Object.keys((shape.body as TObject).properties)) // bodies are objects
    const before = await hashTables(server)
    const values = [true, 'pro', null, { is_admin: true }, [1]]
    for (const [at, field] of fieldsToTry(
      fields.filter((one) => !known.has(one)),
      name,
    ).entries()) {
      for (const value of isRecord ? values : values.slice(at % values.length).slice(0, 1)) {
        const answer = await send(shape, JSON.stringify({ ...right(), [field]: value }))
        expect([field, answer.statusCode, answer.json()]).toEqual([
          field,
          422,
          { code: 'invalid', detail: [{ loc: ['body', field], msg: 'Unknown field' }] },
        ])
      }
    }
    expect(await hashTables(server)).toEqual(before)
  })

  test('allows no prototype pollution', async () => {
    const before = await hashTables(server)
    const reaching = ['"__proto__":{"is_admin":true}', '"constructor":{"prototype":{"is_admin":true}}']
    for (const extra of [...reaching, '"\\u005f_proto__":{"is_admin":true}', '"prototype":{}', '"toString":1']) {
      const { statusCode } = await send(shape, withText(extra))
      expect([extra, [400, 422].includes(statusCode)]).toEqual([extra, true])
    }
    expect('is_admin' in {}).toBe(false)
    expect(await hashTables(server)).toEqual(before)
  })

  test('accepts no other types, lists, nested values or encodings', async () => {
    const before = await hashTables(server)
    for (const field of Object.keys(right())) {
      const others = [1, true, null].filter((value) => typeof value !== typeof right()[field])
      for (const value of [[right()[field]], { value: right()[field] }, ...others]) {
        expect((await send(shape, JSON.stringify({ ...right(), [field]: value }))).statusCode).toBe(422)
      }
    }
    for (const body of [[right()], { body: right() }, { data: right() }, JSON.stringify(right()), 1, null, true]) {
      expect((await send(shape, JSON.stringify(body))).statusCode).toBe(422)
    }
    const form = new URLSearchParams(right() as Record<string, string>).toString() // all are texts
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
    ])
      expect([type, (await send(shape, form, type)).statusCode]).toEqual([type, 415])
    expect(await hashTables(server)).toEqual(before)
  })

  test('treats a repeated field as one', async () => {
    const before = await hashTables(server)
    for (const field of Object.keys(right()))
      expect((await send(shape, withText(`${JSON.stringify(field)}:["x"]`))).statusCode).toBe(422)
    expect(await hashTables(server)).toEqual(before)
  })
})

/** Calls that end the session they come by have no body to try, and nothing could be tried after them. */
const ending = new Set(['POST /logout', 'DELETE /user/sessions'])
describe.each(named(endpoints.filter((shape) => shape.method !== 'GET' && !shape.body && !ending.has(called(shape)))))(
  '%s takes no body',
  (_, shape) => {
    test('and one that is sent anyway has no effect on its user', async () => {
      const row = async () => (await server.app.deps.pool.query('select * from users where id = $1', [user.id])).rows
      const before = await row()
      const extra = Object.fromEntries(columns.map((column) => [column, true]))
      const answer = await send(shape, JSON.stringify({ ...extra, is_admin: true, granted_plan: 'pro_yearly' }))
      expect(answer.statusCode).toBeLessThan(500)
      expect(await row()).toEqual(before)
    })
  },
)

test('a sign-in form may have additional fields, as OAuth says, which are ignored', async () => {
  const row = async () => (await server.app.deps.pool.query('select * from users where id = $1', [user.id])).rows
  const before = await row()
  const extra = Object.fromEntries(columns.map((column) => [column, 'true']))
  const form = new URLSearchParams({ ...extra, scope: 'admin', username: user.email, password: validPassword })
  for (const body of [form.toString(), `${form.toString()}&username=other%40example.com&__proto__=x`])
    expect((await send(signIn, body, 'application/x-www-form-urlencoded')).statusCode).toBe(200)
  expect(await row()).toEqual(before)
})
