import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { requestAccepted, type PhotoRequest } from '@keepsnap/contract/requests.ts'
import { jpeg } from '../../images/test/pictures.ts'
import { connectLive } from '../../test/live-client.ts'
import { newClient, publicUrl, serverForThisTest, startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload, type TestUser } from '../../test/makers.ts'

let server: TestServer
let owner: TestUser
let photo: Photo
const file = await jpeg({ width: 1500, height: 1000 })

const makePhoto = async (user: TestUser, filename = 'Trouw – été.jpg'): Promise<Photo> => {
  const { id } = (await upload(server, user, file, { filename })).json<Photo>()
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: user.token })).json<Photo>()
}
const ask = (id: string, body: unknown) => server.request({ method: 'POST', url: `/photos/${id}/request-email`, body })
const requests = async (user: TestUser, query = '') =>
  (await server.request({ method: 'GET', url: `/user/photo-requests${query}`, token: user.token })).json<{
    requests: PhotoRequest[]
    total: number
    sent: number
    failed: number
  }>()

/** Letters that went into the outbox, newest last. */
async function letters(to?: string): Promise<Email[]> {
  const folder = join(server.dir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  )
  return mails.filter((mail) => to === undefined || mail.to?.some(({ address }) => address === to))
}
const grantIn = ({ text = '' }: Email): string => /\/g\/([\w-]{43})/.exec(text)![1]!

beforeAll(async () => {
  server = await startServer()
  owner = await makeUser(server)
  photo = await makePhoto(owner)
})
afterAll(() => server.close())

describe('what a guest may know of a photo', () => {
  const known = [
    'ask_email_to_receive_photo',
    'created_at',
    'filename',
    'height',
    'id',
    'processing',
    'processing_complete',
    'processing_failed',
    'thumbhash',
    'thumbnail_url',
    'width',
  ]

  test('is a fixed list, with a neutral name', async () => {
    const answer = await server.request({ method: 'GET', url: `/photos/${photo.id}/public` })
    expect(Object.keys(answer.json<object>()).toSorted()).toEqual(known)
    expect(answer.json()).toMatchObject({
      id: photo.id,
      filename: expect.stringMatching(/^keepsnap-\d{4}-\d\d-\d\d-\d{4}\.jpg$/),
      thumbnail_url: photo.thumbnail_url,
      width: 1500,
      height: 1000,
      processing: false,
      processing_complete: true,
      processing_failed: false,
    })
    expect(answer.body).not.toContain(owner.email)
    expect(answer.body).not.toContain('été')
  })

  test('comes without a thumbnail while the photo is processed, and not at all when it failed, went or never was', async () => {
    const user = await makeUser(server)
    const waiting = (await upload(server, user, file)).json<Photo>().id
    expect((await server.request({ method: 'GET', url: `/photos/${waiting}/public` })).json()).toMatchObject({
      processing: true,
      thumbnail_url: null,
    })
    await server.work()
    const broken = (await upload(server, user, file.subarray(0, 9000))).json<Photo>().id
    await server.work()
    await server.request({ method: 'DELETE', url: `/photos/${waiting}`, token: user.token })
    const answers = await Promise.all(
      [waiting, broken, 'A'.repeat(22), 'x', '../etc'].map((id) =>
        server.request({ method: 'GET', url: `/photos/${encodeURIComponent(id)}/public` }),
      ),
    )
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers[0]!.statusCode).toBe(404)
    expect(answers[0]!.json()).toMatchObject({
      detail: 'Unable to load photo details. The photo may not exist or may be private.',
    })
  })
})

describe('a request', () => {
  test('becomes a letter with a link to the same picture, and is shown to the owner as it goes', async () => {
    const live = await connectLive(await server.listen(), owner.token)
    const answer = await ask(photo.id, { email: ' Lotte.Janssens@Example.com ' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { detail: requestAccepted }])
    const heard = await live.next((message) => message.action === 'photo_request')
    expect(heard).toMatchObject({ request: { requester_email: 'Lotte.Janssens@example.com', state: 'queued' } })
    await server.work()
    await live.next((message) => message.action === 'photo_request' && message.request.state === 'sent')
    live.socket.close()

    const [mail] = await letters('Lotte.Janssens@example.com')
    expect(mail!.from?.address).toContain('@')
    expect(mail!.to).toHaveLength(1)
    expect(mail!.html).not.toMatch(/<img[^>]+src="http/)
    expect(mail!.attachments).toHaveLength(1)
    const full = await server.request({
      method: 'GET',
      url: new URL(photo.b2_url!).pathname + new URL(photo.b2_url!).search,
    })
    expect(Buffer.from(mail!.attachments[0]!.content as ArrayBuffer).equals(full.rawPayload)).toBe(true)
    expect(mail!.attachments[0]!.filename).toMatch(/^keepsnap-.*\.jpg$/)
    expect(mail!.text).toContain(`${publicUrl}/g/`)

    const grant = grantIn(mail!)
    const page = await server.request({ method: 'GET', url: `/g/${grant}` })
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['cache-control']).toBe('no-store')
    const got = await server.request({ method: 'GET', url: `/g/${grant}/download` })
    expect(got.rawPayload.equals(full.rawPayload)).toBe(true)
    expect(got.headers['content-disposition']).toMatch(/^attachment; filename="keepsnap-/)

    const list = await requests(owner)
    expect(list).toMatchObject({ total: 1, sent: 1, failed: 0 })
    expect(list.requests[0]).toMatchObject({
      requester_email: 'Lotte.Janssens@example.com',
      photo: { id: photo.id, filename: photo.filename, thumbnail_url: photo.thumbnail_url },
      state: 'sent',
      failure: expect.stringContaining('outbox'),
    })
  })

  test('goes from the outbox with its photo', async () => {
    const { id } = await makePhoto(owner)
    await ask(id, { email: 'outbox@example.com' })
    await server.work()
    expect(await letters('outbox@example.com')).toHaveLength(1)
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: owner.token })
    await server.work()
    expect(await letters('outbox@example.com')).toEqual([])
  })

  test('keeps no secret of its link in the database', async () => {
    await ask(photo.id, { email: 'secret@example.com' })
    await server.work()
    const grant = grantIn((await letters('secret@example.com'))[0]!)
    for (const table of ['letters', 'photo_requests', 'grants', 'graphile_worker._private_jobs']) {
      const { rows } = await server.app.deps.pool.query(`select t::text as row from ${table} t`)
      expect(JSON.stringify(rows)).not.toContain(grant)
    }
  })

  test('of the same address for the same photo within ten minutes gets the same answer and no second letter', async () => {
    const first = await ask(photo.id, { email: 'twice@example.com' })
    const again = await ask(photo.id, { email: 'TWICE@example.com' })
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
    await server.work()
    expect(await letters('twice@example.com')).toHaveLength(1)
    expect(await letters('TWICE@example.com')).toHaveLength(0)
  })

  test('twenty times at the same moment is one letter', async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask(photo.id, { email: 'parallel@example.com' })))
    await server.work()
    expect(await letters('parallel@example.com')).toHaveLength(1)
  })

  test('of a program that fills in what people do not see is answered alike and forgotten', async () => {
    const answer = await ask(photo.id, { email: 'robot@example.com', website: 'https://spam.example' })
    expect(answer.json()).toEqual({ detail: requestAccepted })
    const { rowCount } = await server.app.deps.pool.query("select 1 from letters where email_key = 'robot@example.com'")
    expect(rowCount).toBe(0)
  })

  test('that aims many letters at one address sends three an hour, all answers alike', async () => {
    const many = await makeUser(server)
    await server.app.deps.pool.query("update users set granted_plan = 'pro_yearly' where id = $1", [many.id])
    const photos = [
      await makePhoto(many),
      await makePhoto(many),
      await makePhoto(many),
      await makePhoto(many),
      await makePhoto(many),
    ]
    const answers = await Promise.all(photos.map(({ id }) => ask(id, { email: 'target@example.com' })))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    await server.work()
    expect(await letters('target@example.com')).toHaveLength(3)
    const states = (await requests(many)).requests.map(({ state }) => state).toSorted()
    expect(states).toEqual(['sent', 'sent', 'sent', 'waiting', 'waiting'])
  })

  test.each([
    ['a new one', async () => 'new@example.com'],
    [
      'one that it asked for a moment ago',
      async (id: string) => {
        await ask(id, { email: 'again@example.com' })
        return 'again@example.com'
      },
    ],
    [
      'one to an address that has had all of its letters',
      async () => {
        const email = 'filled@example.com'
        await server.app.deps.pool.query(
          `insert into letters (id, kind, email, email_key, state, due_at, give_up_at)
           select 'filled' || n, 'photo', $1, $1, 'queued', now() + interval '47 hours', now() from generate_series(1, 10) as n`,
          [email],
        )
        return email
      },
    ],
    [
      'one to an address that takes no photos',
      async () => {
        const { addresses } = server.app.deps
        await server.request({ method: 'POST', url: `/stop/${addresses.stop('blocked@example.com')}` })
        return 'blocked@example.com'
      },
    ],
  ])(
    'of one client leaves room for others: %s counts, and after five hundred about a photo it hears so, and nobody else does',
    async (_, prepare) => {
      const { id } = await makePhoto(owner)
      const email = await prepare(id)
      const from = newClient()
      const client = server.app.deps.addresses.pseudonym(from)
      await server.app.deps.pool.query(
        'insert into asks (user_id, photo_id, client) select $1, $2, $3 from generate_series(1, 499)',
        [owner.id, id, client],
      )
      const again = () => server.request({ method: 'POST', url: `/photos/${id}/request-email`, from, body: { email } })
      expect((await again()).statusCode).toBe(200)
      const full = await again()
      expect([full.statusCode, full.headers['retry-after']]).toEqual([429, '3600'])
      expect((await ask(id, { email: 'crowd@example.com' })).statusCode).toBe(200)
      const { rows } = await server.app.deps.pool.query('select asks::text as row from asks')
      expect(JSON.stringify(rows)).not.toContain(from)
      expect(JSON.stringify(rows)).not.toContain('@')
    },
  )

  test('of one client is forgotten after a day', async () => {
    await ask(photo.id, { email: 'yesterday@example.com' })
    const { pool } = server.app.deps
    const asks = async () => (await pool.query('select 1 from asks')).rowCount
    await pool.query("update asks set asked_at = asked_at - interval '23 hours'")
    const before = await asks()
    const sweep = async () => {
      await pool.query("select graphile_worker.add_job('sweep')")
      await server.work()
    }
    await sweep()
    expect(await asks()).toBe(before)
    await pool.query("update asks set asked_at = asked_at - interval '1 hour'")
    await sweep()
    expect([before === 0, await asks()]).toEqual([false, 0])
  })

  test('whose photo is deleted while its letter is written is withdrawn, and no bug', async () => {
    const lines: string[] = []
    const own = await serverForThisTest({}, { out: { write: (text) => lines.push(text) } })
    const { id } = (await upload(own, await makeUser(own), file)).json<Photo>()
    await own.work()
    const body = { email: 'late@example.com' }
    await own.request({ method: 'POST', url: `/photos/${id}/request-email`, body })
    const deletion = await own.app.deps.pool.connect()
    try {
      await deletion.query('begin; lock table grants in share mode')
      const working = own.work()
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      await expect.poll(async () => (await deletion.query(waiting)).rowCount, { timeout: 10_000 }).toBe(1)
      await deletion.query('delete from photos where id = $1', [id])
      await deletion.query('commit')
      await working
    } finally {
      deletion.release(true)
    }
    expect(lines).toEqual([])
    expect((await readdir(join(own.dir, 'outbox'))).filter((name) => name.endsWith('.eml'))).toHaveLength(1)
  })

  test('with a tag in the address counts for the mailbox behind it', async () => {
    await ask(photo.id, { email: 'tagged@example.com' })
    await ask(photo.id, { email: 'tagged+1@example.com' })
    await ask(photo.id, { email: 'Tagged+2@example.com' })
    const { rowCount } = await server.app.deps.pool.query(
      "select 1 from letters where email_key = 'tagged@example.com'",
    )
    expect(rowCount).toBe(1)
  })

  test.each([
    ['', 'Please enter your e-mail address'],
    ['lotte', 'This address is not complete: it needs a name, an @ and what follows'],
    ['lotte@example', 'This address misses its ending, such as .com or .be'],
    ['a@b.com, c@d.com', 'Please enter one address only'],
    ['a@b.com\r\nBcc: x@y.zz', 'Please enter one address only'],
    ['"quoted"@example.com', 'This does not look like an e-mail address'],
    [`${'a'.repeat(300)}@example.com`, 'This address is too long'],
  ])('for %j is refused with a kind sentence', async (email, sentence) => {
    const answer = await ask(photo.id, { email })
    expect([answer.statusCode, answer.json<{ detail: { msg: string }[] }>().detail[0]?.msg]).toEqual([422, sentence])
  })

  test('to a domain in another alphabet goes to its ASCII form', async () => {
    expect((await ask(photo.id, { email: 'lotte@b\u00fccher.example' })).statusCode).toBe(200)
    await server.work()
    expect(await letters('lotte@xn--bcher-kva.example')).toHaveLength(1)
  })

  test.each([{}, { email: 5 }, { email: ['a@b.co'] }, { email: 'a@b.co', is_admin: true }, [], 'x'])(
    'in the form %j is refused',
    async (body) => {
      const answer = await ask(photo.id, body)
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(answer.statusCode).toBeLessThan(500)
    },
  )

  test('for a photo that is still being processed is sent when the photo is there', async () => {
    const user = await makeUser(server)
    const { id } = (await upload(server, user, file)).json<Photo>()
    expect((await ask(id, { email: 'early@example.com' })).statusCode).toBe(200)
    await server.work()
    await server.app.deps.pool.query("update letters set due_at = now() where email_key = 'early@example.com'")
    await server.app.deps.pool.query('update graphile_worker._private_jobs set run_at = now()')
    await server.work()
    expect((await letters('early@example.com'))[0]?.attachments).toHaveLength(1)
  })

  test('whose photo is deleted before the letter went sends nothing', async () => {
    const user = await makeUser(server)
    const { id } = await makePhoto(user)
    await ask(id, { email: 'late@example.com' })
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    await server.work()
    expect(await letters('late@example.com')).toHaveLength(0)
  })
})

describe('without JavaScript', () => {
  const form = (id: string, body: string) =>
    server.request({
      method: 'POST',
      url: `/request-photo/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body,
    })

  test('the page is whole: picture, form, consent, no owner', async () => {
    const { statusCode, body, headers } = await server.request({ method: 'GET', url: `/request-photo/${photo.id}` })
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe-inline/)
    expect(body).toContain(photo.thumbnail_url!.replace(publicUrl, ''))
    expect(body).toContain(`action="/request-photo/${photo.id}"`)
    expect(body).toContain('Send Photo')
    expect(body).not.toContain(owner.email)
    expect(body).not.toContain(owner.email.split('@')[0]!)
  })

  test('the form sends the photo and says so', async () => {
    const { statusCode, body } = await form(photo.id, 'email=plain%40example.com&website=')
    expect(statusCode).toBe(200)
    expect(body).toContain('Request Submitted!')
    await server.work()
    expect(await letters('plain@example.com')).toHaveLength(1)
  })

  test('a wrong address comes back with what was typed, inert', async () => {
    const { statusCode, body } = await form(photo.id, `email=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(statusCode).toBe(422)
    expect(body).not.toContain('<script>alert(1)')
    expect(body).toContain('&lt;script&gt;')
  })

  test('an unknown photo is a page that says kindly what to do', async () => {
    for (const { statusCode, body } of [
      await form('A'.repeat(22), 'email=a%40b.co'),
      await server.request({ method: 'GET', url: `/request-photo/${'A'.repeat(22)}` }),
    ]) {
      expect(statusCode).toBe(404)
      expect(body).toContain('Unable to load photo details. The photo may not exist or may be private.')
      expect(body).toContain('Back to Home')
    }
  })
})

describe('the owner', () => {
  test('pages through the requests and reads them as a table that no spreadsheet runs', async () => {
    const user = await makeUser(server)
    const own = await makePhoto(user, '=HYPERLINK("http://evil.example").jpg')
    for (const name of ['=1+1', '+cmd', '-2', 'plain']) await ask(own.id, { email: `${name}@example.com` })
    const first = await server.request({ method: 'GET', url: '/user/photo-requests?limit=3', token: user.token })
    expect(first.json<{ requests: unknown[] }>().requests).toHaveLength(3)
    const before = String(first.headers['x-next-before'])
    expect((await requests(user, `?limit=3&before=${before}`)).requests).toHaveLength(1)

    const table = await server.request({ method: 'GET', url: '/user/photo-requests/export', token: user.token })
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(table.headers['content-disposition']).toMatch(/^attachment; filename="photo-requests-/)
    const cells = table.body.split('\r\n').flatMap((line) => line.split('","'))
    expect(cells.filter((text) => /^"?[=+\-@]/.test(text))).toEqual([])
    expect(table.body.split('\r\n')).toHaveLength(6)
  })

  test('sees and sends again a letter that failed, and no other', async () => {
    const user = await makeUser(server)
    const own = await makePhoto(user)
    await ask(own.id, { email: 'full@example.com' })
    const [{ id } = { id: '' }] = (await requests(user)).requests
    const resend = (who: TestUser, what: string) =>
      server.request({ method: 'POST', url: `/user/photo-requests/${what}/resend`, token: who.token })
    expect((await resend(user, id)).statusCode).toBe(409)
    await server.app.deps.pool.query(
      "update letters set state = 'failed', failure = 'Mailbox is full' where email_key = 'full@example.com'",
    )
    expect((await requests(user)).requests[0]).toMatchObject({ state: 'failed', failure: 'Mailbox is full' })
    expect((await resend(owner, id)).statusCode).toBe(404)
    const again = await resend(user, id)
    expect([again.statusCode, again.json<PhotoRequest>().state]).toEqual([200, 'queued'])
    await server.work()
    expect(await letters('full@example.com')).toHaveLength(1)
  })

  test('never sees requests for photos of others, nor those of photos that are deleted', async () => {
    const user = await makeUser(server)
    const own = await makePhoto(user)
    await ask(own.id, { email: 'mine@example.com' })
    expect((await requests(user)).total).toBe(1)
    expect((await requests(owner)).requests.map(({ requester_email }) => requester_email)).not.toContain(
      'mine@example.com',
    )
    await server.request({ method: 'DELETE', url: `/photos/${own.id}`, token: user.token })
    expect(await requests(user)).toMatchObject({ requests: [], total: 0 })
  })
})

test('where letters cannot be sent on the internet, the page and the call say so', async () => {
  const other = await startServer({ PUBLIC_URL: 'https://photos.example.com' })
  try {
    const host = { host: 'photos.example.com' }
    const email = 'a@example.com'
    const registered = await other.request({
      method: 'POST',
      url: '/register',
      headers: host,
      body: { email, password: 'Correct.Horse.9' },
    })
    const { access_token: token } = registered.json<{ access_token: string }>()
    const { id } = (await upload(other, { id: '', email, token }, file, { headers: host })).json<Photo>()
    await other.work()
    const page = await other.request({ method: 'GET', url: `/request-photo/${id}`, headers: host })
    expect(page.body).not.toContain('Send Photo')
    const answer = await other.request({
      method: 'POST',
      url: `/photos/${id}/request-email`,
      headers: host,
      body: { email },
    })
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
      503,
      'E-mail is not set up here yet. Please ask the person who took the photo.',
    ])
  } finally {
    await other.close()
  }
})
