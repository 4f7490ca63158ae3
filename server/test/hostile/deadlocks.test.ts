/** Whatever happens to an account while it is deleted, and calls that are late by a moment: no deadlock, no half effect. */
import { describe, expect, test } from 'vitest'
import type { HelperWithLink } from '@keepsnap/contract/event-helpers.ts'
import type { PhotoReport } from '@keepsnap/contract/guests.ts'
import { createWebhook } from '../../features/integrations/test/webhook-actions.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import {
  addPhotos,
  callOperator,
  createKey,
  grantPlan,
  makeOperator,
  makeUser,
  signInRequest,
  type TestUser,
  upload,
  uploadByKey,
} from '../test-data.ts'
import { useServer } from '../harness.ts'
import { countLockWaits } from '../cloned-database.ts'
import { sendGalleryNotices } from '../../features/events/notices.ts'
import { eventActions } from '../event-guests.ts'
import { newestSecret } from '../outbox.ts'
import { callVerifySession, checkoutBody, demoOf, openCheckout, subscribe } from '../subscriptions.ts'

const file = await jpeg({ width: 640, height: 480 })
const server = useServer({ LOG_LEVEL: 'silent', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' })

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const ask = (method: Method, url: string, body?: object, user?: TestUser) =>
  server.request({ method, url, token: user?.token, ...(body && { body }) })
const call = (user: TestUser, method: Method, url: string, body?: object) => ask(method, url, body, user)
const confirm = (token: string) => ask('POST', '/verify-email', { token })
const signIn = ({ email }: TestUser) => server.request(signInRequest(email))
const report = (id: string) => ask('POST', `/photos/${id}/report`, { reason: 'me' })
/** The secret of the link that confirms the address of a user. */
async function verificationOf(user: TestUser): Promise<string> {
  await call(user, 'POST', '/user/verification')
  await server.work()
  return newestSecret(server, user.email, '/verify-email?token=')
}
const isWaiting = async (): Promise<boolean> => (await countLockWaits(server.app.deps.pool)) > 0

/**
 * Runs statements in a transaction, the last of them only when a call is under way and waits for a lock; resolves with the
 * call's result.
 */
async function during<T>(statements: readonly string[], values: unknown[], act: () => Promise<T>): Promise<T> {
  const client = await server.app.deps.pool.connect()
  try {
    await client.query('begin')
    for (const statement of statements.slice(0, -1)) await client.query(statement, values)
    const result = act()
    await expect.poll(isWaiting, { interval: 5 }).toBe(true)
    await client.query(statements.at(-1)!, values)
    await client.query('commit')
    return await result
  } finally {
    client.release(true)
  }
}
/** Does something in the middle of the deletion of an account. */
const whileDeleted = <T>(user: TestUser, act: () => Promise<T>): Promise<T> =>
  during(['select 1 from users where id = $1 for update', 'delete from users where id = $1'], [user.id], act)

test('a link that is used while new emails are requested works, or has been replaced', async () => {
  for (let round = 0; round < 2; round++) {
    const user = await makeUser(server)
    const token = await verificationOf(user)
    const again = () => call(user, 'POST', '/user/verification')
    const answers = await Promise.all([again(), confirm(token), again(), again()])
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code >= 500)).toEqual([])
    expect([200, 400]).toContain(codes[1])
  }
})

test('a sign-in with the old password is refused while a new one is being set', async () => {
  const user = await makeUser(server)
  const setting = ["update users set password_hash = 'of another' where id = $1", 'select $1::text']
  expect((await during(setting, [user.id], () => signIn(user))).statusCode).toBe(401)
})

/** A call whose status counts, or all jobs, none of which may fail. */
type Act = () => Promise<{ statusCode: number }>
const work: Act = async () => {
  await server.work()
  const { rowCount } = await query('select 1 from graphile_worker.jobs where last_error is not null')
  return { statusCode: rowCount === 0 ? 200 : 500 }
}
/** A larger plan has ended, and a photo takes more than the free one includes. */
async function overStorage(user: TestUser, photo: string): Promise<void> {
  await query('update photos set full_bytes = 2::bigint << 30 where id = $1', [photo])
  await grantPlan(server, user, 'free')
}
/** Port 9 is closed. */
const withWebhook = (user: TestUser) => createWebhook(server, user, 'http://127.0.0.1:9/')
async function operatorActs(path: string, body: Record<string, unknown> = {}): Promise<Act> {
  const operator = await makeOperator(server)
  return () => callOperator(server, operator, path, { ...body, reason: 'A complaint' })
}

const { createEvent, guestOf, joinAnswer, codeOf, add, review, decide } = eventActions(() => server)
/** An event that has the photo. */
async function withEvent(user: TestUser, photo: string): Promise<string> {
  const { id } = await createEvent(user)
  await query('update photos set event_id = $2 where id = $1', [photo, id])
  return id
}
/** An event with a photo of a guest that waits for its review. */
async function withGuest(user: TestUser) {
  const event = await createEvent(user)
  const guest = await guestOf(codeOf(event))
  await add(guest, file)
  await server.work()
  const { photos } = await review(user, event)
  const [{ id: photo, contributor } = { id: '', contributor: null }] = photos
  return { event, guest, photo, blockUrl: `/user/events/${event.id}/contributors/${contributor?.id}` }
}

/** The same, with a helper who approves the photo and hides it. */
async function withHelper(user: TestUser) {
  const { event, photo } = await withGuest(user)
  const url = `/user/events/${event.id}/helpers`
  const { helper, link } = (await call(user, 'POST', url, { name: 'Anna' })).json<HelperWithLink>()
  const post = (path: string, body: object, cookie = '') =>
    server.request({ method: 'POST', url: `/helper/${path}`, headers: { cookie }, body })
  const begun = await post('session', { secret: new URL(link).hash.slice(1) })
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0]
  const ids = [server.app.deps.tokens.galleryPhotos(`helper ${helper.id}`).encrypt(photo)]
  const act = async () => {
    await post('review', { ids, from: 'waiting', to: 'approved' }, cookie)
    return post('hide', { ids, hidden: true }, cookie)
  }
  return { helper: act, url: `${url}/${helper.id}` }
}

/** What is done with an account on the largest plan, in the words of a test, and what prepares it. */
const actions: Record<string, (user: TestUser, photo: string) => Promise<Act> | Act> = {
  'its address is confirmed': async (user) => {
    const token = await verificationOf(user)
    return () => confirm(token)
  },
  'its password is reset': async (user) => {
    await ask('POST', '/request-password-reset', { email: user.email })
    await server.work()
    const token = await newestSecret(server, user.email, '/reset-password?token=')
    return () => ask('POST', '/reset-password', { token, new_password: 'Better.Battery.7' })
  },
  'somebody signs in': (user) => () => signIn(user),
  'its sessions end': (user) => () => call(user, 'DELETE', '/user/sessions'),
  'a photo is uploaded': (user) => () => upload(server, user, file),
  'a photo is uploaded with an API key': async (user) => {
    const { key } = await createKey(server, user)
    return () => uploadByKey(server, key, file)
  },
  'a key is created': (user) => () => call(user, 'POST', '/api/keys', { name: 'Booth' }),
  'a key is deleted': async (user) => {
    const { id } = await createKey(server, user)
    return () => call(user, 'DELETE', `/api/keys/${id}`)
  },
  'a photo is reported': (_, id) => () => report(id),
  'a decision about a report is taken back': async (user, id) => {
    await report(id)
    const hidden = await call(user, 'POST', `/photos/${id}/decision`, { decision: 'hide' })
    const { decided_at: at } = hidden.json<PhotoReport>()
    return () => call(user, 'DELETE', `/photos/${id}/decision?decided_at=${at}`)
  },
  'numbers of a photo are written': async (user, id) => {
    const { guestActivity } = server.app.deps
    const count = async () => {
      // Written at once, because they are also written every two seconds.
      guestActivity.add({ photoId: id, userId: user.id }, 'views')
      await guestActivity.flush()
      return { statusCode: 200 }
    }
    await count()
    return count
  },
  'its payment is verified': async (user) => {
    const id = await openCheckout(server, user)
    await demoOf(server).payCheckout(id)
    return () => callVerifySession(server, user, id)
  },
  'its subscription is cancelled': async (user) => {
    await subscribe(server, user)
    return () => call(user, 'POST', '/subscriptions/cancel')
  },
  'its payments are refunded': async (user) => {
    await subscribe(server, user)
    return () => call(user, 'POST', '/subscriptions/refund')
  },
  'a checkout is opened': (user) => () => call(user, 'POST', '/subscriptions/checkout', checkoutBody()),
  'its plan is synchronized': async (user) => {
    await subscribe(server, user)
    await call(user, 'POST', '/subscriptions/cancel')
    const { rows } = await query('select subscription_id as id from paid_plans where user_id = $1', [user.id])
    await demoOf(server).cancelNow(rows[0].id)
    return work
  },
  'its photos are announced to be removed': async (user, id) => {
    await overStorage(user, id)
    return work
  },
  'its photos are removed': async (user, id) => {
    await overStorage(user, id)
    await server.work()
    await query('update photo_keeping set approved_at = now() where user_id = $1', [user.id])
    await query("select graphile_worker.add_job('check-kept-photos', '{}'::json)")
    return work
  },
  'its removed photos are restored': async (user, id) => {
    await query('update photos set deleted_at = now() where id = $1', [id])
    await query(
      `insert into photo_removals (photo_id, user_id, clock, restorable_until, by_operator)
       values ($1, $2, 'database', now() + interval '1 day', false)`,
      [id, user.id],
    )
    return () => call(user, 'POST', '/user/removed-photos/restore')
  },
  'a webhook is created': (user) => () =>
    call(user, 'POST', '/api/webhooks', { url: 'http://127.0.0.1:9/', events: ['photo.ready'] }),
  'one of its events is created': (user) => () => call(user, 'POST', '/user/events', { name: 'Summer party' }),
  'one of its events is deleted': async (user, photo) => {
    const id = await withEvent(user, photo)
    return () => call(user, 'DELETE', `/user/events/${id}`)
  },
  'one of its events is brought back': async (user, photo) => {
    const id = await withEvent(user, photo)
    await call(user, 'DELETE', `/user/events/${id}`)
    return () => call(user, 'POST', `/user/events/${id}/undo-delete`)
  },
  'another event becomes its current one': async (user, photo) => {
    const id = await withEvent(user, photo)
    return () => call(user, 'PUT', '/user/current-event', { event_id: id })
  },
  'one of its events is changed': async (user, photo) => {
    const id = await withEvent(user, photo)
    return () => call(user, 'PUT', `/user/events/${id}`, { ask_email: true })
  },
  'its photo is moved to another event': async (user, photo) => {
    await withEvent(user, photo)
    const { id } = await createEvent(user, { ask_email: true })
    return () => call(user, 'POST', '/photos/move', { ids: [photo], event_id: id })
  },
  'a guest joins one of its events': async (user) => {
    const event = await createEvent(user)
    return () => joinAnswer(codeOf(event))
  },
  'a guest adds a photo to one of its events': async (user) => {
    const { guest } = await withGuest(user)
    return () => add(guest, file)
  },
  'a guest’s photo is approved': async (user) => {
    const { event, photo } = await withGuest(user)
    return () => decide(user, event, [photo], ['waiting', 'approved'])
  },
  'a guest’s photo is rejected': async (user) => {
    const { event, photo } = await withGuest(user)
    return () => decide(user, event, [photo], ['waiting', 'rejected'])
  },
  'a helper approves and hides a photo': async (user) => {
    const { helper } = await withHelper(user)
    return helper
  },
  'what a helper did is undone': async (user) => {
    const { helper, url } = await withHelper(user)
    await helper()
    return () => call(user, 'POST', `${url}/undo`)
  },
  'a guest of it is blocked': async (user) => {
    const { blockUrl } = await withGuest(user)
    return () => call(user, 'POST', `${blockUrl}/block`)
  },
  'an event is recorded for its webhook': async (user, id) => {
    await withWebhook(user)
    await call(user, 'DELETE', `/photos/${id}`)
    return work
  },
  'its webhook is called': async (user) => {
    const { id } = await withWebhook(user)
    await call(user, 'POST', `/api/webhooks/${id}/test`)
    return work
  },
  'an operator deactivates it': ({ id }) => operatorActs(`users/${id}/deactivate`),
  'an operator grants it a plan': ({ id }) => operatorActs(`users/${id}/plan`, { plan: 'pro_monthly', until: null }),
  'an operator refunds its payments': async (user) => {
    await subscribe(server, user)
    return operatorActs(`users/${user.id}/refund`)
  },
  'an operator hides its photo': async (_, id) => {
    await report(id)
    return operatorActs(`photos/${id}/hide`)
  },
  'an operator shows its photo again': async (_, id) => {
    await report(id)
    const hide = await operatorActs(`photos/${id}/hide`)
    await hide()
    return operatorActs(`photos/${id}/show`)
  },
  'an operator deletes its photo': async (_, id) => {
    await report(id)
    return operatorActs(`photos/${id}/delete`)
  },
  'an operator deletes it too': ({ id, email }) => operatorActs(`users/${id}/delete`, { email }),
  'an operator sends an email of it again': async (_, id) => {
    await ask('POST', `/photos/${id}/request-email`, { email: 'guest@example.com' })
    await work()
    const { rows } = await query('select id from emails where photo_id = $1', [id])
    return operatorActs(`emails/${(rows[0] as { id: string }).id}/send`)
  },
  'an operator erases a guest of it': async (_, id) => {
    await ask('POST', `/photos/${id}/request-email`, { email: `${id}@example.com` })
    await report(id)
    await query(`update photo_reports set note = $2 where photo_id = $1`, [id, `${id}@example.com`])
    return operatorActs('guests/erase', { address: `${id}@example.com` })
  },
  'an operator has its photo processed again': async (_, id) => {
    await query(`update photos set state = 'failed', original_key = full_key, full_key = null where id = $1`, [id])
    return operatorActs(`photos/${id}/retry`)
  },
  'a guest requests a photo': (_, id) => () =>
    ask('POST', `/photos/${id}/request-email`, { email: 'guest@example.com' }),
  'guests request several photos': async (user, id) => {
    const [another = ''] = await addPhotos(server, user, { count: 1 })
    const event = await withEvent(user, id)
    await query('update photos set event_id = $2 where id = $1', [another, event])
    return () => ask('POST', '/d/request-email', { codes: [id, another], email: 'guest@example.com' })
  },
  'a gallery opens for which guests wait': async (user) => {
    const { id, url } = await createEvent(user, { gallery: 'link', gallery_opens_at: '2099-01-01T00:00:00Z' })
    const email = `${id.toLowerCase()}@example.com`
    await ask('POST', `${new URL(url).pathname}/request-email`, { tell_me: true, email })
    await query('update events set gallery_opens_at = now() where id = $1', [id])
    return async () => {
      await sendGalleryNotices(server.app.deps)
      return { statusCode: 200 }
    }
  },
  'its archive is requested': (user) => () => call(user, 'POST', '/user/export'),
  'its archive is made': async (user, id) => {
    await query('delete from photos where id = $1', [id])
    await call(user, 'POST', '/user/export')
    return work
  },
}

/** On the largest plan, with a photo whose files nothing here reads. */
async function withPhoto(): Promise<[TestUser, string]> {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  const [photo = ''] = await addPhotos(server, user, { count: 1 })
  await server.work()
  return [user, photo]
}

describe('an account can be deleted without a deadlock while', () => {
  test.each(Object.keys(actions))('%s', async (action) => {
    const [user, photo] = await withPhoto()
    const act = await actions[action]!(user, photo)
    const { statusCode } = await whileDeleted(user, act)
    expect([200, 201, 204, 400, 401, 404]).toContain(statusCode)
  })
})

describe('a request that is late by a moment is answered like any later one:', () => {
  const signInFirst = [401, { code: 'unauthorized', detail: 'Please sign in.' }]

  test('for an archive, when the account has been deleted', async () => {
    const user = await makeUser(server)
    const late = await whileDeleted(user, () => call(user, 'POST', '/user/export'))
    const later = await call(user, 'POST', '/user/export')
    for (const answer of [late, later]) expect([answer.statusCode, answer.json()]).toEqual(signInFirst)
  })

  test('for a ticket, when the session has ended', async () => {
    const user = await makeUser(server)
    const ending = ['delete from sessions where user_id = $1', 'select $1::text']
    const late = await during(ending, [user.id], () => call(user, 'POST', '/ws/ticket'))
    expect([late.statusCode, late.json()]).toEqual(signInFirst)
  })

  test.each([
    ['in the page', '/photos/ID/request-email', 'application/json', '{"email":"late@example.com"}'],
    ['without JavaScript', '/request-photo/ID', 'application/x-www-form-urlencoded', 'email=a@b.co'],
  ])('of a guest %s, with the sentence about a missing photo', async (_, path, type, body) => {
    const [user, id] = await withPhoto()
    const request = { method: 'POST', url: path.replace('ID', id), headers: { 'content-type': type }, body } as const
    const late = await whileDeleted(user, () => server.request(request))
    server.app.deps.mediaCache.invalidateUser(user.id)
    const later = await server.request(request)
    expect([late.statusCode, late.body.includes('Unable to load photo details.')]).toEqual([404, true])
    expect([later.statusCode, later.body]).toEqual([late.statusCode, late.body])
    expect((await query('select 1 from emails where photo_id = $1', [id])).rowCount).toBe(0)
  })

  test('of a photo, when the session ends during its upload, however close the race', async () => {
    const user = await makeUser(server)
    const epoch = 'update users set media_epoch = media_epoch + 1 where id = $1'
    const ending = [epoch, 'delete from sessions where user_id = $1']
    expect((await during(ending, [user.id], () => upload(server, user, file))).statusCode).toBe(401)
    expect((await query('select 1 from photos where user_id = $1', [user.id])).rowCount).toBe(0)
  })
})
