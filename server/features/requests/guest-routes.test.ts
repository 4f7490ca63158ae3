import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { requestAccepted } from '@keepsnap/contract/requests.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { publicUrl, serverForThisTest, startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, upload, type TestUser } from '../../test/test-data.ts'
import { emailsTo } from '../../test/outbox.ts'

let server: TestServer
let owner: TestUser
let photo: Photo
const photoFile = await jpeg({ width: 1500, height: 1000 })
const unknownId = 'A'.repeat(22)

beforeAll(async () => {
  server = await startServer()
  owner = await makeUser(server)
  const { id } = (await upload(server, owner, photoFile, { filename: 'Trouw – été.jpg' })).json<Photo>()
  await server.work()
  photo = (await server.request({ method: 'GET', url: `/photos/${id}`, token: owner.token })).json<Photo>()
})
afterAll(() => server.close())

const requestPhoto = (id: string, body: unknown) =>
  server.request({ method: 'POST', url: `/photos/${id}/request-email`, body })

describe('the public details of a photo', () => {
  test('are a fixed list of fields, with a neutral file name', async () => {
    const response = await server.request({ method: 'GET', url: `/photos/${photo.id}/public` })
    expect(response.json()).toEqual({
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
    expect(response.body).not.toContain(owner.email)
    expect(response.body).not.toContain('été')
  })

  test('have no thumbnail while the photo is processed; a failed, deleted or unknown photo is not found', async () => {
    const user = await makeUser(server)
    const deleted = (await upload(server, user, photoFile)).json<Photo>().id
    expect((await server.request({ method: 'GET', url: `/photos/${deleted}/public` })).json()).toMatchObject({
      processing: true,
      thumbnail_url: null,
    })
    await server.work()
    const failed = (await upload(server, user, photoFile.subarray(0, 9000))).json<Photo>().id
    await server.work()
    await server.request({ method: 'DELETE', url: `/photos/${deleted}`, token: user.token })
    for (const id of [deleted, failed, unknownId, 'x', '../etc']) {
      const response = await server.request({ method: 'GET', url: `/photos/${encodeURIComponent(id)}/public` })
      expect([id, response.statusCode, response.json()]).toEqual([
        id,
        404,
        { code: 'not_found', detail: 'Unable to load photo details. The photo may not exist or may be private.' },
      ])
    }
  })
})

describe('a request', () => {
  test.each([
    ['', 'Please enter your email address'],
    ['lotte', 'Enter a full address, such as name@example.com'],
    ['lotte@example', 'The address is missing its ending, such as .com'],
    ['a@b.com, c@d.com', 'Please enter one address only'],
    ['a@b.com\r\nBcc: x@y.zz', 'Please enter one address only'],
    ['"quoted"@example.com', "This doesn't look like an email address"],
    [`${'a'.repeat(300)}@example.com`, 'The address is too long'],
  ])('for the address %j is refused with a sentence', async (email, msg) => {
    const response = await requestPhoto(photo.id, { email })
    expect([response.statusCode, response.json()]).toEqual([
      422,
      { code: 'invalid', detail: [{ loc: ['body', 'email'], msg }] },
    ])
  })

  test.each([{}, { email: 5 }, { email: ['a@b.co'] }, { email: 'a@b.co', is_admin: true }, [], 'x'])(
    'with the body %j is refused',
    async (body) => {
      const response = await requestPhoto(photo.id, body)
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      expect(response.statusCode).toBeLessThan(500)
    },
  )

  test('for an international domain goes to its ASCII form', async () => {
    const response = await requestPhoto(photo.id, { email: 'lotte@b\u00fccher.example.com' })
    expect([response.statusCode, response.json()]).toEqual([200, { detail: requestAccepted }])
    await server.work()
    expect(await emailsTo(server, 'lotte@xn--bcher-kva.example.com')).toHaveLength(1)
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
    const { statusCode, body, headers } = await server.request({ method: 'GET', url: `/request-photo/${photo.id}` })
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe-inline/)
    expect(body).toContain(String(photo.thumbnail_url).replace(publicUrl, ''))
    expect(body).toContain(`action="/request-photo/${photo.id}"`)
    expect(body).toContain('Send Photo')
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
    const own = await serverForThisTest()
    const { pool, mediaCache } = own.app.deps
    const { id } = (await upload(own, await makeUser(own), photoFile)).json<Photo>()
    await own.work()
    const submitForm = () =>
      own.request({
        method: 'POST',
        url: `/request-photo/${id}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        body: 'email=typed%40example.com',
      })
    const expectForm = async (hasPicture: boolean): Promise<void> => {
      const { statusCode, headers, body } = await submitForm()
      expect([statusCode, headers['retry-after']]).toEqual([503, '2'])
      expect(body).toContain(`action="/request-photo/${id}"`)
      expect(body).toContain('value="typed@example.com"')
      expect(body).toContain('The service is busy right now. Please try again.')
      expect(body.includes('<img class="guest__picture"')).toBe(hasPicture)
    }
    const body = `$$ begin raise exception 'the database system is starting up' using errcode = '57P03'; end $$`
    await pool.query(`
      create function refuse_row() returns trigger language plpgsql as ${body};
      create trigger refuse before insert on photo_request_attempts execute function refuse_row()`)
    await expectForm(true)
    await pool.query(`
      create function fail() returns boolean language plpgsql as ${body};
      alter table photos rename to photos_kept;
      create view photos as select * from photos_kept where fail()`)
    mediaCache.invalidatePhoto(id)
    await expectForm(false)
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

test('on the internet without a mail server, the page and the API say that email is not set up', async () => {
  const online = await serverForThisTest({ PUBLIC_URL: 'https://photos.example.com' })
  const headers = { host: 'photos.example.com' }
  const email = 'a@example.com'
  const registration = {
    method: 'POST',
    url: '/register',
    headers,
    body: { email, password: 'Correct.Horse.9' },
  } as const
  const { access_token: token } = (await online.request(registration)).json<{ access_token: string }>()
  const { id } = (await upload(online, { id: '', email, token }, photoFile, { headers })).json<Photo>()
  await online.work()
  const page = await online.request({ method: 'GET', url: `/request-photo/${id}`, headers })
  expect(page.body).not.toContain('Send Photo')
  const url = `/photos/${id}/request-email`
  const response = await online.request({ method: 'POST', url, headers, body: { email } })
  const detail = "Email isn't set up here. Please ask the person who took the photo."
  expect([response.statusCode, response.json()]).toMatchObject([503, { detail }])
})
