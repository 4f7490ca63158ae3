import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { requestAccepted, type PhotoRequest } from '@keepsnap/contract/requests.ts'
import { newId } from '../../domain/ids.ts'
import { jpeg } from '../../images/test/pictures.ts'
import { publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { givePlan, makeUser, upload, type TestUser } from '../../test/makers.ts'
import { allRows } from '../../test/rows.ts'
import { parseLetter, startMailServer, type MailServer } from '../../test/smtp-server.ts'

let server: TestServer
let mail: MailServer
let owner: TestUser
let photo: string
const cleaning: (() => unknown)[] = []
const file = await jpeg({ width: 640, height: 480 })

const makePhoto = async (user: TestUser): Promise<string> => {
  const answer = await upload(server, user, file)
  expect(answer.statusCode).toBe(201)
  await server.work()
  return answer.json<Photo>().id
}
beforeAll(async () => {
  mail = await startMailServer((work) => void cleaning.push(work))
  server = await startServer({ SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
  owner = await makeUser(server)
  await givePlan(server, owner, 'pro_yearly')
  await server.app.deps.pool.query('update users set email_verified_at = now()')
  photo = await makePhoto(owner)
})
afterAll(async () => {
  await server.close()
  for (const clean of cleaning) await clean()
})

const newGuest = (): string => `guest-${newId(8).toLowerCase()}@example.com`
const ask = (email: string, id = photo) =>
  server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email } })
const lettersTo = (address: string) => mail.received.filter(({ to }) => to.includes(address))
/** The link in the newest letter with a photo to an address; asks for the letter first when none has come. */
async function linkTo(address: string): Promise<string> {
  if (lettersTo(address).length === 0) {
    await ask(address)
    await server.work()
  }
  // Letters about an account of the same address may come before or after it.
  const texts = await Promise.all(lettersTo(address).map(async ({ bytes }) => (await parseLetter(bytes)).text ?? ''))
  const links = texts.flatMap((text) => /\S+\/stop\/\S+/.exec(text) ?? [])
  return new URL(links.at(-1)!).pathname
}
const get = (url: string, method: 'GET' | 'HEAD' = 'GET') => server.request({ method, url })
const post = (url: string) => server.request({ method: 'POST', url })
const requestsOf = async (email: string): Promise<PhotoRequest[]> =>
  (await server.request({ method: 'GET', url: '/user/photo-requests', token: owner.token }))
    .json<{ requests: PhotoRequest[] }>()
    .requests.filter(({ requester_email: address }) => address === email)
const blocks = async (): Promise<unknown[]> =>
  (await server.app.deps.pool.query('select * from blocked_mailboxes order by block')).rows
/** Nothing of an address is anywhere. */
async function expectNothingOf(email: string): Promise<void> {
  await server.work()
  expect(lettersTo(email)).toEqual([])
  const { pool } = server.app.deps
  for (const table of ['letters', 'photo_requests'])
    expect((await pool.query(`select 1 from ${table} where email = $1`, [email])).rowCount).toBe(0)
}
/** Numbers of guests are written now and then; here before rows are compared. */
async function rowsNow(): Promise<Record<string, string>> {
  await server.app.deps.counts.flush()
  return allRows(server)
}
const stopped = 'No more photos will be sent'
const takesNone = 'This address takes no more photos by e-mail.'

describe('a letter with a photo', () => {
  test('carries the link that stops such letters, for people and for mail programs, and always the same', async () => {
    const guest = newGuest()
    const link = await linkTo(guest)
    const letter = await parseLetter(lettersTo(guest)[0]!.bytes)
    expect(link).toMatch(/^\/stop\/[\w-]{44}$/)
    const headers = Object.fromEntries(letter.headers.map(({ key, value }) => [key, value]))
    expect(headers['list-unsubscribe']).toBe(`<${publicUrl}${link}>`)
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(letter.html).toContain(`href="${publicUrl}${link}"`)
    expect(letter.to).toHaveLength(1)
    await ask(guest, await makePhoto(owner))
    await server.work()
    expect(lettersTo(guest)).toHaveLength(2)
    expect(await linkTo(guest)).toBe(link)
    expect(await linkTo(newGuest())).not.toBe(link)
  })

  test('is the only one that does', async () => {
    const user = await makeUser(server)
    await server.work()
    const letter = await parseLetter(lettersTo(user.email)[0]!.bytes)
    expect(letter.headers.map(({ key }) => key)).not.toContain('list-unsubscribe')
    expect(letter.text).not.toContain('/stop/')
  })
})

describe('the link', () => {
  test('shows a page and changes nothing, however often it is followed', async () => {
    const guest = newGuest()
    const link = await linkTo(guest)
    const before = await rowsNow()
    for (let n = 0; n < 5; n++) {
      const { statusCode, body, headers } = await get(link)
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      expect(body).toContain('No more photos to your address?')
      expect(body).toContain(`<form action="${link}" method="post">`)
      expect(body).not.toMatch(/<script|@example\.com/)
      expect((await get(link, 'HEAD')).statusCode).toBe(200)
    }
    expect(await rowsNow()).toEqual(before)
    expect((await ask(guest, await makePhoto(owner))).statusCode).toBe(200)
    await server.work()
    expect(lettersTo(guest)).toHaveLength(2)
  })

  test('stops photos with one press, whoever asks for whichever, and can be pressed again', async () => {
    const guest = newGuest()
    const link = await linkTo(guest)
    const first = await post(link)
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(first.body).toContain(stopped)
    expect((await post(link)).body).toBe(first.body)
    expect((await get(link)).body).toBe(first.body)

    const sent = lettersTo(guest).length
    const before = await requestsOf(guest)
    const other = await makeUser(server)
    for (const id of [await makePhoto(owner), await makePhoto(other)]) {
      const answer = await ask(guest, id)
      expect([answer.statusCode, answer.json()]).toEqual([200, { detail: requestAccepted }])
    }
    await server.work()
    expect(lettersTo(guest)).toHaveLength(sent)
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
    ['something in parts', 'multipart/mixed; boundary=x', '--x--'],
    ['JSON that is none', 'application/json', '{"List-'],
    ['something that says wrongly what it is', 'no type at all', 'x'],
    ['far more than is needed', 'application/x-www-form-urlencoded', `x=${'x'.repeat(3 * limits.jsonBodyBytes)}`],
    ['far too much JSON', 'application/json', JSON.stringify('x'.repeat(3 * limits.jsonBodyBytes))],
  ])('stops them with what mail programs send as %s, with no redirect', async (_, type, body) => {
    const guest = newGuest()
    const link = await linkTo(guest)
    const address = await listening()
    const answer = await fetch(address + link, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      redirect: 'error',
    })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(stopped)
    const again = newGuest()
    await ask(again)
    await ask(guest, await makePhoto(owner))
    await server.work()
    expect([lettersTo(guest).length, lettersTo(again).length]).toEqual([1, 1])
  })

  test('holds for every way of writing the mailbox that the limits count as one', async () => {
    const guest = newGuest()
    const at = guest.indexOf('@')
    await post(await linkTo(`${guest.slice(0, at)}+party${guest.slice(at)}`))
    const ways = [guest, guest.toUpperCase(), `${guest.slice(0, at)}+2${guest.slice(at)}`]
    for (const way of ways) expect((await ask(way, await makePhoto(owner))).statusCode).toBe(200)
    for (const way of ways) await expectNothingOf(way)
  })

  test('lets photos come again, by its button and by that of an older letter', async () => {
    const guest = newGuest()
    const link = await linkTo(guest)
    await post(link)
    expect((await get(link)).body).toContain(`<form action="${link}/undo" method="post">`)
    const undone = await post(`${link}/undo`)
    expect([undone.statusCode, undone.body.includes('Photos can come again')]).toEqual([200, true])
    expect((await post(`${link}/undo`)).statusCode).toBe(200)
    expect((await get(link)).body).toContain('No more photos to your address?')
    await ask(guest, await makePhoto(owner))
    await server.work()
    expect(lettersTo(guest)).toHaveLength(2)
  })

  test('leaves letters about an account of the same address alone', async () => {
    const user = await makeUser(server)
    await post(await linkTo(user.email))
    const before = lettersTo(user.email).length
    await server.request({ method: 'POST', url: '/request-password-reset', body: { email: user.email } })
    await server.work()
    expect(lettersTo(user.email)).toHaveLength(before + 1)
  })

  test('is pressed for one mailbox twenty times a minute at the most, and for others as well then', async () => {
    const link = await linkTo(newGuest())
    const other = await linkTo(newGuest())
    const answers = await Promise.all(Array.from({ length: 25 }, () => post(link)))
    const codes = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 200), ...Array.from({ length: 5 }, () => 429)])
    const from = '198.51.100.9'
    for (const url of [other, `${other}/undo`])
      expect((await server.request({ method: 'POST', url, from })).statusCode).toBe(200)
  })
})

describe('an address that takes no photos', () => {
  test('gets none that was on its way, and the owner is told, also after sending it again', async () => {
    const guest = newGuest()
    const link = await linkTo(guest)
    const sent = await makePhoto(owner)
    await ask(guest, sent)
    await post(link)
    await server.work()
    expect(lettersTo(guest)).toHaveLength(1)
    const [newest] = await requestsOf(guest)
    expect(newest).toMatchObject({ photo: { id: sent }, state: 'failed', failure: takesNone, sent_at: null })

    const url = `/user/photo-requests/${newest!.id}/resend`
    const again = await server.request({ method: 'POST', url, token: owner.token })
    expect([again.statusCode, again.json()]).toEqual([200, expect.objectContaining({ state: 'queued' })])
    await server.work()
    expect(lettersTo(guest)).toHaveLength(1)
    expect((await requestsOf(guest))[0]).toMatchObject({ state: 'failed', failure: takesNone })

    await post(`${link}/undo`)
    await server.request({ method: 'POST', url, token: owner.token })
    await server.work()
    expect(lettersTo(guest)).toHaveLength(2)
    expect((await requestsOf(guest))[0]).toMatchObject({ state: 'sent', failure: null })
  })

  test('is answered alike on the page without JavaScript, and asking leaves no letter, request or number', async () => {
    const guest = newGuest()
    const link = await linkTo(guest)
    const fresh = await makePhoto(owner)
    const form = (email: string) =>
      server.request({
        method: 'POST',
        url: `/request-photo/${fresh}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ email }).toString(),
      })
    await post(link)
    await server.work()
    const before = await rowsNow()
    const blocked = await form(guest)
    await server.work()
    expect(await rowsNow()).toEqual(before)
    const other = newGuest()
    const usual = await form(other)
    const shown = (email: string, body: string): string => body.replaceAll(email.split('@')[0]!, 'x')
    expect([blocked.statusCode, shown(guest, blocked.body)]).toEqual([200, shown(other, usual.body)])
  })

  test('is nowhere written down: a hash says that somebody blocked, nothing says who', async () => {
    const guest = newGuest()
    const link = await linkTo(guest)
    const before = (await blocks()).length
    await post(link)
    const rows = await blocks()
    expect(rows).toHaveLength(before + 1)
    expect(rows).toContainEqual({ block: expect.any(Buffer), blocked_at: expect.any(Date) })
    const { rows: texts } = await server.app.deps.pool.query('select t::text as row from blocked_mailboxes t')
    expect(JSON.stringify(texts)).not.toContain(guest.split('@')[0])
    const { rows: hits } = await server.app.deps.pool.query('select t::text as row from rate_hits t')
    expect(JSON.stringify(hits)).not.toContain(link.split('/').at(-1)!.slice(0, 22))
  })

  test('that is blocked in the moment in which it is asked for gets no letter, and the owner sees one that failed or none', async () => {
    for (let round = 0; round < 10; round++) {
      const guest = newGuest()
      const link = await linkTo(guest)
      const id = await makePhoto(owner)
      const answers = await Promise.all([ask(guest, id), post(link), ask(guest, id), post(link)])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
      await server.work()
      expect(lettersTo(guest)).toHaveLength(1)
      const mine = (await requestsOf(guest)).filter((one) => one.photo.id === id)
      expect(mine.length).toBeLessThan(2)
      for (const one of mine) expect(one).toMatchObject({ state: 'failed', failure: takesNone })
    }
  })
})

describe('a link that is none of ours', () => {
  test('is a page that says kindly what to do, and writes nothing at all', async () => {
    const link = await linkTo(newGuest())
    const other = await linkTo(newGuest())
    const secret = link.split('/').at(-1)!
    const half = 22
    const near = secret.startsWith('A') ? 'B' : 'A'
    const forged = [
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
    const [before, hitsBefore] = [await rowsNow(), await hits()]
    const unknown = await get(`/stop/${'0'.repeat(44)}`)
    expect(unknown.body).toContain('We don’t know this link')
    expect(unknown.headers['cache-control']).toBe('no-store')
    for (const one of forged) {
      for (const answer of [await get(`/stop/${one}`), await post(`/stop/${one}`), await post(`/stop/${one}/undo`)])
        expect([one, answer.statusCode, answer.body]).toEqual([one, 404, unknown.body])
    }
    expect(await rowsNow()).toEqual(before)
    expect(await hits()).toEqual(hitsBefore)
  })

  test('however long, leads nowhere', async () => {
    const before = await rowsNow()
    const unknown = await get('/stop/x')
    for (const length of [129, 5_000]) {
      const [page, press] = [await get(`/stop/${'A'.repeat(length)}`), await post(`/stop/${'A'.repeat(length)}`)]
      expect([length, page.statusCode, page.body]).toEqual([length, 404, unknown.body])
      expect([length, press.statusCode]).toEqual([length, 400])
    }
    for (const answer of [await get(`/stop/${'A'.repeat(10_000)}`), await post(`/stop/${'A'.repeat(10_000)}`)])
      expect(answer.statusCode).toBe(400)
    for (const url of ['/stop/', '/stop/x/y', '/stop/x/undo/y']) {
      const page = await get(url)
      expect([url, page.statusCode, page.body]).toEqual([url, 404, unknown.body])
    }
    expect(await rowsNow()).toEqual(before)
  })

  test('because of another secret key opens nothing', async () => {
    const guest = newGuest()
    const link = await linkTo(guest)
    const foreign = await startServer({ SECRET_KEY: 'another secret of the tests, long enough' })
    try {
      expect((await foreign.request({ method: 'POST', url: link })).statusCode).toBe(404)
    } finally {
      await foreign.close()
    }
  })
})

describe('the address of the link', () => {
  test.each(['PUT', 'DELETE'] as const)('takes no %s, and says what it takes', async (method) => {
    const link = await linkTo(newGuest())
    const before = await rowsNow()
    const answer = await server.request({ method, url: link })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, POST'])
    expect(await rowsNow()).toEqual(before)
  })

  test('of its second button shows the page as it stands, to who reloads it', async () => {
    const link = await linkTo(newGuest())
    const before = await rowsNow()
    expect((await get(`${link}/undo`)).body).toBe((await get(link)).body)
    expect(await rowsNow()).toEqual(before)
    await post(link)
    const [page, blocked] = [await get(`${link}/undo`), await blocks()]
    expect(page.body).toContain(stopped)
    expect(await blocks()).toEqual(blocked)
  })

  test('is exactly as it was sent', async () => {
    const link = await linkTo(newGuest())
    const before = await rowsNow()
    for (const url of [`${link}/`, `/${link}`, link.toUpperCase(), `${link}/x`, `${link}/undo/`])
      expect([url, (await post(url)).statusCode]).toEqual([url, 404])
    expect(await rowsNow()).toEqual(before)
  })
})

let address: string | undefined
const listening = async (): Promise<string> => (address ??= await server.listen())
