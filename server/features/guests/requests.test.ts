import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { emailLimits, limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { type PhotoRequest, type listPhotoRequests, requestAccepted } from '@keepsnap/contract/guests.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newId } from '../../lib/ids.ts'
import { addPhotos, type TestUser, grantPlan, makeUser, upload } from '../../test/test-data.ts'
import { newClientAddress, publicUrl, serverForThisTest, useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import {
  type SeededRandom,
  areaUnderCurve,
  isRecord,
  logWithSeed,
  promisedMs,
  seededRandom,
} from '../../test/statistics.ts'
import { requestPhotoByEmail } from './request-photo.ts'
import { nextRemovalDay } from './requests.ts'

const photoFile = await jpeg({ width: 1500, height: 1000 })
const server = useServer()

let owner: TestUser
/** A photo that is ready, and whose emails can be sent. */
let photo: Photo
const unknownId = 'A'.repeat(22)
beforeAll(async () => {
  owner = await makeUser(server)
  await grantPlan(server, owner, 'pro_yearly')
  photo = await makePhoto()
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
async function makePhoto(): Promise<Photo> {
  const { id } = (await upload(server, owner, photoFile, { filename: 'Trouw – été.jpg' })).json<Photo>()
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: owner.token })).json<Photo>()
}
/** A photo whose emails are never sent. */
const addPhoto = async (): Promise<string> => (await addPhotos(server, owner, { count: 1 }))[0]!
const newGuest = (): string => `guest-${newId(8).toLowerCase()}@example.com`
const getUrl = (url: string) => server.request({ method: 'GET', url })
const sendRequest = (id: string, body: object, from = newClientAddress()) =>
  server.request({ method: 'POST', url: `/photos/${id}/request-email`, from, body })
const expectAccepted = async (answer: ReturnType<typeof sendRequest>): Promise<void> => {
  const { statusCode, body } = await answer
  expect([statusCode, body]).toEqual([200, JSON.stringify({ detail: requestAccepted })])
}
const emailCount = async (recipientKey: string): Promise<number | null> =>
  (await query('select 1 from emails where recipient_key = $1', [recipientKey])).rowCount
/** As if an address had got so many emails, which are due in two days. */
const addEmails = (address: string, state: 'queued' | 'failed') =>
  query(
    `insert into emails (id, kind, recipient, recipient_key, state, due_at, give_up_at)
   select $1 || n, 'photo', $1, $1, $2, now() + interval '47 hours', now() from generate_series(1, 10) as n`,
    [address, state],
  )

interface RequestBody {
  email: string
  website?: string
}
type PrepareRequest = (photoId: string) => Promise<RequestBody>
/** Addresses for which a request sends no email; a guest must not be able to tell them from others. */
const silentCases: Record<string, PrepareRequest> = {
  'a blocked address': async () => {
    const email = newGuest()
    const url = `/stop/${server.app.deps.tokens.unsubscribe(email)}`
    expect((await server.request({ method: 'POST', url })).statusCode).toBe(200)
    return { email }
  },
  'an address that requested the photo a moment ago': async (photoId) => {
    const email = newGuest()
    await expectAccepted(sendRequest(photoId, { email }))
    return { email }
  },
  'an address that has reached its limit': async () => {
    const email = newGuest()
    await addEmails(email, 'queued')
    return { email }
  },
}
const bot: PrepareRequest = async () => ({ email: newGuest(), website: 'https://spam.example' })
const newAddress: PrepareRequest = async () => ({ email: newGuest() })

describe('a request is accepted and sends no further email', () => {
  test.each(Object.entries({ ...silentCases, 'a bot': bot }))('for %s', async (_, prepare) => {
    const id = await addPhoto()
    const body = await prepare(id)
    const before = await emailCount(body.email)
    await expectAccepted(sendRequest(id, body))
    expect(await emailCount(body.email)).toBe(before)
  })

  test('for the same address in another case or with a tag', async () => {
    const id = await addPhoto()
    const guest = newGuest()
    for (const email of [guest, guest.toUpperCase(), guest.replace('@', '+2@'), guest.replace('@', '+3@')])
      await expectAccepted(sendRequest(id, { email }))
    expect(await emailCount(guest)).toBe(1)
  })

  test('for the same mailbox at Gmail with other dots, and if an earlier version stored the first request', async () => {
    const id = await addPhoto()
    const name = newGuest().split('@')[0]!.replaceAll('-', '')
    await expectAccepted(sendRequest(id, { email: `a.${name}@gmail.com` }))
    await expectAccepted(sendRequest(id, { email: `a${name}@googlemail.com` }))
    expect([await emailCount(`a${name}@gmail.com`), await emailCount(`a.${name}@gmail.com`)]).toEqual([1, 0])
    // The address is used as it was typed.
    const { rows } = await query('select recipient from emails where recipient_key = $1', [`a${name}@gmail.com`])
    expect(rows).toEqual([{ recipient: `a.${name}@gmail.com` }])
    const former = `b.${name}@googlemail.com`
    await expectAccepted(sendRequest(id, { email: former }))
    await query('update photo_requests set requester_key = $2 where requester_key = $1', [`b${name}@gmail.com`, former])
    await query('update emails set recipient_key = $2 where recipient_key = $1', [`b${name}@gmail.com`, former])
    await expectAccepted(sendRequest(id, { email: former }))
    expect([await emailCount(`b${name}@gmail.com`), await emailCount(former)]).toEqual([0, 1])
  })

  test('for many requests of the same address at the same moment', async () => {
    const email = newGuest()
    await Promise.all(Array.from({ length: 10 }, () => expectAccepted(sendRequest(photo.id, { email }))))
    await server.work()
    expect(await emailsTo(server, email)).toHaveLength(1)
  })
})

test('a request for an international domain goes to its ASCII form', async () => {
  await expectAccepted(sendRequest(photo.id, { email: 'lotte@b\u00fccher.example.com' }))
  await server.work()
  expect(await emailsTo(server, 'lotte@xn--bcher-kva.example.com')).toHaveLength(1)
})

test.each([
  ['', 'Please enter your email address'],
  ['a@b.com\r\nBcc: x@y.zz', 'Please enter one address only'],
])('a request for the address %j is refused with a sentence', async (email, msg) => {
  const answer = await sendRequest(photo.id, { email })
  expect([answer.statusCode, answer.json()]).toEqual([
    422,
    { code: 'invalid', detail: [{ loc: ['body', 'email'], msg }] },
  ])
})

test('a guest whose email has failed can ask again at once, within the limits of the address', async () => {
  const [email, other] = [newGuest(), newGuest()]
  await expectAccepted(sendRequest(photo.id, { email }))
  await query("update emails set state = 'failed' where recipient_key = $1", [email])
  for (let n = 0; n < 2; n++) await expectAccepted(sendRequest(photo.id, { email }))
  expect(await emailCount(email)).toBe(2)
  await server.work()
  expect(await emailsTo(server, email)).toHaveLength(1)
  await addEmails(other, 'failed')
  await expectAccepted(sendRequest(photo.id, { email: other }))
  expect(await emailCount(other)).toBe(10)
})

// docs/security.md F22.
test('two thousand guests of one venue address ask for one photo: all are accepted, and emails over its limit wait', async () => {
  const { pool, tokens } = server.app.deps
  const id = await addPhoto()
  const from = newClientAddress()
  await pool.query(
    'insert into photo_request_attempts (user_id, photo_id, client) select $1, $2, $3 from generate_series(1, 1999)',
    [owner.id, id, tokens.clientPseudonym(from)],
  )
  await pool.query(
    `insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, state, due_at, give_up_at)
   select $2 || n, 'photo', $1, $2, 'x@guest.test', n, 'sent',
     case when n <= 1000 then now() else now() + interval '1 day' end, now() from generate_series(1, 1999) as n`,
    [owner.id, id],
  )
  const email = newGuest()
  await expectAccepted(sendRequest(id, { email }, from))
  const { rows } = await pool.query('select due_at - now() as wait from emails where recipient_key = $1', [email])
  expect(rows).toMatchObject([{ wait: { hours: 23 } }])
  await pool.query('delete from emails where photo_id = $1', [id])
})

describe('the limit of a client', () => {
  test.each(Object.entries({ ...silentCases, 'a new address': newAddress }))(
    'also counts a request for %s',
    async (_, prepare) => {
      const id = await addPhoto()
      const body = await prepare(id)
      const from = newClientAddress()
      await query(
        'insert into photo_request_attempts (user_id, photo_id, client) select $1, $2, $3 from generate_series(1, $4)',
        [owner.id, id, server.app.deps.tokens.clientPseudonym(from), emailLimits.perClientPhotoDay - 1],
      )
      await expectAccepted(sendRequest(id, body, from))
      const refused = await sendRequest(id, body, from)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
      await expectAccepted(sendRequest(id, await newAddress(id)))
    },
  )

  test('counts under a pseudonym, without addresses, and is reset after a day', async () => {
    const from = newClientAddress()
    await expectAccepted(sendRequest(await addPhoto(), { email: newGuest() }, from))
    const rows = async () => (await query('select t::text as row from photo_request_attempts t')).rows
    const [before, text] = [(await rows()).length, JSON.stringify(await rows())]
    expect(before).toBeGreaterThan(0)
    expect(text).not.toContain(from)
    expect(text).not.toContain('@')
    // Those of photos without files would fail.
    await query("delete from emails where state = 'queued'")
    const cleanUpAfter = async (hours: number): Promise<number> => {
      await query('update photo_request_attempts set attempted_at = attempted_at - make_interval(hours => $1)', [hours])
      await query("select graphile_worker.add_job('clean-up')")
      await server.work()
      return (await rows()).length
    }
    expect([await cleanUpAfter(23), await cleanUpAfter(1)]).toEqual([before, 0])
  })
})

describe('the time of an answer', () => {
  test.each(Object.entries({ ...silentCases, 'a bot': bot, 'a new address': newAddress }))(
    'is the same minimum for %s, whenever the work is done',
    async (_, prepare) => {
      const id = await addPhoto()
      const body = await prepare(id)
      const client = newClientAddress()
      const { deps } = server.app
      const waits: number[] = []
      const minimumReached = Promise.withResolvers<void>()
      let isAnswered = false
      const wait = (ms: number): Promise<void> => {
        waits.push(ms)
        return minimumReached.promise
      }
      const { minAnswerMs } = emailLimits
      const input = { ...body, client, language: 'en' } as const
      const response = requestPhotoByEmail({ ...deps, minAnswerMs }, id, input, wait).finally(() => (isAnswered = true))
      // A bot's request does nothing but wait; each other request is counted in the transaction that does its work.
      const pseudonym = deps.tokens.clientPseudonym(client)
      const counted = async () =>
        (await deps.pool.query('select 1 from photo_request_attempts where client = $1', [pseudonym])).rowCount
      await expect.poll(counted).toBe(body.website ? 0 : 1)
      await expect.poll(() => waits).toEqual([emailLimits.minAnswerMs])
      expect(isAnswered).toBe(false)
      minimumReached.resolve()
      await response
      expect(waits).toHaveLength(1)
    },
  )

  test('holds no database connection, and neither a guest who leaves nor shutdown waits for it', async () => {
    // A busy machine may need longer than the first minimum until both requests are stored.
    let isFree = false
    for (const minAnswerMs of [1_500, 8_000, 40_000]) isFree ||= await isFreeWhileWaiting(minAnswerMs)
    expect(isFree).toBe(true)
  })

  /** Whether no database connection is held before the least time has passed. */
  async function isFreeWhileWaiting(minAnswerMs: number): Promise<boolean> {
    const own = await serverForThisTest({}, { minAnswerMs })
    const [id] = await addPhotos(own, await makeUser(own), { count: 1 })
    const address = await own.listen()
    const { pool } = own.app.deps
    const request = (signal?: AbortSignal): Promise<Response> =>
      fetch(`${address}/photos/${id}/request-email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: newGuest() }),
        ...(signal && { signal }),
      })
    const sentAtMs = performance.now()
    const leaving = new AbortController()
    const left = request(leaving.signal).catch((error: Error) => error.name)
    const staying = request()
    const stored = async () => (await pool.query('select 1 from photo_requests')).rowCount
    await expect.poll(stored, { interval: 10 }).toBe(2)
    leaving.abort()
    expect(await left).toBe('AbortError')
    await expect.poll(() => pool.totalCount - pool.idleCount, { interval: 10 }).toBe(0)
    const isFreeInTime = performance.now() - sentAtMs < minAnswerMs
    const began = performance.now()
    await own.app.http?.close()
    expect((await staying).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(minAnswerMs + promisedMs(4_000))
    return isFreeInTime
  }
})

describe('the public details of a photo', () => {
  test('are a fixed list of fields, with a neutral file name', async () => {
    const answer = await getUrl(`/photos/${photo.id}/public`)
    expect(answer.json()).toEqual({
      id: photo.id,
      filename: expect.stringMatching(/^keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg$/),
      thumbnail_url: photo.thumbnail_url,
      width: 1500,
      height: 1000,
      thumbhash: photo.thumbhash,
      ask_email_to_receive_photo: false,
      processing: false,
      processing_complete: true,
      processing_failed: false,
      created_at: photo.created_at,
    })
    for (const secret of [owner.email, 'été']) expect(answer.body).not.toContain(secret)
  })

  test('have no thumbnail while the photo is processed; a failed, deleted or unknown photo is not found', async () => {
    const [queued] = await addPhotos(server, owner, { count: 1, state: 'queued' })
    expect((await getUrl(`/photos/${queued}/public`)).json()).toMatchObject({ processing: true, thumbnail_url: null })
    const [failed] = await addPhotos(server, owner, { count: 1, state: 'failed' })
    const [deleted] = await addPhotos(server, owner, { count: 1, isDeleted: true })
    const detail = 'Unable to load photo details. The photo may not exist or may be private.'
    for (const id of [deleted, failed, unknownId, 'x']) {
      const answer = await getUrl(`/photos/${id}/public`)
      expect([id, answer.statusCode, answer.json()]).toEqual([id, 404, { code: 'not_found', detail }])
    }
  })
})

describe('without JavaScript', () => {
  const submit = (id: string, body: string) =>
    server.request({
      method: 'POST',
      url: `/request-photo/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body,
    })
  test('the page has the thumbnail and the form, and nothing about the owner', async () => {
    const { statusCode, body, headers } = await getUrl(`/request-photo/${photo.id}`)
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe-inline/)
    const picture = String(photo.thumbnail_url).replace(publicUrl, '')
    for (const part of [picture, `action="/request-photo/${photo.id}"`, 'Send Photo']) expect(body).toContain(part)
    expect(body).not.toContain(String(owner.email.split('@')[0]))
  })

  test('the form sends the photo, and the page confirms it', async () => {
    const { statusCode, body } = await submit(photo.id, 'email=plain%40example.com&website=')
    expect(statusCode).toBe(200)
    expect(body).toContain('Request Submitted!')
    await server.work()
    expect(await emailsTo(server, 'plain@example.com')).toHaveLength(1)
  })

  test('an invalid address is shown again, escaped', async () => {
    const { statusCode, body } = await submit(photo.id, `email=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(statusCode).toBe(422)
    expect(body).not.toContain('<script>alert(1)')
    expect(body).toContain('&lt;script&gt;')
  })

  test('the address is shown again while the database is busy, and when it cannot even read the photo', async () => {
    const { id } = photo
    const expectForm = async (hasPicture: boolean): Promise<void> => {
      const { statusCode, headers, body } = await submit(id, 'email=typed%40example.com')
      expect([statusCode, headers['retry-after']]).toEqual([503, '2'])
      for (const part of [
        `action="/request-photo/${id}"`,
        'value="typed@example.com"',
        'The service is busy right now.',
      ])
        expect(body).toContain(part)
      expect(body.includes('<img class="guest__picture"')).toBe(hasPicture)
    }
    const body = `$$ begin raise exception 'the database system is starting up' using errcode = '57P03'; end $$`
    try {
      await query(`
      create function refuse_row() returns trigger language plpgsql as ${body};
      create trigger refuse before insert on photo_request_attempts execute function refuse_row()`)
      await expectForm(true)
      await query(`
      create function fail() returns boolean language plpgsql as ${body};
      alter table photos rename to photos_kept;
      create view photos as select * from photos_kept where fail()`)
      server.app.deps.mediaCache.invalidatePhoto(id)
      await expectForm(false)
    } finally {
      await query('drop view if exists photos; alter table if exists photos_kept rename to photos')
      await query('drop trigger refuse on photo_request_attempts')
    }
  })

  test('an unknown photo has a page that says so', async () => {
    const page = await server.request({ method: 'GET', url: `/request-photo/${unknownId}` })
    for (const { statusCode, body } of [await submit(unknownId, 'email=a%40b.co'), page]) {
      expect(statusCode).toBe(404)
      expect(body).toContain('Unable to load photo details. The photo may not exist or may be private.')
      expect(body).toContain('Back to Home')
    }
  })
})

test('on the internet without a mail server, the page, the API and /ready say that email is not set up', async () => {
  const online = await serverForThisTest({ PUBLIC_URL: 'https://photos.example.com' })
  const headers = { host: 'photos.example.com' }
  const [id] = await addPhotos(online, await makeUser(online), { count: 1 })
  const ready = async () => (await online.request({ method: 'GET', url: '/ready', headers })).json()
  await expect.poll(ready).toMatchObject({ status: 'ready', mail: 'off' })
  const page = await online.request({ method: 'GET', url: `/request-photo/${id}`, headers })
  expect(page.body).not.toContain('Send Photo')
  const url = `/photos/${id}/request-email`
  const answer = await online.request({ method: 'POST', url, headers, body: { email: 'a@example.com' } })
  const detail = "Email isn't set up here. Please ask the person who took the photo."
  expect([answer.statusCode, answer.json()]).toMatchObject([503, { detail }])
})

// docs/security.md T16. Nobody can tell by the time what is stored about an address.
test.each(isRecord ? Object.entries({ ...silentCases, 'a bot': bot }) : [])(
  'over a thousand pairs, the time of an answer does not tell %s from a new address',
  async (kind, prepare) => {
    const [pairs, guests] = [1_000, 10]
    const timed = await serverForThisTest({}, { minAnswerMs: emailLimits.minAnswerMs, database: server.database })
    const id = await addPhoto()
    const measure = async (payload: RequestBody, random: SeededRandom): Promise<number> => {
      await delay(random.next() * 20)
      const began = performance.now()
      const response = await timed.request({ method: 'POST', url: `/photos/${id}/request-email`, body: payload })
      expect(response.statusCode).toBe(200)
      return performance.now() - began
    }
    const [known, unknown]: [number[], number[]] = [[], []]
    /** One guest after the other: requests for one address wait for each other. */
    const measurePairs = async (guest: number): Promise<void> => {
      const random = seededRandom(`times of answers for ${kind} to guest ${guest}`)
      const body = await prepare(id)
      const measureKnown = async () => known.push(await measure(body, random))
      const measureUnknown = async () => unknown.push(await measure(await newAddress(id), random))
      for (let n = 0; n < pairs / guests; n++) {
        const [first, second] = random.oneIn(2) ? [measureKnown, measureUnknown] : [measureUnknown, measureKnown]
        await first()
        await second()
      }
    }
    await Promise.all(Array.from({ length: guests }, (_, guest) => measurePairs(guest)))
    // A timer may fire a millisecond early.
    expect(Math.min(...known, ...unknown)).toBeGreaterThanOrEqual(emailLimits.minAnswerMs - 2)
    const area = areaUnderCurve(known, unknown)
    logWithSeed(`${pairs} pairs of requests for ${kind} and a new address: AUC ${area.toFixed(3)}`)
    expect(Math.abs(area - 0.5)).toBeLessThanOrEqual(0.05)
  },
  1_200_000,
)

describe('owner requests', () => {
  interface Owner extends TestUser {
    photo: string
  }
  async function makeOwner(): Promise<Owner> {
    const user = await makeUser(server)
    const [photo = ''] = await addPhotos(server, user, { count: 1 })
    return { ...user, photo }
  }
  interface Fields {
    photo?: string
    state?: string
    daysAgo?: number
    changes?: string
  }
  /** A request with its email, written to the database. */
  async function addRequest(owner: Owner, address: string, fields: Fields = {}): Promise<void> {
    const { photo = owner.photo, state = 'sent', daysAgo = 3, changes } = fields
    await query(
      `with email as (
       insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, state, due_at, give_up_at, attempts)
       values (left(md5(random()::text), 22), 'photo', $1, $2, $3, lower($3), $4, now() - make_interval(days => $5), now() + interval '1 day', 1) returning id
     ) insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version, requested_at)
     select left(md5(random()::text), 22), $2, $1, id, $3, lower($3), '1', now() - make_interval(days => $5) from email`,
      [owner.id, photo, address, state, daysAgo],
    )
    if (changes) await query(`update emails set ${changes} where user_id = $1 and recipient = $2`, [owner.id, address])
  }
  const list = async ({ token }: TestUser, search = '') => {
    const answer = await server.request({ method: 'GET', url: `/user/photo-requests?${search}`, token })
    const reply = answer.json<Reply<typeof listPhotoRequests>>()
    const names = reply.requests.map(({ requester_email }) => requester_email.split('@')[0])
    return { ...reply, names, before: answer.headers['x-next-before'] }
  }

  describe('the list of requests', () => {
    test('is searched by address, in any case and literally, and by state, in pages with the counts of what is found', async () => {
      const owner = await makeOwner()
      await addRequest(owner, 'Anna_1@example.com', { state: 'failed', daysAgo: 5 })
      await addRequest(owner, 'annax1@example.com', { daysAgo: 4 })
      await addRequest(owner, '100%\\@example.com', { daysAgo: 3 })
      await addRequest(owner, 'joanna@example.com', { state: 'failed', daysAgo: 2 })
      const all = { total: 4, sent: 2, failed: 2 }
      expect(await list(owner, 'email=ANNA')).toMatchObject({
        names: ['joanna', 'annax1', 'Anna_1'],
        total: 3,
        sent: 1,
        failed: 2,
        all,
      })
      expect(await list(owner, 'email=anna_1')).toMatchObject({ names: ['Anna_1'], total: 1, all })
      expect((await list(owner, 'email=%25')).names).toEqual(['100%\\'])
      expect((await list(owner, `email=${encodeURIComponent('%\\')}`)).names).toEqual(['100%\\'])
      expect(await list(owner, 'email=anna&state=failed')).toMatchObject({
        names: ['joanna', 'Anna_1'],
        total: 2,
        sent: 0,
      })
      const first = await list(owner, 'email=anna&state=failed&limit=1')
      expect(first).toMatchObject({ names: ['joanna'], total: 2 })
      const second = await list(owner, `email=anna&state=failed&limit=1&before=${String(first.before)}`)
      expect(second).toMatchObject({ names: ['Anna_1'], total: 2, before: undefined, next_removal: null })
      expect(await list(owner, 'email=nobody')).toMatchObject({ names: [], total: 0, sent: 0, failed: 0, all })
      expect(await list(await makeOwner(), 'email=anna')).toMatchObject({ names: [], total: 0, next_removal: null })
    })

    test('is of one event, or of photos without one, with its counts, as is the CSV file; an unknown event is refused there, of reports and of photos alike', async () => {
      const [owner, other] = [await makeOwner(), await makeOwner()]
      const events: string[] = []
      for (const { token } of [owner, owner, other]) {
        const event = await server.request({ method: 'POST', url: '/user/events', token, body: { name: 'Party' } })
        events.push(event.json<{ id: string }>().id)
      }
      const [party = '', gone = '', foreign = ''] = events
      const [inEvent = '', inGone = ''] = await addPhotos(server, owner, { count: 2 })
      for (const [photo, event] of [
        [inEvent, party],
        [inGone, gone],
      ])
        await query('update photos set event_id = $2 where id = $1', [photo, event])
      await addRequest(owner, 'free@example.com', { daysAgo: 80 })
      await addRequest(owner, 'anna@example.com', { photo: inEvent, state: 'failed' })
      await addRequest(owner, 'bram@example.com', { photo: inEvent, daysAgo: 80 })
      await addRequest(owner, 'gone@example.com', { photo: inGone, daysAgo: 2 })
      await server.request({ method: 'DELETE', url: `/user/events/${gone}`, token: owner.token })
      expect(await list(owner)).toMatchObject({
        names: ['anna', 'bram', 'free'],
        total: 3,
        next_removal: { addresses: 2 },
      })
      const ofEvent = { total: 2, sent: 1, failed: 1 }
      expect(await list(owner, `event=${party}`)).toMatchObject({
        names: ['anna', 'bram'],
        ...ofEvent,
        all: ofEvent,
        next_removal: { addresses: 1 },
      })
      const found = await list(owner, `event=${party}&email=b&limit=1`)
      expect(found).toMatchObject({ names: ['bram'], total: 1, all: ofEvent })
      expect((await list(owner, 'event=none')).names).toEqual(['free'])
      const csv = async (search: string) => {
        const url = `/user/photo-requests/export${search}`
        return (await server.request({ method: 'GET', url, token: owner.token })).body.match(/\w+(?=@)/g)
      }
      expect(await csv(`?event=${party}`)).toEqual(['anna', 'bram'])
      expect(await csv('?event=none')).toEqual(['free'])
      await query("insert into photo_reports (id, photo_id, user_id, reason) values ('of an event', $1, $2, 'me')", [
        inEvent,
        owner.id,
      ])
      const reports = async (event: string) =>
        (await server.request({ method: 'GET', url: `/user/reports?event=${event}`, token: owner.token })).json<{
          reports: object[]
        }>().reports.length
      expect([await reports(party), await reports('none')]).toEqual([1, 0])
      for (const event of [gone, foreign, 'x']) {
        const refusals = ['/photos', '/user/photo-requests', '/user/photo-requests/export', '/user/reports'].map(
          async (path) => {
            const answer = await server.request({ method: 'GET', url: `${path}?event=${event}`, token: owner.token })
            return [answer.statusCode, answer.body]
          },
        )
        const [ofPhotos, ...others] = await Promise.all(refusals)
        expect(ofPhotos).toEqual([422, expect.stringContaining('"query","event"')])
        for (const refusal of others) expect(refusal).toEqual(ofPhotos)
      }
    })

    test('is filtered by the states that it shows, with the time at which an email is due and why one waits', async () => {
      const owner = await makeOwner()
      const [failedPhoto = ''] = await addPhotos(server, owner, { count: 1, state: 'failed' })
      const queued = { state: 'queued', changes: "due_at = now() + interval '1 hour'" }
      await addRequest(owner, 'sent@example.com')
      await addRequest(owner, 'failed@example.com', { state: 'failed' })
      await addRequest(owner, 'retried@example.com', {
        ...queued,
        changes: `${queued.changes}, failure = 'The mail server could not be reached.'`,
      })
      await addRequest(owner, 'limited@example.com', { ...queued, changes: `${queued.changes}, attempts = 0` })
      await addRequest(owner, 'unverified@example.com', {
        ...queued,
        changes: `${queued.changes}, awaits_verification = true`,
      })
      await addRequest(owner, 'retry@example.com', { ...queued, photo: failedPhoto })
      await addRequest(owner, 'full@example.com', {
        ...queued,
        changes: `${queued.changes}, failure = 'The disk is nearly full. The email waits until there is room.'`,
      })
      const stateOf = ({ requester_email, state, due_at, failure }: PhotoRequest) =>
        [requester_email.split('@')[0], state, due_at && 'due', failure?.split('.')[0]].filter(Boolean).join(', ')
      const found = []
      for (const state of ['sent', 'failed', 'queued', 'waiting']) {
        const page = await list(owner, `state=${state}`)
        expect(page.total).toBe(page.requests.length)
        found.push(...page.requests.map(stateOf))
      }
      const all = (await list(owner)).requests.map(stateOf)
      expect(found.toSorted()).toEqual(all.toSorted())
      expect(all.toSorted()).toEqual([
        'failed, failed',
        'full, waiting, The disk is nearly full',
        'limited, waiting, due',
        'retried, queued, due, The mail server could not be reached',
        'retry, waiting, The photo could not be processed',
        'sent, sent, Saved to the outbox folder: no mail server is configured',
        'unverified, waiting',
      ])
    })

    test('says on which day addresses are removed next, and how many', async () => {
      const owner = await makeOwner()
      await query("update users set time_zone = 'Pacific/Auckland' where id = $1", [owner.id])
      for (const address of ['a@example.com', 'b@example.com', 'A@example.com'])
        await addRequest(owner, address, { daysAgo: 80 })
      await addRequest(owner, 'c@example.com', { daysAgo: 78 })
      const { next_removal: next } = await list(owner)
      expect(next?.addresses).toBe(2)
      expect(Math.round((Date.parse(next?.at ?? '') - Date.now()) / 86_400_000)).toBe(10)
    })

    test.each([
      ['Europe/Brussels', '2026-07-01T20:30:00Z', '2026-09-29T22:00:00Z'],
      ['America/St_Johns', '2026-07-01T20:30:00Z', '2026-09-30T02:30:00Z'],
      // The clocks are put back on 25 October.
      ['Europe/Brussels', '2026-07-26T22:10:00Z', '2026-10-25T23:00:00Z'],
    ])('counts a day of %s from %s until midnight', (zone, oldest, end) => {
      const { at, requestedBefore } = nextRemovalDay(new Date(oldest), zone)
      const keptMs = limits.requestDays * 86_400_000
      expect(at.getTime()).toBe(Date.parse(oldest) + keptMs)
      expect(new Date(requestedBefore.getTime() + keptMs)).toEqual(new Date(end))
    })
  })

  describe('sending all failed emails again', () => {
    const resendAll = async ({ token }: TestUser) =>
      (await server.request({ method: 'POST', url: '/user/photo-requests/resend', token })).json<object>()
    const states = async (owner: Owner) =>
      (await list(owner, 'limit=500')).requests.map(
        ({ requester_email, state }) => `${requester_email.split('@')[0]} ${state}`,
      )

    test('queues each once, also for two calls at once, and leaves out what would fail again', async () => {
      const [owner, other] = [await makeOwner(), await makeOwner()]
      const [hidden = ''] = await addPhotos(server, owner, { count: 1 })
      await query('update photos set hidden_at = now() where id = $1', [hidden])
      for (let n = 0; n < 60; n++) await addRequest(owner, `again${n}@example.com`, { state: 'failed' })
      await addRequest(owner, 'sent@example.com')
      await addRequest(owner, 'hidden@example.com', { state: 'failed', photo: hidden })
      await addRequest(owner, 'stopped@example.com', { state: 'failed' })
      await addRequest(other, 'other@example.com', { state: 'failed' })
      const stop = server.app.deps.tokens.unsubscribe('stopped@example.com')
      expect((await server.request({ method: 'POST', url: `/stop/${stop}` })).statusCode).toBe(200)
      const [one, two] = (await Promise.all([resendAll(owner), resendAll(owner)])) as {
        queued: number
        refused: number
      }[]
      expect(one!.queued + two!.queued).toBe(60)
      expect([one!.refused, two!.refused]).toEqual([2, 2])
      expect(await resendAll(owner)).toEqual({ queued: 0, waiting: 0, refused: 2, left: 0 })
      const after = await states(owner)
      expect(after.filter((line) => line.endsWith('failed')).toSorted()).toEqual(['hidden failed', 'stopped failed'])
      expect(await states(other)).toEqual(['other failed'])
      const jobs = await query(
        "select count(*)::int from graphile_worker.jobs where key in (select 'email:' || id from emails where user_id = $1)",
        [owner.id],
      )
      expect(jobs.rows).toEqual([{ count: 60 }])
      await query('delete from emails where user_id = $1', [owner.id])
    })

    test('keeps the limits of an address: some are sent later, and some are not', async () => {
      const owner = await makeOwner()
      const photos = await addPhotos(server, owner, { count: 22 })
      for (const photo of photos) await addRequest(owner, 'often@example.com', { state: 'failed', photo })
      const perTwoDays = 2 * emailLimits.perAddressDay + emailLimits.perAddressHour
      const resent = (await resendAll(owner)) as { queued: number; waiting: number; refused: number }
      expect(resent.queued).toBe(emailLimits.perAddressHour)
      expect(resent.queued + resent.waiting + resent.refused).toBe(22)
      expect(resent.queued + resent.waiting).toBeLessThanOrEqual(perTwoDays)
      expect((await list(owner, 'state=waiting')).total).toBe(resent.waiting)
      await query('delete from emails where user_id = $1', [owner.id])
    })
  })

  describe('the email before addresses are removed', () => {
    const run = async () => {
      await query("select graphile_worker.add_job('tell-of-request-removals')")
      await server.work()
    }
    const addOld = async (owner: Owner, count: number, daysAgo: number) => {
      for (let n = 0; n < count; n++) await addRequest(owner, `old${daysAgo}-${n}@example.com`, { daysAgo })
    }
    const putSettings = ({ token }: TestUser, body: object) =>
      server.request({ method: 'PUT', url: '/user/settings', token, body })

    test('goes to owners of 20 or more addresses, once in 30 days, in their language', async () => {
      const owners = await Promise.all(Array.from({ length: 5 }, makeOwner))
      const [told, few, later, off, closed] = owners as [Owner, Owner, Owner, Owner, Owner]
      const days = limits.requestDays - limits.requestRemovalDays
      await addOld(told, 20, days + 2)
      await addOld(told, 3, days - 1)
      await addOld(few, 19, days + 2)
      await addOld(later, 25, days - 1)
      await addOld(off, 25, days + 2)
      await addOld(closed, 25, days + 2)
      expect((await putSettings(off, { allow_request_removal_emails: false })).json()).toMatchObject({
        allow_request_removal_emails: false,
      })
      await query('update users set is_active = false where id = $1', [closed.id])
      await query("update users set language = 'de' where id = $1", [told.id])
      await Promise.all([run(), run()])
      const [email, ...more] = await emailsTo(server, told.email)
      expect(more).toEqual([])
      expect(email?.subject).toBe('20 E-Mail-Adressen von Gästen werden bald entfernt')
      expect(email?.text).toContain('/photo-requests')
      expect(email?.text).toContain('/settings#mail')
      for (const { email: address } of [few, later, off, closed]) expect(await emailsTo(server, address)).toEqual([])
      for (const [daysAgo, emails] of [
        [29, 1],
        [31, 2],
      ]) {
        await query(
          "update emails set created_at = now() - make_interval(days => $2) where user_id = $1 and kind = 'request-removal'",
          [told.id, daysAgo],
        )
        await run()
        expect(await emailsTo(server, told.email)).toHaveLength(emails!)
      }
    })

    test('is not sent when its reader switches it off meanwhile, or nothing is left', async () => {
      const [owner, empty] = [await makeOwner(), await makeOwner()]
      const addEmail = (user: Owner) =>
        query(
          `with email as (insert into emails (id, kind, user_id, recipient, recipient_key, give_up_at)
         values (left(md5(random()::text), 22), 'request-removal', $1, $2, $2, now() + interval '1 day') returning id)
       select graphile_worker.add_job('send-email', json_build_object('emailId', id)) from email`,
          [user.id, user.email],
        )
      await addOld(owner, 1, 85)
      await putSettings(owner, { allow_request_removal_emails: false })
      await addEmail(owner)
      await addEmail(empty)
      await server.work()
      expect([await emailsTo(server, owner.email), await emailsTo(server, empty.email)]).toEqual([[], []])
    })
  })
})
