import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { type PhotoRequest, requestAccepted } from '@keepsnap/contract/guests.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newId } from '../../lib/ids.ts'
import { publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { type MailServer, parseEmail, startMailServer } from '../../test/smtp-server.ts'
import { repetitions } from '../../test/statistics.ts'
import { hashTables } from '../../test/consistency-check.ts'
import { grantPlan, makeUser, registerUser, type TestUser, upload } from '../../test/test-data.ts'

let server: TestServer
let address: string
let mail: MailServer
let owner: TestUser
/** Photos of the owner. */
const photos: string[] = []
const cleanups: (() => unknown)[] = []
beforeAll(async () => {
  mail = await startMailServer((work) => void cleanups.push(work))
  server = await startServer({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
  address = await server.listen()
  owner = await makeUser(server)
  await grantPlan(server, owner, 'pro_yearly')
  await query('update users set email_verified_at = now() where id = $1', [owner.id])
  for (let n = 0; n < 3; n++) photos.push((await upload(server, owner, await jpeg())).json<Photo>().id)
  await server.work()
})
afterAll(async () => {
  await server.close()
  for (const clean of cleanups) await clean()
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const newGuest = (): string => `guest-${newId(8).toLowerCase()}@example.com`
const requestPhoto = async (email: string, id = photos[0]) => {
  const answer = await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email } })
  expect([answer.statusCode, answer.json()]).toEqual([200, { detail: requestAccepted }])
}
const emailsTo = (to: string) => mail.received.filter((email) => email.to.includes(to))
/** How many emails have gone to an address, when all jobs are done. */
async function countEmailsTo(to: string): Promise<number> {
  await server.work()
  return emailsTo(to).length
}
/** The link in the newest photo email to an address. */
async function linkIn(to: string): Promise<string> {
  // Emails about an account with the same address may arrive before or after it.
  const texts = await Promise.all(emailsTo(to).map(async ({ bytes }) => (await parseEmail(bytes)).text ?? ''))
  const links = texts.flatMap((text) => /\S+\/stop\/\S+/.exec(text) ?? [])
  return new URL(links.at(-1)!).pathname
}
/** Requests a photo; the link in the email about it. */
async function unsubscribeLinkTo(to: string): Promise<string> {
  await requestPhoto(to)
  await server.work()
  return linkIn(to)
}
/** A link that no email has brought. */
const newLink = (email = newGuest()): string => `/stop/${server.app.deps.tokens.unsubscribe(email)}`
const getPage = (url: string, method: 'GET' | 'HEAD' = 'GET') => server.request({ method, url })
const postForm = (url: string) => server.request({ method: 'POST', url })
const requestsOf = async (email: string): Promise<PhotoRequest[]> =>
  (await server.request({ method: 'GET', url: '/user/photo-requests', token: owner.token }))
    .json<{ requests: PhotoRequest[] }>()
    .requests.filter(({ requester_email: of }) => of === email)
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
    await requestPhoto(guest, photos[1])
    expect(await countEmailsTo(guest)).toBe(2)
    expect(await linkIn(guest)).toBe(link)
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
    const link = newLink(guest)
    const before = await currentTableHashes()
    for (let n = 0; n < 3; n++) {
      const { statusCode, body, headers } = await getPage(link)
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      for (const part of ['Stop receiving photos?', `<form action="${link}" method="post">`])
        expect(body).toContain(part)
      expect(body).not.toMatch(/<script|@example\.com/)
      expect((await getPage(link, 'HEAD')).statusCode).toBe(200)
    }
    expect((await getPage(`${link}/undo`)).body).toBe((await getPage(link)).body)
    expect(await currentTableHashes()).toEqual(before)
    await requestPhoto(guest)
    expect(await countEmailsTo(guest)).toBe(1)
  })

  test('stops all photos with one click, which can be repeated, and allows them again with the button on its page', async () => {
    const guest = newGuest()
    const link = await unsubscribeLinkTo(guest)
    const first = await postForm(link)
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(first.body).toContain(unsubscribed)
    expect((await postForm(link)).body).toBe(first.body)
    for (const url of [link, `${link}/undo`])
      expect(withoutLanguages((await getPage(url)).body)).toContain(unsubscribed)
    expect(withoutLanguages((await getPage(link)).body)).toBe(first.body)
    const before = await requestsOf(guest)
    for (const id of photos.slice(1)) await requestPhoto(guest, id)
    expect(await countEmailsTo(guest)).toBe(1)
    expect(await requestsOf(guest)).toEqual(before)

    expect((await getPage(link)).body).toContain(`<form action="${link}/undo" method="post">`)
    for (let n = 0; n < 2; n++) {
      const undone = await postForm(`${link}/undo`)
      expect([undone.statusCode, undone.body.includes('You’ll receive photos again')]).toEqual([200, true])
    }
    expect((await getPage(link)).body).toContain('Stop receiving photos?')
    await requestPhoto(guest, photos[1])
    expect(await countEmailsTo(guest)).toBe(2)
  })

  const form = 'application/x-www-form-urlencoded'
  const oneClick = 'List-Unsubscribe=One-Click'
  test.each([
    ['a form', form, oneClick],
    [
      'a multipart form',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['plain text', 'text/plain', oneClick],
    ['invalid JSON', 'application/json', '{"List-'],
    ['an invalid content type', 'no type at all', 'x'],
    ['a form over the size limit', form, `x=${'x'.repeat(3 * limits.jsonBodyBytes)}`],
    ['JSON over the size limit', 'application/json', JSON.stringify('x'.repeat(3 * limits.jsonBodyBytes))],
  ])('stops photos for a mail program that sends %s, without a redirect', async (_, type, body) => {
    const [guest, other] = [newGuest(), newGuest()]
    const headers = { 'content-type': type }
    const answer = await fetch(address + newLink(guest), { method: 'POST', headers, body, redirect: 'error' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(unsubscribed)
    for (const email of [guest, other]) await requestPhoto(email)
    const { rows } = await query('select recipient from emails where recipient = any($1)', [[guest, other]])
    expect(rows).toEqual([{ recipient: other }])
  })

  test('stops photos for every spelling of the mailbox, and no email about an account with the same address', async () => {
    const user = await makeUser(server)
    const at = user.email.indexOf('@')
    const tagged = (tag: string): string => `${user.email.slice(0, at)}+${tag}${user.email.slice(at)}`
    await postForm(await unsubscribeLinkTo(tagged('party')))
    const spellings = [user.email, user.email.toUpperCase(), tagged('2')]
    for (const spelling of spellings) await requestPhoto(spelling, photos[1])
    const { rows } = await query(
      `select id from emails where kind = 'photo' and recipient = any($1)
       union all select id from photo_requests where requester_email = any($1)`,
      [spellings],
    )
    expect(rows).toEqual([])
    await server.request({ method: 'POST', url: '/request-password-reset', body: { email: user.email } })
    expect(await countEmailsTo(user.email)).toBe(1)
  })

  test('stops photos for every spelling at Gmail; what a guest stopped in an earlier version stays stopped', async () => {
    const [name, former] = [newId(8).toLowerCase(), newId(8).toLowerCase()]
    await postForm(await unsubscribeLinkTo(`a.${name}@gmail.com`))
    const [hash] = server.app.deps.tokens.mailboxHashes(`a.${former}@googlemail.com`)
    await query('insert into blocked_mailboxes (mailbox_hash) values ($1)', [hash])
    const stopped = [`a${name}@gmail.com`, `A.${name}+2@googlemail.com`, `a.${former}+3@googlemail.com`]
    for (const spelling of stopped) await requestPhoto(spelling, photos[1])
    await server.work()
    expect(stopped.flatMap(emailsTo)).toEqual([])
    // Until it allows them again, with the link of the email that it had.
    await postForm(`${newLink(`a.${former}@googlemail.com`)}/undo`)
    await requestPhoto(`a.${former}@googlemail.com`, photos[1])
    expect(await countEmailsTo(`a.${former}@googlemail.com`)).toBe(1)
  })

  test('works twenty times a minute for one mailbox, without affecting other mailboxes', async () => {
    const [link, other] = [newLink(), newLink()]
    const answers = await Promise.all(Array.from({ length: 22 }, () => postForm(link)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
    const from = '198.51.100.9'
    for (const url of [other, `${other}/undo`])
      expect((await server.request({ method: 'POST', url, from })).statusCode).toBe(200)
  })
})

describe('a blocked address', () => {
  test('gets no email that was queued before; the owner sees why, also after resending it', async () => {
    const guest = newGuest()
    const link = newLink(guest)
    await requestPhoto(guest)
    await postForm(link)
    expect(await countEmailsTo(guest)).toBe(0)
    const refused = { photo: { id: photos[0] }, state: 'failed', failure: optedOut, sent_at: null }
    const [newest] = await requestsOf(guest)
    expect(newest).toMatchObject(refused)

    const url = `/user/photo-requests/${newest!.id}/resend`
    const resend = () => server.request({ method: 'POST', url, token: owner.token })
    expect((await resend()).json()).toMatchObject({ state: 'queued' })
    expect(await countEmailsTo(guest)).toBe(0)
    expect((await requestsOf(guest))[0]).toMatchObject(refused)

    await postForm(`${link}/undo`)
    await resend()
    expect(await countEmailsTo(guest)).toBe(1)
    expect((await requestsOf(guest))[0]).toMatchObject({ state: 'sent', failure: null })
  })

  test('gets the same page without JavaScript as any other; a request for it stores nothing', async () => {
    const [guest, other] = [newGuest(), newGuest()]
    const send = (email: string) =>
      server.request({
        method: 'POST',
        url: `/request-photo/${photos[0]}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ email }).toString(),
      })
    await postForm(newLink(guest))
    await server.work()
    const before = await currentTableHashes()
    const blocked = await send(guest)
    await server.work()
    expect(await currentTableHashes()).toEqual(before)
    const usual = await send(other)
    const shown = (email: string, body: string): string => body.replaceAll(email.split('@')[0]!, 'x')
    expect([blocked.statusCode, shown(guest, blocked.body)]).toEqual([200, shown(other, usual.body)])
  })

  test('is stored as a hash only', async () => {
    const guest = newGuest()
    const link = newLink(guest)
    const blocked = async () => (await query('select *, t::text as row from blocked_mailboxes t')).rows
    const before = (await blocked()).length
    await postForm(link)
    const rows = await blocked()
    expect(rows).toHaveLength(before + 1)
    for (const { row, ...columns } of rows) {
      expect(columns).toEqual({ mailbox_hash: expect.any(Buffer), blocked_at: expect.any(Date) })
      expect(row).not.toContain(guest.split('@')[0])
    }
    const { rows: hits } = await query('select t::text as row from rate_hits t')
    expect(JSON.stringify(hits)).not.toContain(link.split('/').at(-1)!.slice(0, 22))
  })

  test('that is blocked during a request gets no email; the owner sees a failed email or none', async () => {
    for (let round = 0; round < repetitions(3, 50); round++) {
      const guest = newGuest()
      const link = newLink(guest)
      const blocked = await Promise.all([requestPhoto(guest), postForm(link), requestPhoto(guest), postForm(link)])
      for (const answer of blocked) expect(answer?.statusCode ?? 200).toBe(200)
      expect(await countEmailsTo(guest)).toBe(0)
      const requests = await requestsOf(guest)
      expect(requests.length).toBeLessThan(2)
      for (const one of requests) expect(one).toMatchObject({ state: 'failed', failure: optedOut })
    }
  })
})

describe('an invalid link', () => {
  test('shows a page that says so, and writes nothing', async () => {
    const secret = newLink().split('/').at(-1)!
    const half = 22
    const invalid = [
      'x',
      `${secret}%20`,
      secret.slice(0, half) + newLink().split('/').at(-1)!.slice(half),
      encodeURIComponent(`${secret.slice(0, -1)}é`),
      // As many bytes, or as many characters, as a secret has.
      '%C5%BF'.repeat(half),
      '%C5%BF'.repeat(2 * half),
    ]
    const hits = async () => (await query('select * from rate_hits order by 1')).rows
    const [before, hitsBefore] = [await currentTableHashes(), await hits()]
    const unknown = await getPage(`/stop/${'0'.repeat(44)}`)
    expect(unknown.body).toContain('This link isn’t valid')
    expect(unknown.headers['cache-control']).toBe('no-store')
    const notFound = [404, withoutLanguages(unknown.body)]
    for (const one of invalid) {
      const url = `/stop/${one}`
      for (const answer of [await getPage(url), await postForm(url), await postForm(`${url}/undo`)])
        expect([one, answer.statusCode, withoutLanguages(answer.body)]).toEqual([one, ...notFound])
    }
    expect(await currentTableHashes()).toEqual(before)
    expect(await hits()).toEqual(hitsBefore)
  })
})
