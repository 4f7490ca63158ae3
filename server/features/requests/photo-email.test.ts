import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { requestAccepted, type PhotoRequest } from '@keepsnap/contract/requests.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { publicUrl, serverForThisTest, startServer, type TestServer } from '../../test/harness.ts'
import { countLockWaits } from '../../test/lock-waits.ts'
import { connectLive } from '../../test/live-client.ts'
import { makeUser, registerUser, upload, type TestUser } from '../../test/test-data.ts'
import { emailsTo } from '../../test/outbox.ts'
import { WithdrawnContent } from '../../emails/composers.ts'
import { photoEmailComposer } from './photo-email.ts'

let server: TestServer
let owner: TestUser
const photoFile = await jpeg({ width: 1500, height: 1000 })
beforeAll(async () => {
  server = await startServer()
  owner = await makeUser(server)
})
afterAll(() => server.close())

const makePhoto = async (): Promise<Photo> => {
  const { id } = (await upload(server, owner, photoFile)).json<Photo>()
  await server.work()
  return (await server.request({ method: 'GET', url: `/photos/${id}`, token: owner.token })).json<Photo>()
}
const requestPhoto = (id: string, email: string) =>
  server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email } })
const getUrl = (url: string) => server.request({ method: 'GET', url })
async function onlyEmailTo(address: string): Promise<Email> {
  const [email, ...others] = await emailsTo(server, address)
  if (!email || others.length) throw new Error(`${address} does not have exactly one email`)
  return email
}
const grantIn = ({ text = '' }: Email): string => /\/g\/([\w-]{43})/.exec(text)?.[1] ?? ''

test('the email has a link and the photo, and the owner sees its state live', async () => {
  const photo = await makePhoto()
  const live = await connectLive(await server.listen(), owner.token)
  const response = await requestPhoto(photo.id, ' Lotte.Janssens@Example.com ')
  expect([response.statusCode, response.json()]).toEqual([200, { detail: requestAccepted }])
  const address = 'Lotte.Janssens@example.com'
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
  const page = await getUrl(`/g/${grant}`)
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['cache-control']).toBe('no-store')
  const download = await getUrl(`/g/${grant}/download`)
  expect(download.rawPayload.equals(full)).toBe(true)
  expect(download.headers['content-disposition']).toMatch(/^attachment; filename="keepsnap-/)

  const list = await server.request({ method: 'GET', url: '/user/photo-requests', token: owner.token })
  const { requests, ...counts } = list.json<{ requests: PhotoRequest[] }>()
  expect(counts).toEqual({ total: 1, sent: 1, failed: 0 })
  expect(requests[0]).toMatchObject({
    requester_email: address,
    photo: { id: photo.id, filename: photo.filename, thumbnail_url: photo.thumbnail_url },
    state: 'sent',
    failure: expect.stringContaining('outbox'),
  })
})

test('an email that is kept as a file carries the link, and no attachment above 1 MB', async () => {
  const { id } = await makePhoto()
  await server.app.deps.pool.query('update photos set full_bytes = 1000001 where id = $1', [id])
  await requestPhoto(id, 'large@example.com')
  await server.work()
  const email = await onlyEmailTo('large@example.com')
  expect(email.attachments.filter(({ disposition }) => disposition === 'attachment')).toEqual([])
  expect((await getUrl(`/g/${grantIn(email)}`)).statusCode).toBe(200)
})

test('the token of the link is not in the database', async () => {
  const { id } = await makePhoto()
  await requestPhoto(id, 'secret@example.com')
  await server.work()
  const grant = grantIn(await onlyEmailTo('secret@example.com'))
  expect(grant).toHaveLength(43)
  for (const table of ['emails', 'photo_requests', 'grants', 'graphile_worker._private_jobs']) {
    const { rows } = await server.app.deps.pool.query(`select t::text as row from ${table} t`)
    expect(JSON.stringify(rows)).not.toContain(grant)
  }
})

test('the email waits until the photo is processed', async () => {
  const { id } = (await upload(server, owner, photoFile)).json<Photo>()
  expect((await requestPhoto(id, 'early@example.com')).statusCode).toBe(200)
  await server.work()
  await server.app.deps.pool.query("update emails set due_at = now() where recipient_key = 'early@example.com'")
  await server.app.deps.pool.query('update graphile_worker._private_jobs set run_at = now()')
  await server.work()
  expect((await onlyEmailTo('early@example.com')).attachments).toHaveLength(2)
})

describe('an email for a photo that could not be processed', () => {
  // The other tests use up the photos of a month.
  let owner: TestUser
  beforeAll(async () => {
    owner = await makeUser(server)
  })
  const addressOf = (id: string): string => `${id.toLowerCase()}@example.com`
  /** A photo that was requested while it was being processed, and has failed since. */
  async function makeFailedPhoto(address?: string): Promise<string> {
    const { id } = (await upload(server, owner, photoFile)).json<Photo>()
    expect((await requestPhoto(id, address ?? addressOf(id))).statusCode).toBe(200)
    await server.app.deps.pool.query(
      "update photos set state = 'failed', error_message = 'It took too long.', finished_at = now() where id = $1",
      [id],
    )
    await server.work()
    return id
  }
  async function workAfterPause(id: string): Promise<void> {
    await server.app.deps.pool.query(
      "update emails set due_at = now(), give_up_at = now() - interval '1 hour' where photo_id = $1",
      [id],
    )
    await server.app.deps.pool.query('update graphile_worker._private_jobs set run_at = now()')
    await server.work()
  }
  async function requestOfPhoto(id: string): Promise<PhotoRequest | undefined> {
    const list = await server.request({ method: 'GET', url: '/user/photo-requests', token: owner.token })
    return list.json<{ requests: PhotoRequest[] }>().requests.find(({ photo }) => photo.id === id)
  }
  const retry = (id: string) => server.request({ method: 'POST', url: `/photos/${id}/retry`, token: owner.token })

  test('waits as long as its owner can retry it, and is sent after that', async () => {
    const id = await makeFailedPhoto()
    await workAfterPause(id)
    expect(await emailsTo(server, addressOf(id))).toEqual([])
    expect(await requestOfPhoto(id)).toMatchObject({
      state: 'waiting',
      due_at: null,
      failure: 'The photo could not be processed. This email is sent when you have retried the photo and it is ready.',
    })
    expect((await retry(id)).statusCode).toBe(200)
    await server.work()
    expect(await requestOfPhoto(id)).toMatchObject({ failure: null })
    await workAfterPause(id)
    expect((await onlyEmailTo(addressOf(id))).attachments).toHaveLength(2)
    expect(await requestOfPhoto(id)).toMatchObject({ state: 'sent' })
  })

  test.each(['original_key = null', 'retry_helps = false'])(
    'fails with that reason when it cannot be retried: %s',
    async (change) => {
      const id = await makeFailedPhoto()
      await server.app.deps.pool.query(`update photos set ${change} where id = $1`, [id])
      await workAfterPause(id)
      expect(await requestOfPhoto(id)).toMatchObject({
        state: 'failed',
        failure: 'The photo could not be processed and cannot be retried.',
      })
    },
  )

  test('uses up no limit of its address while it waits, and keeps no failure of an earlier attempt', async () => {
    const address = 'three-failed@example.com'
    const { pool } = server.app.deps
    for (let count = 0; count < 3; count++) {
      const id = await makeFailedPhoto(address)
      await pool.query("update emails set failure = 'Something went wrong.' where photo_id = $1", [id])
      await workAfterPause(id)
    }
    const { id } = (await upload(server, owner, photoFile)).json<Photo>()
    await server.work()
    expect((await requestPhoto(id, address)).statusCode).toBe(200)
    await server.work()
    expect((await onlyEmailTo(address)).attachments).toHaveLength(2)
    const { rows } = await pool.query('select failure from emails where recipient = $1', [address])
    expect(rows.map(({ failure }) => failure)).not.toContain('Something went wrong.')
  })

  test('is not sent to somebody who has unsubscribed meanwhile', async () => {
    const id = await makeFailedPhoto()
    const url = `/stop/${server.app.deps.tokens.unsubscribe(addressOf(id))}`
    expect((await server.request({ method: 'POST', url })).statusCode).toBe(200)
    await workAfterPause(id)
    expect(await requestOfPhoto(id)).toMatchObject({ state: 'failed', failure: expect.stringContaining('opted out') })
  })
})

test('no email is sent for a photo that was deleted before', async () => {
  const { id } = await makePhoto()
  await requestPhoto(id, 'late@example.com')
  await server.request({ method: 'DELETE', url: `/photos/${id}`, token: owner.token })
  await server.work()
  expect(await emailsTo(server, 'late@example.com')).toHaveLength(0)
})

test('no email is sent for a photo that was hidden before; the owner sees why, and can send it once the photo is shown', async () => {
  const photo = await makePhoto()
  const setHidden = (hidden: boolean) =>
    server.request({ method: 'PUT', url: `/photos/${photo.id}`, token: owner.token, body: { hidden } })
  await requestPhoto(photo.id, 'hidden@example.com')
  await setHidden(true)
  await server.work()
  expect(await emailsTo(server, 'hidden@example.com')).toEqual([])
  const list = await server.request({ method: 'GET', url: '/user/photo-requests', token: owner.token })
  const request = list.json<{ requests: PhotoRequest[] }>().requests.find(({ photo: { id } }) => id === photo.id)
  expect(request).toMatchObject({ state: 'failed', failure: expect.stringContaining('hidden from guests') })

  await setHidden(false)
  await server.request({ method: 'POST', url: `/user/photo-requests/${request!.id}/resend`, token: owner.token })
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
  await setHidden(true)
  for (const { open } of pictures) await expect(open()).rejects.toThrow(WithdrawnContent)
  await setHidden(false)
  await server.work()
  expect(await emailsTo(server, 'hidden@example.com')).toHaveLength(1)
})

test('the email’s file in the outbox is deleted with the photo', async () => {
  const { id } = await makePhoto()
  await requestPhoto(id, 'outbox@example.com')
  await server.work()
  expect(await emailsTo(server, 'outbox@example.com')).toHaveLength(1)
  await server.request({ method: 'DELETE', url: `/photos/${id}`, token: owner.token })
  await server.work()
  expect(await emailsTo(server, 'outbox@example.com')).toEqual([])
})

test('no email is sent, and no error is logged, when the photo is deleted during the attempt', async () => {
  const lines: string[] = []
  const own = await serverForThisTest({}, { out: { write: (text) => lines.push(text) } })
  const { id } = (await upload(own, await registerUser(own), photoFile)).json<Photo>()
  await own.work()
  const body = { email: 'late@example.com' }
  await own.request({ method: 'POST', url: `/photos/${id}/request-email`, body })
  const deletion = await own.app.deps.pool.connect()
  try {
    await deletion.query('begin; lock table grants in share mode')
    const working = own.work()
    await expect.poll(() => countLockWaits(own.app.deps.pool)).toBe(1)
    await deletion.query('delete from photos where id = $1', [id])
    await deletion.query('commit')
    await working
  } finally {
    deletion.release(true)
  }
  expect(lines).toEqual([])
  // Only the email that confirms the address of the account.
  expect((await readdir(join(own.dir, 'outbox'))).filter((name) => name.endsWith('.eml'))).toHaveLength(1)
})

test('the email names the brand of a confirmed account, and never the account itself', async () => {
  const sofie = await makeUser(server, 'sofie.night599@example.com')
  const { id } = (await upload(server, sofie, photoFile)).json<Photo>()
  await server.work()
  const settings = { brand_name: 'Studio “Sofie”, Ghent', time_zone: 'Asia/Tokyo' }
  await server.request({ method: 'PUT', url: '/user/settings', token: sofie.token, body: settings })
  const emailFor = async (address: string): Promise<Email> => {
    await requestPhoto(id, address)
    await server.work()
    const email = await onlyEmailTo(address)
    expect(JSON.stringify([email.headers, email.text, email.html])).not.toMatch(/sofie\.night599/)
    return email
  }
  const unconfirmed = await emailFor('first@example.com')
  expect([unconfirmed.from?.name, unconfirmed.subject]).toEqual([
    'A photographer, by Keepsnap',
    'The photo you asked for',
  ])
  expect(unconfirmed.text).toContain('A photographer, by Keepsnap')
  await server.app.deps.pool.query('update users set email_verified_at = now() where id = $1', [sofie.id])
  const confirmed = await emailFor('second@example.com')
  expect([confirmed.from?.name, confirmed.subject]).toEqual([
    'Studio “Sofie”, Ghent, by Keepsnap',
    'Your photo from Studio “Sofie”, Ghent',
  ])
  for (const part of [confirmed.text, confirmed.html]) expect(part).toContain('Studio “Sofie”, Ghent, by Keepsnap')
})

test('times and file names of guests follow the clock of the owner, and never say UTC', async () => {
  const { id } = await makePhoto()
  const { pool } = server.app.deps
  await pool.query("update photos set created_at = '2026-11-14T22:41:09Z' where id = $1", [id])
  const address = 'clock@example.com'
  const setZone = (time_zone: string | null) =>
    server.request({ method: 'PUT', url: '/user/settings', token: owner.token, body: { time_zone } })
  const names = async (grant: string) => {
    const page = await getUrl(`/g/${grant}`)
    const download = await getUrl(`/g/${grant}/download`)
    const details = await getUrl(`/photos/${id}/public`)
    expect(page.body).not.toContain('UTC')
    return [download.headers['content-disposition'], details.json().filename]
  }
  await setZone('Asia/Tokyo')
  await requestPhoto(id, address)
  await server.work()
  const email = await onlyEmailTo(address)
  const { rows } = await pool.query(
    "select to_char(expires_at at time zone 'Asia/Tokyo', 'FMDD FMMonth \"at\" HH24:MI') as until from grants where photo_id = $1",
    [id],
  )
  expect(email.text).toContain(`${rows[0].until}.`)
  expect(`${email.text} ${email.html}`).not.toContain('UTC')
  const tokyo = 'keepsnap-2026-11-15-0741.jpg'
  expect(email.attachments[1]?.filename).toBe(tokyo)
  expect(await names(grantIn(email))).toEqual([`attachment; filename="${tokyo}"`, tokyo])
  await setZone('America/New_York')
  expect((await names(grantIn(email)))[1]).toBe('keepsnap-2026-11-14-1741.jpg')
  await setZone(null)
})
