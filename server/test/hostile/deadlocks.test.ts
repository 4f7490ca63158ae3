import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { createKey, uploadByKey } from '../api-keys.ts'
import { startServer, type TestServer } from '../harness.ts'
import { countLockWaits } from '../lock-waits.ts'
import { callOperator, makeOperator } from '../operators.ts'
import { grantPlan, validPassword, registerUser, upload, type TestUser } from '../test-data.ts'
import { createWebhook } from '../../features/webhooks/test/webhook-actions.ts'
import { newestSecret } from '../outbox.ts'
import { checkoutBody, demoOf, openCheckout, subscribe, callVerifySession } from '../subscriptions.ts'

let server: TestServer
const file = await jpeg({ width: 640, height: 480 })
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })
  await server.images()
})
afterAll(() => server.close())

const call = (user: TestUser, method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) =>
  server.request({ method, url, token: user.token, ...(body && { body }) })
const confirm = (token: string) => server.request({ method: 'POST', url: '/verify-email', body: { token } })
const mailed = async (user: TestUser, path: Parameters<typeof newestSecret>[2]): Promise<string> => {
  await server.work()
  return newestSecret(server, user.email, path)
}

test('a link that is used while new emails are requested works, or has been replaced', async () => {
  for (let round = 0; round < 8; round++) {
    const user = await registerUser(server)
    const token = await mailed(user, '/verify-email?token=')
    const again = () => call(user, 'POST', '/user/verification')
    const answers = await Promise.all([again(), confirm(token), again(), again()])
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code >= 500)).toEqual([])
    expect([200, 400]).toContain(codes[1])
  }
})

const signIn = async ({ email }: TestUser): Promise<number> =>
  (
    await server.request({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username: email, password: validPassword }).toString(),
    })
  ).statusCode
const isWaiting = async (): Promise<boolean> => (await countLockWaits(server.app.deps.pool)) > 0

test('a sign-in with the old password is refused while a new one is being set', async () => {
  const user = await registerUser(server)
  const reset = await server.app.deps.pool.connect()
  try {
    await reset.query('begin')
    await reset.query("update users set password_hash = 'of another' where id = $1", [user.id])
    const answer = signIn(user)
    await expect.poll(isWaiting, { interval: 5 }).toBe(true)
    await reset.query('commit')
    expect(await answer).toBe(401)
  } finally {
    reset.release(true)
  }
})

async function workWithoutErrors(): Promise<number> {
  await server.work()
  const { rowCount } = await server.app.deps.pool.query(
    'select 1 from graphile_worker.jobs where last_error is not null',
  )
  return rowCount === 0 ? 200 : 500
}
async function subscriptionOf({ id }: TestUser): Promise<string> {
  const row = await server.db
    .selectFrom('paid_plans')
    .select('subscription_id')
    .where('user_id', '=', id)
    .executeTakeFirst()
  return row?.subscription_id ?? ''
}

const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)
/** A larger plan has ended, and a photo takes more than the free one includes. */
async function overStorage(user: TestUser, photoId: string): Promise<void> {
  await grantPlan(server, user, 'pro_monthly')
  await server.work()
  await query('update photos set full_bytes = 2::bigint << 30 where id = $1', [photoId])
  await grantPlan(server, user, 'free')
}

/** Port 9 is closed. */
async function withWebhook(user: TestUser) {
  await grantPlan(server, user, 'pro_yearly')
  return createWebhook(server, user, 'http://127.0.0.1:9/')
}

async function operatorActs(path: string, body: Record<string, unknown> = {}) {
  const operator = await makeOperator(server)
  return async () => (await callOperator(server, operator, path, { ...body, reason: 'A complaint' })).statusCode
}

/** What is done with an account, in the words of a test, and what prepares it. */
const actions: Record<string, (user: TestUser, photo: Photo) => Promise<() => Promise<number>>> = {
  'its address is confirmed': async (user) => {
    const token = await mailed(user, '/verify-email?token=')
    return async () => (await confirm(token)).statusCode
  },
  'its password is reset': async (user) => {
    await server.request({ method: 'POST', url: '/request-password-reset', body: { email: user.email } })
    const body = { token: await mailed(user, '/reset-password?token='), new_password: 'Better.Battery.7' }
    return async () => (await server.request({ method: 'POST', url: '/reset-password', body })).statusCode
  },
  'somebody signs in': async (user) => async () => signIn(user),
  'its sessions end': async (user) => async () => (await call(user, 'DELETE', '/user/sessions')).statusCode,
  'a photo is uploaded': async (user) => async () => (await upload(server, user, file)).statusCode,
  'a photo is uploaded with an API key': async (user) => {
    await grantPlan(server, user, 'pro_yearly')
    const { key } = await createKey(server, user)
    return async () => (await uploadByKey(server, key, file)).statusCode
  },
  'a key is created': async (user) => {
    await grantPlan(server, user, 'pro_yearly')
    return async () => (await call(user, 'POST', '/api/keys', { name: 'Booth' })).statusCode
  },
  'a key is deleted': async (user) => {
    await grantPlan(server, user, 'pro_yearly')
    const { id } = await createKey(server, user)
    return async () => (await call(user, 'DELETE', `/api/keys/${id}`)).statusCode
  },
  'a photo is reported': async (_, { id }) => {
    const body = { reason: 'me' }
    return async () => (await server.request({ method: 'POST', url: `/photos/${id}/report`, body })).statusCode
  },
  'a decision about a report is taken back': async (user, { id }) => {
    await server.request({ method: 'POST', url: `/photos/${id}/report`, body: { reason: 'me' } })
    const hidden = await call(user, 'POST', `/photos/${id}/decision`, { decision: 'hide' })
    const { decided_at: at } = hidden.json<PhotoReport>()
    return async () => (await call(user, 'DELETE', `/photos/${id}/decision?decided_at=${at}`)).statusCode
  },
  'numbers of a photo are written': async (user, { id }) => {
    const media = { photoId: id, userId: user.id }
    server.app.deps.guestActivity.add(media, 'views')
    await server.app.deps.guestActivity.flush()
    return async () => {
      // At once, because they are also written every two seconds.
      server.app.deps.guestActivity.add(media, 'views')
      await server.app.deps.guestActivity.flush()
      return 200
    }
  },
  'its payment is verified': async (user) => {
    const id = await openCheckout(server, user)
    await demoOf(server).payCheckout(id)
    return async () => (await callVerifySession(server, user, id)).statusCode
  },
  'its subscription is cancelled': async (user) => {
    await subscribe(server, user)
    return async () => (await call(user, 'POST', '/subscriptions/cancel')).statusCode
  },
  'its payments are refunded': async (user) => {
    await subscribe(server, user)
    return async () => (await call(user, 'POST', '/subscriptions/refund')).statusCode
  },
  'a checkout is opened': async (user) => async () =>
    (await call(user, 'POST', '/subscriptions/checkout', checkoutBody())).statusCode,
  'its plan is synchronized': async (user) => {
    await subscribe(server, user)
    await call(user, 'POST', '/subscriptions/cancel')
    await demoOf(server).cancelNow(await subscriptionOf(user))
    return workWithoutErrors
  },
  'its photos are announced to be removed': async (user, { id }) => {
    await overStorage(user, id)
    return workWithoutErrors
  },
  'its photos are removed': async (user, { id }) => {
    await overStorage(user, id)
    await server.work()
    await query('update photo_keeping set approved_at = now() where user_id = $1', [user.id])
    await query("select graphile_worker.add_job('check-kept-photos', '{}'::json)", [])
    return workWithoutErrors
  },
  'its removed photos are restored': async (user, { id }) => {
    await query('update photos set deleted_at = now() where id = $1', [id])
    await query(
      `insert into photo_removals (photo_id, user_id, clock, restorable_until, by_operator)
       values ($1, $2, 'database', now() + interval '1 day', false)`,
      [id, user.id],
    )
    return async () => (await call(user, 'POST', '/user/removed-photos/restore')).statusCode
  },
  'a webhook is created': async (user) => {
    await grantPlan(server, user, 'pro_yearly')
    const body = { url: 'http://127.0.0.1:9/', events: ['photo.ready'] }
    return async () => (await call(user, 'POST', '/api/webhooks', body)).statusCode
  },
  'an event is recorded for its webhook': async (user, { id }) => {
    await withWebhook(user)
    await call(user, 'DELETE', `/photos/${id}`)
    return workWithoutErrors
  },
  'its webhook is called': async (user) => {
    const { id } = await withWebhook(user)
    await call(user, 'POST', `/api/webhooks/${id}/test`)
    return workWithoutErrors
  },
  'an operator deactivates it': async ({ id }) => operatorActs(`users/${id}/deactivate`),
  'an operator grants it a plan': async ({ id }) =>
    operatorActs(`users/${id}/plan`, { plan: 'pro_monthly', until: null }),
  'an operator refunds its payments': async (user) => {
    await subscribe(server, user)
    return operatorActs(`users/${user.id}/refund`)
  },
  'an operator hides its photo': async (_, { id }) => {
    await server.request({ method: 'POST', url: `/photos/${id}/report`, body: { reason: 'me' } })
    return operatorActs(`photos/${id}/hide`)
  },
  'an operator shows its photo again': async (_, { id }) => {
    await server.request({ method: 'POST', url: `/photos/${id}/report`, body: { reason: 'me' } })
    await (
      await operatorActs(`photos/${id}/hide`)
    )()
    return operatorActs(`photos/${id}/show`)
  },
  'an operator has its photo processed again': async (_, { id }) => {
    await query(`update photos set state = 'failed', original_key = full_key, full_key = null where id = $1`, [id])
    return operatorActs(`photos/${id}/retry`)
  },
  'its archive is requested': async (user) => async () => (await call(user, 'POST', '/user/export')).statusCode,
  'a guest requests a photo': async (_, { id }) => {
    const body = { email: 'guest@example.com' }
    return async () => (await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body })).statusCode
  },
  'its archive is made': async (user) => {
    await call(user, 'POST', '/user/export')
    return workWithoutErrors
  },
}

/** Does something in the middle of a deletion, and resolves with what came of it. */
async function whileDeleted<T>(user: TestUser, act: () => Promise<T>): Promise<T> {
  const deletion = await server.app.deps.pool.connect()
  try {
    // The steps of a deletion, with the action between them.
    await deletion.query('begin')
    await deletion.query('select 1 from users where id = $1 for update', [user.id])
    const answer = act()
    await expect.poll(isWaiting, { interval: 5 }).toBe(true)
    await deletion.query('delete from users where id = $1', [user.id])
    await deletion.query('commit')
    return await answer
  } finally {
    deletion.release(true)
  }
}
/** Does something while the user's sessions are being ended: when their rows are gone, or (`isFirst` false) just before. */
async function whileSessionEnds<T>(
  user: TestUser,
  { before, act, isFirst = true }: { before: string[]; act: () => Promise<T>; isFirst?: boolean },
): Promise<T> {
  const ending = await server.app.deps.pool.connect()
  const end = () => ending.query('delete from sessions where user_id = $1', [user.id])
  try {
    await ending.query('begin')
    for (const step of before) await ending.query(step, [user.id])
    if (isFirst) await end()
    const answer = act()
    await expect.poll(isWaiting, { interval: 5 }).toBe(true)
    if (!isFirst) await end()
    await ending.query('commit')
    return await answer
  } finally {
    ending.release(true)
  }
}
async function withPhoto(): Promise<[TestUser, Photo]> {
  const user = await registerUser(server)
  const { id } = (await upload(server, user, file)).json<Photo>()
  await server.work()
  return [user, (await call(user, 'GET', `/photos/${id}`)).json<Photo>()]
}

describe('an account can be deleted without a deadlock while', () => {
  test.each(Object.keys(actions))('%s', async (action) => {
    const [user, photo] = await withPhoto()
    const act = await actions[action]!(user, photo)
    expect([200, 201, 204, 400, 401, 404]).toContain(await whileDeleted(user, act))
  })
})

describe('a request that is late by a moment is answered like any later one:', () => {
  const signIn = [401, { code: 'unauthorized', detail: 'Please sign in.' }]

  test('for an archive, when the account has been deleted', async () => {
    const user = await registerUser(server)
    const late = await whileDeleted(user, () => call(user, 'POST', '/user/export'))
    const later = await call(user, 'POST', '/user/export')
    for (const answer of [late, later]) expect([answer.statusCode, answer.json()]).toEqual(signIn)
  })

  test('for a ticket, when the session has ended', async () => {
    const user = await registerUser(server)
    const late = await whileSessionEnds(user, { before: [], act: () => call(user, 'POST', '/ws/ticket') })
    expect([late.statusCode, late.json()]).toEqual(signIn)
  })

  test.each([
    ['in the page', (id: string) => `/photos/${id}/request-email`, 'application/json', '{"email":"late@example.com"}'],
    ['without JavaScript', (id: string) => `/request-photo/${id}`, 'application/x-www-form-urlencoded', 'email=a@b.co'],
  ])('of a guest %s, with the sentence about a missing photo', async (_, urlOf, type, body) => {
    const [user, { id }] = await withPhoto()
    const ask = () => server.request({ method: 'POST', url: urlOf(id), headers: { 'content-type': type }, body })
    const late = await whileDeleted(user, ask)
    server.app.deps.mediaCache.invalidateUser(user.id)
    const later = await ask()
    expect([late.statusCode, late.body.includes('Unable to load photo details.')]).toEqual([404, true])
    expect([later.statusCode, later.body]).toEqual([late.statusCode, late.body])
    expect((await server.app.deps.pool.query('select 1 from emails where photo_id = $1', [id])).rowCount).toBe(0)
  })
})

test('a photo whose session ends during its upload is refused, however close the race', async () => {
  const user = await registerUser(server)
  const before = ['update users set media_epoch = media_epoch + 1 where id = $1']
  const late = await whileSessionEnds(user, { before, act: () => upload(server, user, file), isFirst: false })
  expect(late.statusCode).toBe(401)
  expect((await server.app.deps.pool.query('select 1 from photos where user_id = $1', [user.id])).rowCount).toBe(0)
})
