import { randomBytes } from 'node:crypto'
import type { Email } from 'postal-mime'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import { noticeAccepted } from '@keepsnap/contract/event-requests.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { type PhotoRequest, requestAccepted } from '@keepsnap/contract/guests.ts'
import { emailLimits, rates } from '@keepsnap/contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import { deleteOldRateHits } from '../../platform/http/rate-limits.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { eventActions } from '../../test/event-guests.ts'
import { publicUrl, serverForThisTest, useServer } from '../../test/harness.ts'
import { parseEmail, startMailServer } from '../../test/smtp-server.ts'
import { addPhotos, makeUser, type TestUser } from '../../test/test-data.ts'
import { entriesOf, zipDownloads } from '../../test/zip-downloads.ts'
import { sendGalleryNotices } from './notices.ts'

const mail = await startMailServer((stop) => afterAll(stop))
const server = useServer({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
const { query, photosOf, download } = zipDownloads(server)
const { call, codeOf } = eventActions(() => server)
const file = randomBytes(2_000)

/** An account with an event that has a guest gallery, and photos in it. */
async function makeEvent(count = 3, settings: object = {}, owner?: TestUser) {
  const user = owner ?? (await makeUser(server))
  await query('update users set email_verified_at = now() where id = $1', [user.id])
  const body = { name: 'Lotte & Bram', gallery: 'link', ...settings }
  const event = (await call(user, 'POST', '/user/events', body)).json<Event>()
  const ids = await photosOf(
    user,
    Array.from({ length: count }, (_, number) => ({ name: `IMG_${number}.jpg`, bytes: file })),
  )
  for (const id of ids)
    await storeStream(server.app.deps.storage, `thumb/${id}`, {
      source: Readable.from([Buffer.from(`thumbnail of ${id}`)]),
      type: 'image/webp',
    })
  await query(
    `update photos set event_id = $2, thumb_key = 'thumb/' || id, thumb_bytes = 4, width = 3, height = 2 where id = any($1)`,
    [ids, event.id],
  )
  const rows = await query<{ code: string }>('select code from photos where id = any($1) order by created_at, id', [
    ids,
  ])
  const code = codeOf(event)
  const encryption = server.app.deps.tokens.galleryPhotos(code)
  const change = async (settingsNow: object): Promise<void> =>
    expect((await call(user, 'PUT', `/user/events/${event.id}`, settingsNow)).statusCode).toBe(200)
  forget(user)
  return {
    user,
    event,
    ids,
    code,
    change,
    codes: rows.map((row) => row.code),
    tokens: ids.map((id) => encryption.encrypt(id)),
  }
}
/** After a change by SQL. */
const forget = ({ id }: TestUser): void => server.app.deps.mediaCache.invalidateUser(id)
const newGuest = (): string => `guest-${newId(8).toLowerCase()}@example.com`
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
const request = (body: object, url = '/d/request-email', from?: string) =>
  server.request({ method: 'POST', url, body, ...(from !== undefined && { from }) })
const fromEvent = (code: string, body: object) => request(body, `/e/${code}/request-email`)
const accepted = [200, JSON.stringify({ detail: requestAccepted })]
const answerOf = async (answer: ReturnType<typeof request>) => {
  const { statusCode, body } = await answer
  return [statusCode, body]
}
/** What arrived at an address, after all jobs. */
async function emailsTo(address: string): Promise<Email[]> {
  await server.work()
  return Promise.all(mail.received.filter(({ to }) => to.includes(address)).map(({ bytes }) => parseEmail(bytes)))
}
const linksIn = ({ text = '' }: Email): string[] => Array.from(text.matchAll(/\/g\/[\w-]{43}/g), ([link]) => link)
const requestsOf = async (user: TestUser, event: Event): Promise<PhotoRequest[]> =>
  (await call(user, 'GET', `/user/photo-requests?event=${event.id}`)).json<{ requests: PhotoRequest[] }>().requests

describe('several photos in one email', () => {
  test('have their thumbnails and links, and are requests that their owner sees', async () => {
    const { user, event, codes, ids } = await makeEvent(3, { ask_email: true })
    const email = newGuest()
    expect(await answerOf(request({ codes: [...codes, codes[0]], email, language: 'nl' }))).toEqual(accepted)
    const [sent, ...others] = await emailsTo(email)
    expect(others).toEqual([])
    expect(sent).toMatchObject({ subject: 'De 3 foto’s die je aanvroeg' })
    const headers = Object.fromEntries(sent!.headers.map(({ key, value }) => [key, value]))
    expect(headers).toMatchObject({
      'list-unsubscribe': expect.stringMatching(/^<http:\/\/photos\.test\/stop\/[\w-]{44}>$/),
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
    const decoder = new TextDecoder()
    expect(sent!.attachments.map(({ content }) => decoder.decode(content as ArrayBuffer))).toEqual(
      ids.map((id) => `thumbnail of ${id}`),
    )
    const links = linksIn(sent!)
    expect(links).toHaveLength(3)
    for (const link of links) {
      expect(sent!.html).toContain(publicUrl + link)
      expect((await server.request({ method: 'GET', url: `${link}/download` })).rawPayload).toEqual(file)
    }
    expect((await requestsOf(user, event)).map((one) => [one.photo.id, one.requester_email, one.state])).toEqual(
      expect.arrayContaining(ids.map((id) => [id, email, 'sent'])),
    )
    expect((await call(user, 'GET', `/user/photo-requests/export?event=${event.id}`)).body.split(email)).toHaveLength(4)
  })

  test('is one email after 20 equal calls at once, and their requests count once', async () => {
    const { codes, code, tokens, user, event } = await makeEvent(12)
    for (const [body, url] of [
      [{ codes }, '/d/request-email'],
      [{ tokens }, `/e/${code}/request-email`],
    ] as const) {
      const email = newGuest()
      const answers = await Promise.all(Array.from({ length: 20 }, () => answerOf(request({ ...body, email }, url))))
      expect(answers).toEqual(answers.map(() => accepted))
      expect((await emailsTo(email)).map((sent) => linksIn(sent).length)).toEqual([12])
      expect((await requestsOf(user, event)).filter((one) => one.requester_email === email)).toHaveLength(12)
    }
    // Of the clients, each of which has its own address here, every photo counts.
    const rows = await query<{ count: number }>('select count(*)::int from photo_request_attempts where user_id = $1', [
      user.id,
    ])
    expect(rows).toEqual([{ count: 2 * 20 * 12 }])
  })

  test('are refused to a network that has asked for too many, and one photo is not', async () => {
    const { user, codes, ids } = await makeEvent(2)
    const ask = (asked: string[], from?: string) =>
      answerOf(request({ codes: asked, email: newGuest() }, '/d/request-email', from))
    const from = '203.0.113.45'
    // Requests of 50 photos each.
    await query(
      `insert into photo_request_attempts (user_id, photo_id, client, attempted_at)
       select $1, $2, $3, now() - make_interval(secs => n / 50) from generate_series(1, $4::int) as n`,
      [user.id, ids[0], server.app.deps.tokens.clientPseudonym(from), emailLimits.perClientOwnerDay],
    )
    expect(await ask(codes, from)).toEqual([429, expect.stringContaining('network today')])
    expect(await ask([codes[1]!], from)).toEqual(accepted)
    expect(await ask(codes)).toEqual(accepted)
  })

  test('leaves out photos without an event, hidden, waiting, deleted, failed and unknown ones, and tokens of others', async () => {
    const { user, code, codes, tokens, ids } = await makeEvent(6)
    const other = await makeEvent(1, {}, user)
    const [alone = ''] = await addPhotos(server, user, { count: 1 })
    const rows = await query<{ code: string }>('select code from photos where id = $1', [alone])
    await query('update photos set hidden_at = now() where id = $1', [ids[1]])
    await query(`update photos set review = 'waiting' where id = $1`, [ids[2]])
    await query('update photos set deleted_at = now() where id = $1', [ids[3]])
    await query(`update photos set state = 'failed' where id = $1`, [ids[4]])
    forget(user)
    const [byCode, byToken, nothing] = [newGuest(), newGuest(), newGuest()]
    const closed = codes.slice(1, 5)
    expect(await answerOf(request({ codes: [...codes, rows[0]!.code, newId(), '../x'], email: byCode }))).toEqual(
      accepted,
    )
    expect(await answerOf(fromEvent(code, { tokens: [...tokens, ...other.tokens, 'x'], email: byToken }))).toEqual(
      accepted,
    )
    expect(await answerOf(request({ codes: [...closed, rows[0]!.code], email: nothing }))).toEqual(accepted)
    for (const email of [byCode, byToken]) {
      const [sent] = await emailsTo(email)
      expect(linksIn(sent!)).toHaveLength(2)
    }
    expect(await emailsTo(nothing)).toEqual([])
  })

  test('comes from each owner, and asks again only for what was not sent a moment ago', async () => {
    const [one, other] = [await makeEvent(2), await makeEvent(1)]
    const email = newGuest()
    await request({ codes: [one.codes[0]!, other.ids[0]!], email })
    await request({ codes: one.codes, email })
    // Each of a single photo: the same email as of a single request, with the photo attached.
    expect((await emailsTo(email)).map(({ subject, attachments }) => [subject, attachments.length])).toEqual(
      Array.from({ length: 3 }, () => ['The photo you asked for', 2]),
    )
    expect(
      await query<{ n: number }>('select count(*)::int as n from photo_requests where requester_email = $1', [email]),
    ).toEqual([{ n: 3 }])
  })

  test.each([
    ['some of them', 1, 1],
    ['all of them', 2, 0],
  ])('when %s are closed before it is sent', async (_, closed, sent) => {
    const { user, event, code, tokens, ids } = await makeEvent(2)
    const email = newGuest()
    await fromEvent(code, { tokens, email })
    for (const id of ids.slice(0, closed)) await call(user, 'PUT', `/photos/${id}`, { hidden: true })
    expect((await emailsTo(email)).map((one) => linksIn(one).length)).toEqual(Array.from({ length: sent }, () => 1))
    const { state, failure } = (await requestsOf(user, event))[0]!
    expect([state, failure]).toEqual(
      sent ? ['sent', null] : ['failed', 'The photo was hidden from guests before this email was sent.'],
    )
  })

  test('waits for photos that are processed, and can be sent again by its owner', async () => {
    const { user, event, codes, ids } = await makeEvent(2)
    await query(`update photos set state = 'queued' where id = $1`, [ids[0]])
    forget(user)
    const email = newGuest()
    mail.rules.recipient = () => ({ code: 550, text: '5.1.1 Unknown' })
    await request({ codes, email })
    await server.work()
    expect((await requestsOf(user, event)).map(({ state }) => state)).toEqual(['queued', 'queued'])
    await query(`update photos set state = 'ready' where id = $1`, [ids[0]])
    await query(`update emails set due_at = now() where recipient = $1`, [email])
    await query(`update graphile_worker._private_jobs set run_at = now()`)
    await server.work()
    const failed = await requestsOf(user, event)
    expect(failed.map(({ state }) => state)).toEqual(['failed', 'failed'])
    mail.rules.recipient = undefined
    expect((await call(user, 'POST', `/user/photo-requests/${failed[0]!.id}/resend`)).statusCode).toBe(200)
    expect((await emailsTo(email)).map((sent) => linksIn(sent).length)).toEqual([2])
    expect((await requestsOf(user, event)).map(({ state }) => state)).toEqual(['sent', 'sent'])
  })

  test('keeps to the limits of an address, to blocked mailboxes and to the trap for bots', async () => {
    const { codes } = await makeEvent(emailLimits.perAddressHour + 2)
    const [blocked, bot, often] = [newGuest(), newGuest(), newGuest()]
    await server.request({ method: 'POST', url: `/stop/${server.app.deps.tokens.unsubscribe(blocked)}` })
    expect(await answerOf(request({ codes, email: blocked }))).toEqual(accepted)
    expect(await answerOf(request({ codes, email: bot, website: 'https://spam.example' }))).toEqual(accepted)
    for (const code of codes) expect(await answerOf(request({ codes: [code], email: often }))).toEqual(accepted)
    expect([await emailsTo(blocked), await emailsTo(bot)]).toEqual([[], []])
    expect(await emailsTo(often)).toHaveLength(emailLimits.perAddressHour)
    expect((await request({ codes, email: 'nobody' })).statusCode).toBe(422)
  })
})

describe('all photos by a link in an email', () => {
  const archive = async (settings: object = {}) => {
    const made = await makeEvent(3, { guest_archive: true, ask_email: true, ...settings })
    return { ...made, page: () => download(`/e/${made.code}`, { accept: 'text/html' }) }
  }
  const linkIn = ({ text = '' }: Email): string => /\/e\/\w{22}\?grant=[\w.-]+/.exec(text)?.[0] ?? ''
  const zipOf = (link: string): string => link.replace('?', '/archive?')

  test('opens the archive behind the gate, once for 20 calls, and is a request of the event', async () => {
    const { user, event, code, page } = await archive()
    expect((await page()).body).not.toContain('/archive')
    expect((await download(`/e/${code}/archive`)).statusCode).toBe(404)
    const email = newGuest()
    const body = { archive: true, email }
    const answers = await Promise.all(Array.from({ length: 20 }, () => answerOf(fromEvent(code, body))))
    expect(answers).toEqual(answers.map(() => accepted))
    const [sent, ...others] = await emailsTo(email)
    expect([others, sent!.subject, linksIn(sent!)]).toEqual([[], 'All photos of Lotte & Bram', []])
    const link = linkIn(sent!)
    expect((await download(link, { accept: 'text/html' })).body).toContain(`href="${zipOf(link)}"`)
    expect(await entriesOf((await download(zipOf(link))).rawPayload)).toHaveLength(3)
    expect((await requestsOf(user, event)).map((one) => [one.requester_email, one.state])).toEqual([[email, 'sent']])
  })

  test('works with its code alone, for 72 hours, and ends with the gallery', async () => {
    const { user, event, code, change } = await archive()
    const other = await archive()
    const email = newGuest()
    await fromEvent(code, { archive: true, email })
    const link = linkIn((await emailsTo(email))[0]!)
    const status = async (url = zipOf(link)): Promise<number> => (await download(url)).statusCode
    expect(await status(zipOf(link).replace(code, other.code))).toBe(404)
    const past = server.app.deps.tokens.guestArchives.token(code, Math.floor(Date.now() / 1000) - 1)
    expect(await status(`/e/${code}/archive?grant=${past}`)).toBe(404)
    for (const [closing, opening] of [
      [{ gallery: 'off' }, { gallery: 'link' }],
      [{ guest_archive: false }, { guest_archive: true }],
      [{ gallery_opens_at: inHours(1) }, { gallery_opens_at: null }],
      [{ closes_at: inHours(-1) }, { closes_at: null }],
    ]) {
      await change(closing!)
      expect([closing, await status()]).toEqual([closing, 404])
      expect((await fromEvent(code, { archive: true, email })).statusCode).toBe(404)
      await change(opening!)
      expect(await status()).toBe(200)
    }
    // Whether the gate is on does not matter to the link.
    await change({ ask_email: false })
    expect(await status()).toBe(200)
    await call(user, 'POST', `/user/events/${event.id}/codes`, { kind: 'event' })
    expect(await status()).toBe(404)
  })

  test('is not sent when the event has closed meanwhile', async () => {
    const { code, change } = await archive()
    const email = newGuest()
    await fromEvent(code, { archive: true, email })
    await change({ closes_at: inHours(-1) })
    expect(await emailsTo(email)).toEqual([])
  })

  test('has a form that works without a script', async () => {
    const { code } = await archive()
    const form = (fields: Record<string, string>) =>
      server.request({
        method: 'POST',
        url: `/e/${code}/request-email`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        body: new URLSearchParams(fields).toString(),
      })
    const email = newGuest()
    for (const [fields, status] of [
      [{ email: 'nobody', archive: 'on' }, 422],
      [{ email, tell_me: 'on' }, 409],
      [{ email, archive: 'on' }, 200],
    ] as const) {
      const answer = await form(fields)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    }
    expect(await emailsTo(email)).toHaveLength(1)
  })
})

describe('the notice that a gallery is open', () => {
  const waiting = async () => (await query<{ n: number }>('select count(*)::int as n from gallery_notices'))[0]!.n
  const coming = (settings: object = {}) => makeEvent(1, { gallery_opens_at: inHours(1), ask_email: true, ...settings })
  const told = [200, JSON.stringify({ detail: noticeAccepted })]

  test('is sent once to an address that asked in every way, by two nodes at once, and the address is deleted', async () => {
    const { event, code, codes, ids, change } = await coming()
    const email = newGuest()
    for (const address of [email, email.toUpperCase(), email.replace('@', '+2@')])
      expect(await answerOf(fromEvent(code, { tell_me: true, email: address, language: 'de' }))).toEqual(told)
    await request({ codes, email, tell_me: true })
    await request({ email, tell_me: true }, `/photos/${ids[0]}/request-email`)
    expect(await waiting()).toBe(1)
    await sendGalleryNotices(server.app.deps)
    expect(await waiting()).toBe(1)
    await change({ gallery_opens_at: null })
    const otherNode = await serverForThisTest({}, { database: server.database })
    await Promise.all([server, otherNode, server, otherNode].map((node) => sendGalleryNotices(node.app.deps)))
    expect(await waiting()).toBe(0)
    const sent = (await emailsTo(email)).filter(({ subject }) => subject?.includes(event.name))
    expect(sent.map((one) => [one.subject, one.text?.includes(event.url)])).toEqual([
      ['Die Fotos von Lotte & Bram sind freigegeben', true],
    ])
  })

  test('is refused kindly when the gallery is open, and ignored beside photos', async () => {
    const { code, codes, tokens, ids } = await makeEvent(1)
    const email = newGuest()
    expect((await fromEvent(code, { tell_me: true, email })).statusCode).toBe(409)
    expect((await fromEvent(code, { email })).statusCode).toBe(422)
    for (const [url, body] of [
      [`/e/${code}/request-email`, { tokens }],
      [`/e/${code}/p/${tokens[0]}/request-email`, {}],
      ['/d/request-email', { codes }],
      [`/photos/${ids[0]}/request-email`, {}],
    ] as const)
      expect(await answerOf(request({ ...body, email, tell_me: true }, url))).toEqual(accepted)
    expect(await waiting()).toBe(0)
    expect(await emailsTo(email)).toHaveLength(1)
  })

  test.each<[string, (made: Awaited<ReturnType<typeof coming>>, email: string) => Promise<unknown>]>([
    ['the event has closed', ({ event }) => query('update events set closes_at = now() where id = $1', [event.id])],
    ['the event was deleted', ({ user, event }) => call(user, 'DELETE', `/user/events/${event.id}`)],
    ['the gallery was switched off', ({ change }) => change({ gallery: 'off' })],
    [
      'the mailbox has unsubscribed',
      (_, email) => server.request({ method: 'POST', url: `/stop/${server.app.deps.tokens.unsubscribe(email)}` }),
    ],
  ])('is not sent when %s', async (_, enter) => {
    for (const isQueued of [false, true]) {
      const made = await coming()
      const email = newGuest()
      await fromEvent(made.code, { tell_me: true, email })
      await query(`update events set gallery_opens_at = now() where id = $1`, [made.event.id])
      if (isQueued) await sendGalleryNotices(server.app.deps)
      await enter(made, email)
      await sendGalleryNotices(server.app.deps)
      expect(await emailsTo(email)).toEqual([])
      await query('delete from gallery_notices')
    }
  })

  test('keeps to the limits of an event and an address', async () => {
    const { code, event, codes } = await coming()
    await query(
      `insert into gallery_notices (event_id, email, mailbox_hash, language)
       select $1, n || '@example.com', decode(md5(n::text), 'hex'), 'en' from generate_series(1, $2) as n`,
      [event.id, eventLimits.noticesMax],
    )
    const email = newGuest()
    expect((await fromEvent(code, { tell_me: true, email })).statusCode).toBe(503)
    expect(await answerOf(request({ codes, email, tell_me: true }))).toEqual(accepted)
    await query('delete from gallery_notices')
    for (let n = 0; n <= eventLimits.noticesPerAddress; n++)
      await fromEvent((await coming()).code, { tell_me: true, email })
    expect(await waiting()).toBe(eventLimits.noticesPerAddress)
    await query('delete from gallery_notices')
  })

  test('is refused for a day to a network that has asked often for this event, and to no other', async () => {
    const [{ code, codes, event }, other] = [await coming(), await coming()]
    const ask = (from: string | undefined, url = `/e/${code}/request-email`, more = {}) =>
      answerOf(request({ tell_me: true, email: newGuest(), ...more }, url, from))
    expect(await ask('2001:db8:45:1::1')).toEqual(told)
    const counter = `key like 'notices:${event.id} %'`
    await query(
      `update rate_hits set hits = array_fill(date_trunc('day', now(), 'utc'), array[$1::int]) where ${counter}`,
      [rates.notices.calls],
    )
    await deleteOldRateHits(server.db)
    const inNetwork = '2001:db8:45:2::1'
    expect(await ask(inNetwork)).toEqual([429, expect.stringContaining('network today')])
    expect(await ask(inNetwork, '/d/request-email', { codes })).toEqual(accepted)
    expect(await waiting()).toBe(1)
    expect(await ask(inNetwork, `/e/${other.code}/request-email`)).toEqual(told)
    expect(await ask(undefined)).toEqual(told)
    await query(
      `update rate_hits set hits = array[date_trunc('day', now(), 'utc') - interval '1 second'] where ${counter}`,
    )
    await deleteOldRateHits(server.db)
    expect(await query(`select key from rate_hits where ${counter}`)).toEqual([])
    await query('delete from gallery_notices')
  })

  test('counts for the limits of an address, however many galleries open at once', async () => {
    const email = newGuest()
    const opened: string[] = []
    for (let n = 0; n < eventLimits.noticesPerAddress; n++) {
      const { code, event } = await coming()
      await fromEvent(code, { tell_me: true, email })
      opened.push(event.id)
    }
    await query('update events set gallery_opens_at = now() where id = any($1)', [opened])
    await sendGalleryNotices(server.app.deps)
    const [queued] = await query(
      `select count(*)::int as all, count(*) filter (where due_at <= now())::int as due from emails where recipient = $1`,
      [email],
    )
    expect(queued).toEqual({ all: eventLimits.noticesPerAddress, due: emailLimits.perAddressHour })
  })

  test('is offered on the photo’s own page, and its address is in the account’s export and erased with the guest', async () => {
    const { user, event, code, ids } = await coming()
    const email = newGuest()
    await fromEvent(code, { tell_me: true, email })
    const { archivedEventsOf } = await import('../accounts/archive-contents.ts')
    expect(await archivedEventsOf(server.db, user.id)).toMatchObject([
      { id: event.id, waiting_for_the_gallery: [expect.objectContaining({ email })] },
    ])
    const { eraseAddress } = await import('../operators/guests.ts')
    await server.db.transaction().execute((tx) => eraseAddress(tx, server.app.deps.tokens, email))
    expect(await waiting()).toBe(0)
    expect((await download(`/request-photo/${ids[0]}`)).statusCode).toBe(200)
  })
})
