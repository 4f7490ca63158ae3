import type { Email } from 'postal-mime'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { type PhotoRequest, requestAccepted } from '@keepsnap/contract/guests.ts'
import { WithdrawnContent } from '../emails/compose.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { addPhotos, grantPlan, makeUser, type TestUser, upload } from '../../test/test-data.ts'
import { publicUrl, useServer, makeJobsDue } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { countLockWaits } from '../../test/cloned-database.ts'
import { emailsTo } from '../../test/outbox.ts'
import { photoEmailComposer } from './emails.ts'

let owner: TestUser
let log = ''
const photoFile = await jpeg({ width: 600, height: 400 })
const server = useServer({}, { out: { write: (text: string) => (log += text) }, ownImageProcesses: false })
beforeAll(async () => {
  owner = await makeOwner()
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
async function makeOwner(): Promise<TestUser> {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  return user
}
const makePhoto = async (of = owner, filename = 'party.jpg'): Promise<Photo> => {
  const { id } = (await upload(server, of, photoFile, { filename })).json<Photo>()
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: of.token })).json<Photo>()
}
const requestPhoto = (id: string, email: string) =>
  server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email } })
const getUrl = (url: string) => server.request({ method: 'GET', url })
async function onlyEmailTo(address: string): Promise<Email> {
  await server.work()
  const [email, ...others] = await emailsTo(server, address)
  if (!email || others.length) throw new Error(`${address} does not have exactly one email`)
  return email
}
const grantIn = ({ text = '' }: Email): string => /\/g\/([\w-]{43})/.exec(text)?.[1] ?? ''
const setHidden = (id: string, hidden: boolean) =>
  server.request({ method: 'PUT', url: `/photos/${id}`, token: owner.token, body: { hidden } })
const remove = (id: string) => server.request({ method: 'DELETE', url: `/photos/${id}`, token: owner.token })
const putSettings = ({ token }: TestUser, body: object) =>
  server.request({ method: 'PUT', url: '/user/settings', token, body })
const listRequests = async ({ token }: TestUser, search = '') => {
  const answer = await server.request({ method: 'GET', url: `/user/photo-requests${search}`, token })
  return {
    ...answer.json<{ requests: PhotoRequest[]; total: number; sent: number; failed: number }>(),
    before: String(answer.headers['x-next-before'] ?? ''),
  }
}
const requestOf = async (photoId: string, of = owner) =>
  (await listRequests(of)).requests.find(({ photo }) => photo.id === photoId)
const resend = ({ token }: TestUser, id = '') =>
  server.request({ method: 'POST', url: `/user/photo-requests/${id}/resend`, token })

test('the email has a link and the photo, and the owner sees its state live', async () => {
  const [user, address] = [await makeOwner(), 'Lotte.Janssens@example.com']
  const photo = await makePhoto(user)
  const live = await connectLive(await server.listen(), user.token)
  const answer = await requestPhoto(photo.id, ' Lotte.Janssens@Example.com ')
  expect([answer.statusCode, answer.json()]).toEqual([200, { detail: requestAccepted }])
  const queued = await live.next((message) => message.action === 'photo_request')
  expect(queued).toMatchObject({ request: { requester_email: address, state: 'queued' } })
  await server.work()
  await live.next((message) => message.action === 'photo_request' && message.request.state === 'sent')
  live.socket.close()

  const email = await onlyEmailTo(address)
  const { pathname, search } = new URL(String(photo.b2_url))
  const full = (await getUrl(pathname + search)).rawPayload
  expect(email.from?.address).toContain('@')
  expect(email.to).toHaveLength(1)
  expect(email.html).not.toMatch(/<img[^>]+src="http/)
  expect(email.text).toContain(`${publicUrl}/g/`)
  expect(email.attachments).toMatchObject([
    { contentId: '<photo>', disposition: 'inline', mimeType: 'image/webp' },
    { filename: expect.stringMatching(/^keepsnap-.*\.jpg$/), disposition: 'attachment' },
  ])
  const thumbnail = (await getUrl(new URL(String(photo.thumbnail_url)).pathname)).rawPayload
  for (const [at, bytes] of [thumbnail, full].entries())
    expect(Buffer.from(email.attachments[at]?.content as ArrayBuffer).equals(bytes)).toBe(true) // bytes, not text
  expect(email.html).toContain('alt="Your photo" width="414" height="276"')

  const grant = grantIn(email)
  // The token of the link is in no table.
  for (const table of ['emails', 'photo_requests', 'grants', 'graphile_worker.jobs']) {
    const { rows } = await query(`select t::text as row from ${table} t`)
    expect(JSON.stringify(rows)).not.toContain(grant)
  }
  const page = await getUrl(`/g/${grant}`)
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['cache-control']).toBe('no-store')
  const download = await getUrl(`/g/${grant}/download`)
  expect(download.rawPayload.equals(full)).toBe(true)
  expect(download.headers['content-disposition']).toMatch(/^attachment; filename="keepsnap-/)

  const { requests, total, sent, failed } = await listRequests(user)
  expect({ total, sent, failed }).toEqual({ total: 1, sent: 1, failed: 0 })
  expect(requests[0]).toMatchObject({
    requester_email: address,
    photo: { id: photo.id, filename: photo.filename, thumbnail_url: photo.thumbnail_url },
    state: 'sent',
    failure: expect.stringContaining('outbox'),
  })
})

test('an email that is kept as a file carries the link, and no attachment above 1 MB', async () => {
  const { id } = await makePhoto()
  await query('update photos set full_bytes = 1000001 where id = $1', [id])
  await requestPhoto(id, 'large@example.com')
  const email = await onlyEmailTo('large@example.com')
  expect(email.attachments.filter(({ disposition }) => disposition === 'attachment')).toEqual([])
  expect((await getUrl(`/g/${grantIn(email)}`)).statusCode).toBe(200)
})

test('the email waits until the photo is processed', async () => {
  const { id } = (await upload(server, owner, photoFile)).json<Photo>()
  expect((await requestPhoto(id, 'early@example.com')).statusCode).toBe(200)
  await server.work()
  await query("update emails set due_at = now() where recipient_key = 'early@example.com'")
  await makeJobsDue(server.app.deps.pool)
  expect((await onlyEmailTo('early@example.com')).attachments).toHaveLength(2)
})

describe('an email for a photo that could not be processed', () => {
  const addressOf = (id: string): string => `${id.toLowerCase()}@example.com`
  /** A photo that was requested while it was being processed, and has failed since. */
  async function makeFailedPhoto(address?: string): Promise<string> {
    const { id } = (await upload(server, owner, photoFile)).json<Photo>()
    expect((await requestPhoto(id, address ?? addressOf(id))).statusCode).toBe(200)
    const failed = "state = 'failed', error_message = 'It took too long.', finished_at = now()"
    await query(`update photos set ${failed} where id = $1`, [id])
    await server.work()
    return id
  }
  async function workAfterPause(id: string): Promise<void> {
    await query("update emails set due_at = now(), give_up_at = now() - interval '1 hour' where photo_id = $1", [id])
    await makeJobsDue(server.app.deps.pool)
    await server.work()
  }

  test('waits as long as its owner can retry it, and is sent after that', async () => {
    const id = await makeFailedPhoto()
    await workAfterPause(id)
    expect(await emailsTo(server, addressOf(id))).toEqual([])
    const failure =
      'The photo could not be processed. This email is sent when you have retried the photo and it is ready.'
    expect(await requestOf(id)).toMatchObject({ state: 'waiting', due_at: null, failure })
    const retried = await server.request({ method: 'POST', url: `/photos/${id}/retry`, token: owner.token })
    expect(retried.statusCode).toBe(200)
    await server.work()
    expect(await requestOf(id)).toMatchObject({ failure: null })
    await workAfterPause(id)
    expect((await onlyEmailTo(addressOf(id))).attachments).toHaveLength(2)
    expect(await requestOf(id)).toMatchObject({ state: 'sent' })
  })

  test.each(['original_key = null', 'retry_helps = false'])(
    'fails with that reason when it cannot be retried: %s',
    async (change) => {
      const id = await makeFailedPhoto()
      await query(`update photos set ${change} where id = $1`, [id])
      await workAfterPause(id)
      const failure = 'The photo could not be processed and cannot be retried.'
      expect(await requestOf(id)).toMatchObject({ state: 'failed', failure })
    },
  )

  test('uses up no limit of its address while it waits, and keeps no failure of an earlier attempt', async () => {
    const address = 'three-failed@example.com'
    for (let count = 0; count < 3; count++) {
      const id = await makeFailedPhoto(address)
      await query("update emails set failure = 'Something went wrong.' where photo_id = $1", [id])
      await workAfterPause(id)
    }
    expect((await requestPhoto((await makePhoto()).id, address)).statusCode).toBe(200)
    expect((await onlyEmailTo(address)).attachments).toHaveLength(2)
    const { rows } = await query('select failure from emails where recipient = $1', [address])
    expect(rows.map(({ failure }) => failure)).not.toContain('Something went wrong.')
  })

  test('is not sent to somebody who has unsubscribed meanwhile', async () => {
    const id = await makeFailedPhoto()
    const url = `/stop/${server.app.deps.tokens.unsubscribe(addressOf(id))}`
    expect((await server.request({ method: 'POST', url })).statusCode).toBe(200)
    await workAfterPause(id)
    expect(await requestOf(id)).toMatchObject({ state: 'failed', failure: expect.stringContaining('opted out') })
  })
})

test('no email is sent for a photo that was deleted before; one that was sent is deleted from the outbox with it', async () => {
  const { id } = await makePhoto()
  await requestPhoto(id, 'outbox@example.com')
  await onlyEmailTo('outbox@example.com')
  await requestPhoto(id, 'late@example.com')
  await remove(id)
  await server.work()
  for (const address of ['outbox@example.com', 'late@example.com']) expect(await emailsTo(server, address)).toEqual([])
})

test('no email is sent for a photo that was hidden before; the owner sees why, and can send it once the photo is shown', async () => {
  const { id } = await makePhoto()
  await requestPhoto(id, 'hidden@example.com')
  await setHidden(id, true)
  await server.work()
  expect(await emailsTo(server, 'hidden@example.com')).toEqual([])
  const request = await requestOf(id)
  expect(request).toMatchObject({ state: 'failed', failure: expect.stringContaining('hidden from guests') })

  await setHidden(id, false)
  await resend(owner, request?.id)
  const row = await server.db
    .selectFrom('emails')
    .selectAll()
    .where('recipient_key', '=', 'hidden@example.com')
    .executeTakeFirstOrThrow()
  const composed = await photoEmailComposer(server.app.deps).compose(row, server.db, { attach: true })
  if (typeof composed === 'string' || !('subject' in composed)) throw new Error('the email was not composed')
  const pictures = composed.attachments ?? []
  expect(pictures.length).toBeGreaterThan(0)
  // Hidden after the email was composed: its pictures ask once more when they are opened.
  await setHidden(id, true)
  for (const { open } of pictures) await expect(open()).rejects.toThrow(WithdrawnContent)
  await setHidden(id, false)
  await onlyEmailTo('hidden@example.com')
})

test('no email is sent, and no error is logged, when the photo is deleted during the attempt', async () => {
  const { id } = await makePhoto()
  await requestPhoto(id, 'during@example.com')
  const { pool } = server.app.deps
  const deletion = await pool.connect()
  log = ''
  try {
    await deletion.query('begin; lock table grants in share mode')
    const working = server.work()
    await expect.poll(() => countLockWaits(pool)).toBe(1)
    await deletion.query('delete from photos where id = $1', [id])
    await deletion.query('commit')
    await working
  } finally {
    deletion.release(true)
  }
  expect(log).toBe('')
  expect(await emailsTo(server, 'during@example.com')).toEqual([])
})

test('the email names the brand of a confirmed account, and never the account itself', async () => {
  const sofie = await makeUser(server, 'sofie.night599@example.com')
  const { id } = await makePhoto(sofie)
  await putSettings(sofie, { brand_name: 'Studio “Sofie”, Ghent', time_zone: 'Asia/Tokyo' })
  const emailFor = async (address: string): Promise<Email> => {
    await requestPhoto(id, address)
    const email = await onlyEmailTo(address)
    expect(JSON.stringify([email.headers, email.text, email.html])).not.toMatch(/sofie\.night599/)
    return email
  }
  const expectNames = (email: Email, from: string, subject: string) => {
    expect([email.from?.name, email.subject]).toEqual([from, subject])
    for (const part of [email.text, email.html]) expect(part).toContain(from)
  }
  expectNames(await emailFor('first@example.com'), 'A photographer, by Keepsnap', 'The photo you asked for')
  await query('update users set email_verified_at = now() where id = $1', [sofie.id])
  const brand = 'Studio “Sofie”, Ghent'
  expectNames(await emailFor('second@example.com'), `${brand}, by Keepsnap`, `Your photo from ${brand}`)
})

test('times and file names of guests follow the clock of the owner, and never say UTC', async () => {
  const { id } = await makePhoto()
  await query("update photos set created_at = '2026-11-14T22:41:09Z' where id = $1", [id])
  const names = async (grant: string) => {
    expect((await getUrl(`/g/${grant}`)).body).not.toContain('UTC')
    const download = await getUrl(`/g/${grant}/download`)
    return [download.headers['content-disposition'], (await getUrl(`/photos/${id}/public`)).json().filename]
  }
  await putSettings(owner, { time_zone: 'Asia/Tokyo' })
  await requestPhoto(id, 'clock@example.com')
  const email = await onlyEmailTo('clock@example.com')
  const { rows } = await query(
    "select to_char(expires_at at time zone 'Asia/Tokyo', 'FMDD FMMonth \"at\" HH24:MI') as until from grants where photo_id = $1",
    [id],
  )
  expect(email.text).toContain(`${rows[0].until}.`)
  expect(`${email.text} ${email.html}`).not.toContain('UTC')
  const tokyo = 'keepsnap-2026-11-15-0741.jpg'
  expect(email.attachments[1]?.filename).toBe(tokyo)
  expect(await names(grantIn(email))).toEqual([`attachment; filename="${tokyo}"`, tokyo])
  await putSettings(owner, { time_zone: 'America/New_York' })
  expect((await names(grantIn(email)))[1]).toBe('keepsnap-2026-11-14-1741.jpg')
  await putSettings(owner, { time_zone: null })
})

describe('the requests of an owner', () => {
  /** An owner with a photo whose file does not matter. */
  async function ownerWithPhoto(filename = 'party.jpg') {
    const user = await makeUser(server)
    const [photoId = ''] = await addPhotos(server, user, { count: 1 })
    await query('update photos set filename = $2 where id = $1', [photoId, filename])
    return { ...user, photoId }
  }

  test('are listed in pages, and without those for photos of others or deleted photos', async () => {
    const [user, other] = [await ownerWithPhoto(), await ownerWithPhoto()]
    for (const name of ['a', 'b', 'c', 'd']) await requestPhoto(user.photoId, `${name}@example.com`)
    const first = await listRequests(user, '?limit=3')
    const second = await listRequests(user, `?limit=3&before=${first.before}`)
    const addresses = [...first.requests, ...second.requests].map(({ requester_email: address }) => address[0])
    expect([first.requests.length, addresses, second.before]).toEqual([3, ['d', 'c', 'b', 'a'], ''])
    expect([first.total, (await listRequests(other)).total]).toEqual([4, 0])
    await server.request({ method: 'DELETE', url: `/photos/${user.photoId}`, token: user.token })
    expect(await listRequests(user)).toMatchObject({ requests: [], total: 0 })
  })

  test('are all in the export, which has no cell that a spreadsheet would run as a formula', async () => {
    const user = await ownerWithPhoto('=HYPERLINK("http://evil.example").jpg')
    for (const name of ['=1+1', '+cmd', '-2', 'plain']) await requestPhoto(user.photoId, `${name}@example.com`)
    const table = await server.request({ method: 'GET', url: '/user/photo-requests/export', token: user.token })
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(table.headers['content-disposition']).toMatch(/^attachment; filename="photo-requests-/)
    const cells = table.body.split('\r\n').flatMap((line) => line.split('","'))
    expect(cells.filter((text) => /^"?[=+\-@]/.test(text))).toEqual([])
    expect(table.body.split('\r\n')).toHaveLength(6)
  })

  test.each([
    ['en', '"Requester","Photo","Photo ID","Requested (UTC)","State","Sent (UTC)","Reason"', 'failed', /^"The mailbox/],
    [
      'nl',
      '"Aanvrager";"Foto";"ID van de foto";"Aangevraagd (UTC)";"Status";"Verstuurd (UTC)";"Reden"',
      'mislukt',
      /^"De/,
    ],
    ['fr', '"Adresse";"Photo";"ID de la photo";"Demandée (UTC)";"État";"Envoyée (UTC)";"Raison"', 'échec', /^"La/],
    ['de', '"Von";"Foto";"ID des Fotos";"Angefragt (UTC)";"Status";"Gesendet (UTC)";"Grund"', 'gescheitert', /^"Das/],
  ])(
    'are exported as spreadsheets in the language of the account read them: %s',
    async (language, heading, state, reason) => {
      const user = await ownerWithPhoto()
      await query('update users set language = $2 where id = $1', [user.id, language])
      await requestPhoto(user.photoId, 'full@example.com')
      await query("update emails set state = 'failed', failure = 'The mailbox is full.' where user_id = $1", [user.id])
      const table = await server.request({ method: 'GET', url: '/user/photo-requests/export', token: user.token })
      const [first, line = ''] = table.body.split('\r\n')
      expect(first).toBe(`\uFEFF${heading}`)
      const cells = line.split(heading[heading.indexOf('"', 1) + 1]!)
      expect(cells).toEqual([
        '"full@example.com"',
        '"party.jpg"',
        `"${user.photoId}"`,
        expect.stringMatching(/^"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$/),
        `"${state}"`,
        '""',
        expect.stringMatching(reason),
      ])
    },
  )

  test('are sent again when their emails failed, and not before', async () => {
    const { id } = await makePhoto()
    await requestPhoto(id, 'full@example.com')
    const request = await requestOf(id)
    expect((await resend(owner, request?.id)).statusCode).toBe(409)
    await query(
      "update emails set state = 'failed', failure = 'Mailbox is full' where recipient_key = 'full@example.com'",
    )
    expect(await requestOf(id)).toMatchObject({ state: 'failed', failure: 'Mailbox is full' })
    const again = await resend(owner, request?.id)
    expect([again.statusCode, again.json()]).toMatchObject([200, { state: 'queued' }])
    await onlyEmailTo('full@example.com')
  })
})
