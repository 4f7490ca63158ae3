import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { requestAccepted, type PhotoRequest } from '@keepsnap/contract/requests.ts'
import { newId } from '../../lib/ids.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { repetitions } from '../../test/statistics.ts'
import { publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, registerUser, upload, type TestUser } from '../../test/test-data.ts'
import { hashTables } from '../../test/table-hashes.ts'
import { parseEmail, startMailServer, type MailServer } from '../../test/smtp-server.ts'

let server: TestServer
let mail: MailServer
let owner: TestUser
let photo: string
const cleanups: (() => unknown)[] = []
const photoFile = await jpeg({ width: 640, height: 480 })

const makePhoto = async (user: TestUser): Promise<string> => {
  const response = await upload(server, user, photoFile)
  expect(response.statusCode).toBe(201)
  await server.work()
  return response.json<Photo>().id
}
async function newOwner(): Promise<TestUser> {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  await server.app.deps.pool.query('update users set email_verified_at = now() where id = $1', [user.id])
  return user
}
beforeAll(async () => {
  mail = await startMailServer((work) => void cleanups.push(work))
  server = await startServer({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
  owner = await newOwner()
  photo = await makePhoto(owner)
})
afterAll(async () => {
  await server.close()
  for (const clean of cleanups) await clean()
})

const newGuest = (): string => `guest-${newId(8).toLowerCase()}@example.com`
const requestPhoto = (email: string, id = photo) =>
  server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email } })
const emailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address))
/** The link in the newest photo email to an address; requests a photo first if there is none. */
async function unsubscribeLinkTo(address: string): Promise<string> {
  if (emailsTo(address).length === 0) {
    await requestPhoto(address)
    await server.work()
  }
  // Emails about an account with the same address may arrive before or after it.
  const texts = await Promise.all(emailsTo(address).map(async ({ bytes }) => (await parseEmail(bytes)).text ?? ''))
  const links = texts.flatMap((text) => /\S+\/stop\/\S+/.exec(text) ?? [])
  return new URL(links.at(-1)!).pathname
}
const getPage = (url: string, method: 'GET' | 'HEAD' = 'GET') => server.request({ method, url })
const postForm = (url: string) => server.request({ method: 'POST', url })
const requestsOf = async (email: string, of = owner): Promise<PhotoRequest[]> =>
  (await server.request({ method: 'GET', url: '/user/photo-requests', token: of.token }))
    .json<{ requests: PhotoRequest[] }>()
    .requests.filter(({ requester_email: address }) => address === email)
const blockedRows = async (): Promise<unknown[]> =>
  (await server.app.deps.pool.query('select * from blocked_mailboxes order by mailbox_hash')).rows
/** No email to the address was sent or stored, and no request. */
async function expectNoEmailTo(email: string): Promise<void> {
  await server.work()
  expect(emailsTo(email)).toEqual([])
  const { pool } = server.app.deps
  const found = await pool.query(
    'select id from emails where recipient = $1 union all select id from photo_requests where requester_email = $1',
    [email],
  )
  expect(found.rowCount).toBe(0)
}
/** A hash of every table, after the counters of guest activity were written. */
async function currentTableHashes(): Promise<Record<string, string>> {
  await server.app.deps.guestActivity.flush()
  return hashTables(server)
}
const unsubscribed = 'No more photos will be sent'
const optedOut = 'This person has opted out of photo emails.'

/** The answer to a form has no links to other languages. */
const withoutLanguages = (html: string): string => html.replace(/<ul class="guest__languages".*?<\/ul>/, '')

describe('an email with a photo', () => {
  test('has an unsubscribe link, for people and for mail programs, and always the same', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const email = await parseEmail(emailsTo(guest)[0]!.bytes)
    expect(link).toMatch(/^\/stop\/[\w-]{44}$/)
    const headers = Object.fromEntries(email.headers.map(({ key, value }) => [key, value]))
    expect(headers['list-unsubscribe']).toBe(`<${publicUrl}${link}>`)
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(email.html).toContain(`href="${publicUrl}${link}"`)
    expect(email.to).toHaveLength(1)
    await requestPhoto(guest, await makePhoto(owner))
    await server.work()
    expect(emailsTo(guest)).toHaveLength(2)
    expect(await unsubscribeLinkTo(guest)).toBe(link)
    expect(await unsubscribeLinkTo(newGuest())).not.toBe(link)
  })

  test('is the only kind of email that has one', async () => {
    const user = await registerUser(server)
    await server.work()
    const email = await parseEmail(emailsTo(user.email)[0]!.bytes)
    expect(email.headers.map(({ key }) => key)).not.toContain('list-unsubscribe')
    expect(email.text).not.toContain('/stop/')
  })
})

describe('the unsubscribe link', () => {
  test('shows a page and changes nothing when it is opened', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const before = await currentTableHashes()
    for (let n = 0; n < 5; n++) {
      const { statusCode, body, headers } = await getPage(link)
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      expect(body).toContain('Stop receiving photos?')
      expect(body).toContain(`<form action="${link}" method="post">`)
      expect(body).not.toMatch(/<script|@example\.com/)
      expect((await getPage(link, 'HEAD')).statusCode).toBe(200)
    }
    expect(await currentTableHashes()).toEqual(before)
    expect((await requestPhoto(guest, await makePhoto(owner))).statusCode).toBe(200)
    await server.work()
    expect(emailsTo(guest)).toHaveLength(2)
  })

  test('stops all photos of all owners with one click, which can be repeated', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const first = await postForm(link)
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(first.body).toContain(unsubscribed)
    expect((await postForm(link)).body).toBe(first.body)
    expect(withoutLanguages((await getPage(link)).body)).toBe(first.body)

    const sent = emailsTo(guest).length
    const before = await requestsOf(guest)
    const other = await makeUser(server)
    for (const id of [await makePhoto(owner), await makePhoto(other)]) {
      const response = await requestPhoto(guest, id)
      expect([response.statusCode, response.json()]).toEqual([200, { detail: requestAccepted }])
    }
    await server.work()
    expect(emailsTo(guest)).toHaveLength(sent)
    expect(await requestsOf(guest)).toEqual(before)
  })

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'a multipart form',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['an empty form', 'application/x-www-form-urlencoded', ''],
    ['plain text', 'text/plain', 'List-Unsubscribe=One-Click'],
    ['XML', 'application/xml', '<List-Unsubscribe>'],
    ['another multipart type', 'multipart/mixed; boundary=x', '--x--'],
    ['invalid JSON', 'application/json', '{"List-'],
    ['an invalid content type', 'no type at all', 'x'],
    ['a form over the size limit', 'application/x-www-form-urlencoded', `x=${'x'.repeat(3 * limits.jsonBodyBytes)}`],
    ['JSON over the size limit', 'application/json', JSON.stringify('x'.repeat(3 * limits.jsonBodyBytes))],
  ])('stops photos for a mail program that sends %s, without a redirect', async (_, type, body) => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const address = await listening()
    const response = await fetch(address + link, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      redirect: 'error',
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(unsubscribed)
    const again = newGuest()
    await requestPhoto(again)
    await requestPhoto(guest, await makePhoto(owner))
    await server.work()
    expect([emailsTo(guest).length, emailsTo(again).length]).toEqual([1, 1])
  })

  test('stops photos for every spelling of the mailbox', async () => {
    const guest = newGuest()
    const at = guest.indexOf('@')
    await postForm(await unsubscribeLinkTo(`${guest.slice(0, at)}+party${guest.slice(at)}`))
    const ways = [guest, guest.toUpperCase(), `${guest.slice(0, at)}+2${guest.slice(at)}`]
    for (const way of ways) expect((await requestPhoto(way, await makePhoto(owner))).statusCode).toBe(200)
    for (const way of ways) await expectNoEmailTo(way)
  })

  test('allows photos again with the button on its page', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    await postForm(link)
    expect((await getPage(link)).body).toContain(`<form action="${link}/undo" method="post">`)
    const undone = await postForm(`${link}/undo`)
    expect([undone.statusCode, undone.body.includes('You’ll receive photos again')]).toEqual([200, true])
    expect((await postForm(`${link}/undo`)).statusCode).toBe(200)
    expect((await getPage(link)).body).toContain('Stop receiving photos?')
    await requestPhoto(guest, await makePhoto(owner))
    await server.work()
    expect(emailsTo(guest)).toHaveLength(2)
  })

  test('does not stop emails about an account with the same address', async () => {
    const user = await makeUser(server)
    await postForm(await unsubscribeLinkTo(user.email))
    const before = emailsTo(user.email).length
    await server.request({ method: 'POST', url: '/request-password-reset', body: { email: user.email } })
    await server.work()
    expect(emailsTo(user.email)).toHaveLength(before + 1)
  })

  test('works twenty times a minute for one mailbox, without affecting other mailboxes', async () => {
    const link = await unsubscribeLinkTo(newGuest())
    const other = await unsubscribeLinkTo(newGuest())
    const responses = await Promise.all(Array.from({ length: 25 }, () => postForm(link)))
    const codes = responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 200), ...Array.from({ length: 5 }, () => 429)])
    const from = '198.51.100.9'
    for (const url of [other, `${other}/undo`])
      expect((await server.request({ method: 'POST', url, from })).statusCode).toBe(200)
  })
})

describe('a blocked address', () => {
  test('gets no email that was queued before; the owner sees why, also after resending it', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const sent = await makePhoto(owner)
    await requestPhoto(guest, sent)
    await postForm(link)
    await server.work()
    expect(emailsTo(guest)).toHaveLength(1)
    const [newest] = await requestsOf(guest)
    expect(newest).toMatchObject({ photo: { id: sent }, state: 'failed', failure: optedOut, sent_at: null })

    const url = `/user/photo-requests/${newest!.id}/resend`
    const again = await server.request({ method: 'POST', url, token: owner.token })
    expect([again.statusCode, again.json()]).toEqual([200, expect.objectContaining({ state: 'queued' })])
    await server.work()
    expect(emailsTo(guest)).toHaveLength(1)
    expect((await requestsOf(guest))[0]).toMatchObject({ state: 'failed', failure: optedOut })

    await postForm(`${link}/undo`)
    await server.request({ method: 'POST', url, token: owner.token })
    await server.work()
    expect(emailsTo(guest)).toHaveLength(2)
    expect((await requestsOf(guest))[0]).toMatchObject({ state: 'sent', failure: null })
  })

  test('gets the same page without JavaScript as any other; a request for it stores nothing', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const fresh = await makePhoto(owner)
    const form = (email: string) =>
      server.request({
        method: 'POST',
        url: `/request-photo/${fresh}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ email }).toString(),
      })
    await postForm(link)
    await server.work()
    const before = await currentTableHashes()
    const blocked = await form(guest)
    await server.work()
    expect(await currentTableHashes()).toEqual(before)
    const other = newGuest()
    const usual = await form(other)
    const shown = (email: string, body: string): string => body.replaceAll(email.split('@')[0]!, 'x')
    expect([blocked.statusCode, shown(guest, blocked.body)]).toEqual([200, shown(other, usual.body)])
  })

  test('is stored as a hash only', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const before = (await blockedRows()).length
    await postForm(link)
    const rows = await blockedRows()
    expect(rows).toHaveLength(before + 1)
    expect(rows).toContainEqual({ mailbox_hash: expect.any(Buffer), blocked_at: expect.any(Date) })
    const { rows: texts } = await server.app.deps.pool.query('select t::text as row from blocked_mailboxes t')
    expect(JSON.stringify(texts)).not.toContain(guest.split('@')[0])
    const { rows: hits } = await server.app.deps.pool.query('select t::text as row from rate_hits t')
    expect(JSON.stringify(hits)).not.toContain(link.split('/').at(-1)!.slice(0, 22))
  })

  test('that is blocked during a request gets no email; the owner sees a failed email or none', async () => {
    for (let round = 0; round < repetitions(3, 50); round++) {
      const guest = newGuest()
      const link = await unsubscribeLinkTo(guest)
      // Of a new owner, because one user may upload 60 times a minute.
      const other = await newOwner()
      const id = await makePhoto(other)
      const responses = await Promise.all([
        requestPhoto(guest, id),
        postForm(link),
        requestPhoto(guest, id),
        postForm(link),
      ])
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
      await server.work()
      expect(emailsTo(guest)).toHaveLength(1)
      const mine = (await requestsOf(guest, other)).filter((one) => one.photo.id === id)
      expect(mine.length).toBeLessThan(2)
      for (const one of mine) expect(one).toMatchObject({ state: 'failed', failure: optedOut })
    }
  })
})

describe('an invalid link', () => {
  test('shows a page that says so, and writes nothing', async () => {
    const link = await unsubscribeLinkTo(newGuest())
    const other = await unsubscribeLinkTo(newGuest())
    const secret = link.split('/').at(-1)!
    const half = 22
    const near = secret.startsWith('A') ? 'B' : 'A'
    const invalid = [
      'x',
      newId(44),
      secret.slice(0, -1),
      secret.slice(1),
      secret.slice(0, half),
      `${secret}A`,
      `${secret}%00`.replace('%00', '%20'),
      near + secret.slice(1),
      secret.slice(0, half) + other.split('/').at(-1)!.slice(half),
      `${secret.slice(0, half)}${'A'.repeat(half)}`,
      secret.toLowerCase(),
      encodeURIComponent(`${secret.slice(0, -1)}é`),
      '%E2%80%AE',
      // As many bytes, or as many characters, as a secret has.
      '%C5%BF'.repeat(half),
      '%C5%BF'.repeat(2 * half),
      secret.slice(0, half) + '%C5%BF'.repeat(half / 2),
    ]
    const hits = async () => (await server.app.deps.pool.query('select * from rate_hits order by 1')).rows
    const [before, hitsBefore] = [await currentTableHashes(), await hits()]
    const unknown = await getPage(`/stop/${'0'.repeat(44)}`)
    expect(unknown.body).toContain('This link isn’t valid')
    expect(unknown.headers['cache-control']).toBe('no-store')
    for (const one of invalid) {
      for (const response of [
        await getPage(`/stop/${one}`),
        await postForm(`/stop/${one}`),
        await postForm(`/stop/${one}/undo`),
      ])
        expect([one, response.statusCode, withoutLanguages(response.body)]).toEqual([
          one,
          404,
          withoutLanguages(unknown.body),
        ])
    }
    expect(await currentTableHashes()).toEqual(before)
    expect(await hits()).toEqual(hitsBefore)
  })

  test('of any length is refused', async () => {
    const before = await currentTableHashes()
    const unknown = await getPage('/stop/x')
    for (const length of [129, 5_000]) {
      const [page, press] = [
        await getPage(`/stop/${'A'.repeat(length)}`),
        await postForm(`/stop/${'A'.repeat(length)}`),
      ]
      expect([length, page.statusCode, page.body]).toEqual([length, 404, unknown.body])
      expect([length, press.statusCode]).toEqual([length, 400])
    }
    for (const response of [
      await getPage(`/stop/${'A'.repeat(10_000)}`),
      await postForm(`/stop/${'A'.repeat(10_000)}`),
    ])
      expect(response.statusCode).toBe(400)
    for (const url of ['/stop/', '/stop/x/y', '/stop/x/undo/y']) {
      const page = await getPage(url)
      expect([url, page.statusCode, page.body]).toEqual([url, 404, unknown.body])
    }
    expect(await currentTableHashes()).toEqual(before)
  })

  test('that another secret key signed is refused', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const foreign = await startServer({ SECRET_KEY: 'another secret of the tests, long enough' })
    try {
      expect((await foreign.request({ method: 'POST', url: link })).statusCode).toBe(404)
    } finally {
      await foreign.close()
    }
  })
})

describe('the URL of the link', () => {
  test.each(['PUT', 'DELETE'] as const)('refuses %s, and names the methods it accepts', async (method) => {
    const link = await unsubscribeLinkTo(newGuest())
    const before = await currentTableHashes()
    const response = await server.request({ method, url: link })
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, POST'])
    expect(await currentTableHashes()).toEqual(before)
  })

  test('of the undo button shows the current state when it is reloaded', async () => {
    const link = await unsubscribeLinkTo(newGuest())
    const before = await currentTableHashes()
    expect((await getPage(`${link}/undo`)).body).toBe((await getPage(link)).body)
    expect(await currentTableHashes()).toEqual(before)
    await postForm(link)
    const [page, blocked] = [await getPage(`${link}/undo`), await blockedRows()]
    expect(page.body).toContain(unsubscribed)
    expect(await blockedRows()).toEqual(blocked)
  })

  test('works only as it was sent', async () => {
    const link = await unsubscribeLinkTo(newGuest())
    const before = await currentTableHashes()
    for (const url of [`${link}/`, `/${link}`, link.toUpperCase(), `${link}/x`, `${link}/undo/`])
      expect([url, (await postForm(url)).statusCode]).toEqual([url, 404])
    expect(await currentTableHashes()).toEqual(before)
  })
})

let address: string | undefined
const listening = async (): Promise<string> => (address ??= await server.listen())
