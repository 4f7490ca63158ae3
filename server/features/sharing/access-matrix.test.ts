import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import type { Endpoint } from '@keepsnap/contract/endpoint.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { publish } from '../../live/bus.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { promisedMs } from '../../test/statistics.ts'
import { createGrant, makeUser, upload, type TestUser } from '../../test/test-data.ts'

/** Everything that somebody may have: a printed code, the link of an email, an old URL. */
interface Access {
  photo: Photo
  owner: TestUser
  code: string
  /** The b2_url from before the setting was changed. */
  oldUrl: string
  /** Tokens of emails: for this photo, for another photo, and one that has expired. */
  grant: string
  otherGrant: string
  expiredGrant: string
}
type Actor = 'stranger' | 'owner' | 'email'
type Outcome = 'full image' | 'redirect' | 'not found' | 'page' | 'small image' | 'unauthorized'

/** What a path answers: [actor, email not required, email required, hidden]. */
interface Row {
  path: string
  url: (access: Access) => string
  answers: readonly (readonly [Actor, Outcome, Outcome, Outcome])[]
}

const pathOf = (url: string | null): string => new URL(String(url)).pathname + new URL(String(url)).search
const accessRows: Row[] = [
  {
    path: '/d/:code',
    url: ({ code }) => `/d/${code}`,
    answers: [
      ['stranger', 'full image', 'redirect', 'not found'],
      ['owner', 'full image', 'redirect', 'not found'],
    ],
  },
  {
    path: '/media/:code',
    url: ({ photo }) => pathOf(photo.b2_url),
    // The owner, and anyone to whom the owner gave the current URL.
    answers: [['owner', 'full image', 'full image', 'full image']],
  },
  {
    path: '/media/:code',
    url: ({ oldUrl }) => pathOf(oldUrl),
    answers: [['stranger', 'not found', 'not found', 'not found']],
  },
  {
    path: '/media/:code',
    url: ({ photo }) => new URL(photo.b2_url!).pathname,
    answers: [['stranger', 'not found', 'not found', 'not found']],
  },
  {
    path: '/t/:code',
    url: ({ photo }) => new URL(photo.thumbnail_url!).pathname,
    answers: [['stranger', 'small image', 'small image', 'not found']],
  },
  {
    path: '/qr/d/:code',
    url: ({ photo }) => pathOf(photo.qr_code_url),
    answers: [['stranger', 'small image', 'small image', 'small image']],
  },
  {
    path: '/qr/r/:code',
    url: ({ photo }) => pathOf(photo.email_qr_code_url),
    answers: [['stranger', 'small image', 'small image', 'small image']],
  },
  {
    path: '/request-photo/:id',
    url: ({ photo }) => `/request-photo/${photo.id}`,
    answers: [['stranger', 'page', 'page', 'not found']],
  },
  {
    path: '/photos/:id/public',
    url: ({ photo }) => `/photos/${photo.id}/public`,
    answers: [['stranger', 'page', 'page', 'not found']],
  },
  { path: '/g/:grant', url: ({ grant }) => `/g/${grant}`, answers: [['email', 'page', 'page', 'not found']] },
  {
    path: '/g/:grant/download',
    url: ({ grant }) => `/g/${grant}/download`,
    answers: [['email', 'full image', 'full image', 'not found']],
  },
  {
    path: '/g/:grant/download',
    url: ({ expiredGrant }) => `/g/${expiredGrant}/download`,
    answers: [['stranger', 'not found', 'not found', 'not found']],
  },
  {
    path: '/g/:grant/download',
    url: ({ code }) => `/g/${code}/download`,
    answers: [['stranger', 'not found', 'not found', 'not found']],
  },
  {
    path: '/photos/:id',
    url: ({ photo }) => `/photos/${photo.id}`,
    answers: [
      ['owner', 'page', 'page', 'page'],
      ['stranger', 'unauthorized', 'unauthorized', 'unauthorized'],
    ],
  },
]

/** Paths that return no photo. A path of the contract that is in neither list fails the test. */
const pathsWithoutPhotos = new Set([
  'GET /openapi.json',
  'GET /site',
  // About public pages.
  'GET /preview/:name',
  'GET /robots.txt',
  'GET /sitemap.xml',
  'GET /manifest/:name',
  // Photos with the same image addresses as for their owner's session.
  'GET /api/photos',
  'GET /api/photos/latest',
  'GET /api/keys',
  'GET /api/webhooks',
  'GET /api/webhooks/:id/deliveries',
  'GET /api/admin/users',
  'GET /api/admin/stats',
  'GET /api/admin/users/:user_id',
  'GET /api/operator/overview',
  'GET /api/operator/health',
  'GET /api/operator/integrity',
  'GET /api/operator/audit',
  'GET /api/operator/users',
  'GET /api/operator/users/:user_id',
  'GET /api/operator/failed-photos',
  'GET /api/operator/support',
  'GET /api/operator/support/:id',
  // Thumbnails of reported photos, at addresses that contain a signature.
  'GET /api/operator/reports',
  'GET /health',
  'GET /ready',
  'GET /user/me',
  'GET /photos',
  'GET /photos/latest',
  'GET /subscriptions/status',
  'GET /user/hold',
  'GET /user/photo-requests',
  'GET /user/photo-requests/export',
  'GET /user/reports',
  'GET /user/insights',
  'GET /user/sessions',
  'GET /user/watermark',
  // Only for the owner, and at most as large as a screen.
  'GET /user/watermark/preview',
  // Sample pictures, which belong to nobody.
  'GET /sample/:name',
  'GET /qr/s/:name',
  // A logo or a background.
  'GET /b/:code',
  // Says whether an address is blocked, to those who have an email to it.
  'GET /stop/:secret',
  'GET /stop/:secret/undo',
  'GET /stop/*',
  'GET /user/export',
  // The archive contains the owner's own photos, for those who have the email to the owner.
  'GET /export/:secret',
  // Plans and prices.
  'GET /subscriptions/plans',
  'GET /subscriptions/invoices',
  'GET /demo-checkout/:id',
  // A test email, and a code that leads to a sample picture.
  'GET /user/test-email',
  'GET /qr/t/:token',
  'GET /test-code/:token',
])

let server: TestServer
let full: Buffer
let access: Access
const fullImageSize = { width: 1500, height: 1000 }

const getPath = (
  url: string,
  more: { method?: 'GET' | 'HEAD'; headers?: Record<string, string>; token?: string } = {},
) => server.request({ method: more.method ?? 'GET', url, headers: more.headers ?? {}, token: more.token })

const reloadPhoto = async (): Promise<void> => {
  access.photo = (await getPath(`/photos/${access.photo.id}`, { token: access.owner.token })).json<Photo>()
}
async function requireEmail(isRequired: boolean): Promise<void> {
  const response = await server.request({
    method: 'PUT',
    url: '/user/settings',
    token: access.owner.token,
    body: { ask_email_to_receive_photo: isRequired },
  })
  expect(response.statusCode).toBe(200)
  await reloadPhoto()
}
async function setHidden(hidden: boolean): Promise<void> {
  const url = `/photos/${access.photo.id}`
  const response = await server.request({ method: 'PUT', url, token: access.owner.token, body: { hidden } })
  expect(response.statusCode).toBe(200)
  await reloadPhoto()
}

beforeAll(async () => {
  server = await startServer()
  const owner = await makeUser(server)
  const make = async (seed: number): Promise<Photo> => {
    const { id } = (
      await upload(server, owner, await jpeg({ ...fullImageSize, width: fullImageSize.width + seed }))
    ).json<Photo>()
    await server.work()
    return (await getPath(`/photos/${id}`, { token: owner.token })).json<Photo>()
  }
  const [photo, other] = [await make(0), await make(16)]
  full = (await getPath(pathOf(photo.b2_url))).rawPayload
  access = {
    photo,
    owner,
    code: new URL(photo.qr_code_url).pathname.split('/').at(-1)!,
    oldUrl: String(photo.b2_url),
    grant: (await createGrant(server, { photo: photo.id, owner: owner.id })).secret,
    otherGrant: (await createGrant(server, { photo: other.id, owner: owner.id })).secret,
    expiredGrant: (await createGrant(server, { photo: photo.id, owner: owner.id, hours: -1 })).secret,
  }
  // Makes the URLs from above old: each change of the setting increases the media epoch.
  await requireEmail(true)
  await requireEmail(false)
})
afterAll(() => server.close())

/** Whether a body contains a part of the full-size image. */
const containsImage = (body: Buffer): boolean =>
  [0.3, 0.5, 0.7].some((part) => {
    const at = Math.floor(full.length * part)
    return body.includes(full.subarray(at, at + 64))
  })

function outcomeOf(response: Awaited<ReturnType<typeof getPath>>): Outcome {
  const type = response.headers['content-type'] ?? ''
  if (containsImage(response.rawPayload)) return 'full image'
  if (response.statusCode === 302) return 'redirect'
  if (response.statusCode === 404) return 'not found'
  if (response.statusCode === 401) return 'unauthorized'
  return type.startsWith('image/') ? 'small image' : 'page'
}

test('the matrix has a row for every path of the contract', () => {
  const covered = new Set([...accessRows.map(({ path }) => `GET ${path}`), ...pathsWithoutPhotos])
  const gets = endpoints.filter(({ method }: Endpoint) => method === 'GET').map(({ path }) => `GET ${path}`)
  expect(gets.filter((name) => !covered.has(name))).toEqual([])
})

describe.each([
  ['does not require an email address', 1, false],
  ['requires an email address', 2, true],
] as const)('while the owner %s', (_, column, isRequired) => {
  beforeAll(() => requireEmail(isRequired))

  test.each(accessRows.flatMap((row) => row.answers.map((response) => [row.path, row, response] as const)))(
    '%s answers as in the matrix',
    async (_path, row, response) => {
      const [actor] = response
      const got = await getPath(row.url(access), actor === 'owner' ? { token: access.owner.token } : {})
      expect([actor, row.url(access), outcomeOf(got)]).toEqual([actor, row.url(access), response[column]])
    },
  )
})

describe('while the photo is hidden', () => {
  const entityTags = new Map<string, string>()
  beforeAll(async () => {
    await requireEmail(false)
    for (const url of [
      `/d/${access.code}`,
      new URL(access.photo.thumbnail_url!).pathname,
      `/g/${access.grant}/download`,
    ])
      entityTags.set(url, String((await getPath(url)).headers.etag))
    await setHidden(true)
  })
  afterAll(() => setHidden(false))

  test.each(accessRows.flatMap((row) => row.answers.map((response) => [row.path, row, response] as const)))(
    '%s answers as in the matrix',
    async (_path, row, response) => {
      const [actor] = response
      const got = await getPath(row.url(access), actor === 'owner' ? { token: access.owner.token } : {})
      expect([actor, row.url(access), outcomeOf(got)]).toEqual([actor, row.url(access), response[3]])
    },
  )

  test('its owner can still see it, at URLs that only the owner has', async () => {
    expect(access.photo.hidden).toBe(true)
    expect((await getPath(pathOf(access.photo.thumbnail_url))).headers['content-type']).toBe('image/webp')
    expect(outcomeOf(await getPath(pathOf(access.photo.b2_url)))).toBe('full image')
  })

  test('a browser that has a copy is not told that it may keep using it', async () => {
    for (const [url, entityTag] of entityTags) {
      expect(entityTag).toMatch(/^"[\w-]+"$/)
      expect([url, (await getPath(url, { headers: { 'if-none-match': entityTag } })).statusCode]).toEqual([url, 404])
    }
  })

  test('it cannot be requested or reported', async () => {
    for (const [url, body] of [
      [`/photos/${access.photo.id}/request-email`, { email: 'lotte@example.com' }],
      [`/photos/${access.photo.id}/report`, { reason: 'me' }],
    ] as const)
      expect((await server.request({ method: 'POST', url, body })).statusCode).toBe(404)
  })
})

/** Other spellings of a path. */
const spellings = (path: string): string[] => {
  const [bare = '', query = ''] = path.split('?')
  const search = query && `?${query}`
  const last = bare.split('/').at(-1) ?? ''
  const encoded = `%${last.charCodeAt(0).toString(16)}${last.slice(1)}`
  return [
    `${bare}/${search}`,
    `/${bare}${search}`,
    bare.replace(last, encoded) + search,
    bare.replace('/', '/./') + search,
    `/x/..${bare}${search}`,
    `/x/%2e%2e${bare}${search}`,
    bare.toUpperCase() + search,
    `${bare};a=b${search}`,
    `${bare}.jpg${search}`,
    `${bare}%00${search}`,
    `${bare}%20${search}`,
    `${bare}?download=1`,
    `${bare}?inline=1`,
    `${bare}?s=`,
    `${bare}#x`,
  ]
}
const requestKinds: [string, { method?: 'GET' | 'HEAD'; headers?: Record<string, string> }][] = [
  ['GET', {}],
  ['HEAD', { method: 'HEAD' }],
  ['Range', { headers: { range: 'bytes=1000-' } }],
  ['suffix range', { headers: { range: 'bytes=-20000' } }],
  ['If-None-Match *', { headers: { 'if-none-match': '*' } }],
  ['If-Range', { headers: { range: 'bytes=0-', 'if-range': '"x"' } }],
  ['a browser', { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } }],
  ['an iPhone', { headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2)' } }],
  ['an image element', { headers: { 'sec-fetch-dest': 'image' } }],
]

test('while the owner requires an email address, no spelling of a URL and no kind of request returns the full-size image', async () => {
  await requireEmail(true)
  const starts = [
    `/d/${access.code}`,
    pathOf(access.oldUrl),
    new URL(access.photo.b2_url!).pathname,
    new URL(access.photo.thumbnail_url!).pathname,
    `/g/${access.expiredGrant}/download`,
    `/g/${access.code}/download`,
    `/request-photo/${access.photo.id}`,
    `/photos/${access.photo.id}`,
    `/photos/${access.photo.id}/public`,
    `/photos/latest`,
    '/photos',
  ]
  let tried = 0
  for (const start of starts) {
    for (const url of [start, ...spellings(start)]) {
      for (const [, how] of requestKinds) {
        const response = await getPath(url, how)
        tried += 1
        expect([url, how, containsImage(response.rawPayload)]).toEqual([url, how, false])
        expect(response.statusCode).toBeLessThan(500)
        // Nor its size.
        expect(response.headers['content-length']).not.toBe(String(full.length))
      }
    }
  }
  expect(tried).toBeGreaterThan(1_000)
})

test('the link for one photo does not open another', async () => {
  const response = await getPath(`/g/${access.otherGrant}/download`)
  expect(response.statusCode).toBe(200)
  expect(containsImage(response.rawPayload)).toBe(false)
})

test('changing the setting closes or opens printed codes, and invalidates older URLs, within a second', async () => {
  await requireEmail(false)
  const before = access.photo.b2_url!
  for (const isRequired of [true, false, true]) {
    const open = outcomeOf(await getPath(`/d/${access.code}`))
    await requireEmail(isRequired)
    const began = performance.now()
    await expect
      .poll(async () => outcomeOf(await getPath(`/d/${access.code}`)))
      .toBe(isRequired ? 'redirect' : 'full image')
    expect(performance.now() - began).toBeLessThan(promisedMs(1_000))
    expect(open).not.toBe(isRequired ? 'redirect' : 'full image')
    expect((await getPath(pathOf(before))).statusCode).toBe(404)
    expect(outcomeOf(await getPath(pathOf(access.photo.b2_url)))).toBe('full image')
  }
})

test('saving the same setting again keeps URLs valid', async () => {
  await requireEmail(true)
  const before = access.photo.b2_url
  await requireEmail(true)
  expect(access.photo.b2_url).toBe(before)
})

const publishChange = ({ id }: TestUser) => publish(server.db, { kind: 'user', user: id })

test('the link of an email works any number of times, until the photo is deleted or the account deactivated', async () => {
  expect((await getPath(`/g/${access.grant}`)).statusCode).toBe(200)
  for (let n = 0; n < 5; n++) expect((await getPath(`/g/${access.grant}`, { method: 'HEAD' })).statusCode).toBe(200)
  await server.app.deps.pool.query('update users set is_active = false where id = $1', [access.owner.id])
  await publishChange(access.owner)
  await expect.poll(async () => (await getPath(`/g/${access.grant}`)).statusCode).toBe(404)
  expect((await getPath(`/g/${access.grant}/download`)).statusCode).toBe(404)
  await server.app.deps.pool.query('update users set is_active = true where id = $1', [access.owner.id])
  await publishChange(access.owner)
  await expect.poll(async () => (await getPath(`/g/${access.grant}/download`)).statusCode).toBe(200)
  await server.request({ method: 'DELETE', url: `/photos/${access.photo.id}`, token: access.owner.token })
  for (const url of [`/g/${access.grant}`, `/g/${access.grant}/download`, `/request-photo/${access.photo.id}`])
    expect((await getPath(url)).statusCode).toBe(404)
})
