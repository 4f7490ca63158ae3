import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import type { ReportedPhoto } from '@keepsnap/contract/operator-support.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { publish } from '../../platform/live/bus.ts'
import {
  addToGallery,
  createKey,
  callOperator,
  makeOperator,
  type TestUser,
  createGrant,
  grantPlan,
  makeUser,
  upload,
} from '../../test/test-data.ts'
import { useServer } from '../../test/harness.ts'
import { newestSecret } from '../../test/outbox.ts'
import { isRecord, promisedMs } from '../../test/statistics.ts'
import { storedFilePath } from '../../test/consistency-check.ts'

const server = useServer()

/** Everything that somebody may have: a printed code, the link of an email, an old URL. */
interface Access {
  photo: Photo
  owner: TestUser
  code: string
  /** The b2_url from before the setting was changed. */
  oldUrl: string
  /** The screen_url from then. */
  oldScreenUrl: string
  /** Tokens of emails: for this photo, for another photo, and one that has expired. */
  grant: string
  otherGrant: string
  expiredGrant: string
  /** Path of the photo in the guest gallery of its event. */
  gallery: string
}
type Actor = 'stranger' | 'owner' | 'email'
type Outcome = 'full image' | 'redirect' | 'not found' | 'page' | 'small image' | 'unauthorized'

/** What a path answers to an actor: while an email is not required, while it is required, and while the photo is hidden. */
type Row = [path: string, url: (access: Access) => string, actor: Actor, answers: [Outcome, Outcome, Outcome]]

const pathOf = (url: string | null): string => new URL(String(url)).pathname + new URL(String(url)).search
const bareOf = (url: string | null): string => new URL(String(url)).pathname
const never: Row[3] = ['not found', 'not found', 'not found']
const rows: Row[] = [
  ['/d/:code', ({ code }) => `/d/${code}`, 'stranger', ['full image', 'redirect', 'not found']],
  ['/d/:code', ({ code }) => `/d/${code}`, 'owner', ['full image', 'redirect', 'not found']],
  // The owner, and anyone to whom the owner gave the current URL.
  ['/media/:code', ({ photo }) => pathOf(photo.b2_url), 'owner', ['full image', 'full image', 'full image']],
  ['/media/:code', ({ oldUrl }) => pathOf(oldUrl), 'stranger', never],
  ['/media/:code', ({ photo }) => bareOf(photo.b2_url), 'stranger', never],
  ['/screen/:code', ({ photo }) => pathOf(photo.screen_url), 'owner', ['small image', 'small image', 'small image']],
  ['/screen/:code', ({ oldScreenUrl }) => pathOf(oldScreenUrl), 'stranger', never],
  ['/screen/:code', ({ photo }) => bareOf(photo.screen_url), 'stranger', never],
  ['/d/:code', ({ code }) => `/d/${code}?screen=1`, 'stranger', ['small image', 'redirect', 'not found']],
  [
    '/g/:grant/download',
    ({ grant }) => `/g/${grant}/download?screen=1`,
    'email',
    ['small image', 'small image', 'not found'],
  ],
  ['/g/:grant/download', ({ expiredGrant }) => `/g/${expiredGrant}/download?screen=1`, 'stranger', never],
  ['/t/:code', ({ photo }) => bareOf(photo.thumbnail_url), 'stranger', ['small image', 'small image', 'not found']],
  ['/e/:code/p/:token', ({ gallery }) => gallery, 'stranger', ['page', 'page', 'not found']],
  [
    '/e/:code/p/:token/thumbnail',
    ({ gallery }) => `${gallery}/thumbnail`,
    'stranger',
    ['small image', 'small image', 'not found'],
  ],
  [
    '/e/:code/p/:token/screen',
    ({ gallery }) => `${gallery}/screen`,
    'stranger',
    ['small image', 'redirect', 'not found'],
  ],
  [
    '/e/:code/p/:token/download',
    ({ gallery }) => `${gallery}/download`,
    'stranger',
    ['full image', 'redirect', 'not found'],
  ],
  ['/qr/d/:code', ({ photo }) => pathOf(photo.qr_code_url), 'stranger', ['small image', 'small image', 'small image']],
  [
    '/qr/r/:code',
    ({ photo }) => pathOf(photo.email_qr_code_url),
    'stranger',
    ['small image', 'small image', 'small image'],
  ],
  ['/request-photo/:id', ({ photo }) => `/request-photo/${photo.id}`, 'stranger', ['page', 'page', 'not found']],
  ['/photos/:id/public', ({ photo }) => `/photos/${photo.id}/public`, 'stranger', ['page', 'page', 'not found']],
  ['/g/:grant', ({ grant }) => `/g/${grant}`, 'email', ['page', 'page', 'not found']],
  ['/g/:grant/download', ({ grant }) => `/g/${grant}/download`, 'email', ['full image', 'full image', 'not found']],
  ['/g/:grant/download', ({ expiredGrant }) => `/g/${expiredGrant}/download`, 'stranger', never],
  ['/g/:grant/download', ({ code }) => `/g/${code}/download`, 'stranger', never],
  ['/photos/:id', ({ photo }) => `/photos/${photo.id}`, 'owner', ['page', 'page', 'page']],
  ['/photos/:id', ({ photo }) => `/photos/${photo.id}`, 'stranger', ['unauthorized', 'unauthorized', 'unauthorized']],
]

/** Paths that return no photo. A path of the contract that is in neither list fails the test. */
const pathsWithoutPhotos = [
  '/openapi.json /site /health /ready',
  // About public pages.
  '/preview/:name /robots.txt /sitemap.xml /manifest/:name',
  // Photos with the same image addresses as for their owner's session.
  '/api/photos /api/photos/latest',
  '/api/keys /api/webhooks /api/webhooks/:id/deliveries',
  '/api/admin/users /api/admin/stats /api/admin/users/:user_id',
  '/api/operator/overview /api/operator/health /api/operator/integrity /api/operator/audit /api/operator/users',
  '/api/operator/users/:user_id /api/operator/failed-photos /api/operator/support /api/operator/support/:id',
  // What an operator looks up: states of emails; a photo with its owner, without its picture.
  '/api/operator/emails /api/operator/photos',
  '/api/operator/invoices /api/operator/invoices/:id /api/operator/withdrawals',
  // Thumbnails of reported photos, at addresses that contain a signature.
  '/api/operator/reports',
  '/user/me /photos /photos/latest /photos/changes /user/photo-days /user/photo-hours /subscriptions/status /user/hold /user/photo-requests /user/photo-requests/export',
  // Thumbnails of photos that guests can see: features/events/events.test.ts.
  '/user/events /user/events/:id',
  '/user/reports /user/insights /user/insights/export /user/sessions /user/watermark',
  // Thumbnails of photos that guests can see.
  '/user/events /user/events/:id',
  // Only for the owner, and at most as large as a screen.
  '/user/watermark/preview',
  // Sample pictures, which belong to nobody.
  '/sample/:name /qr/s/:name',
  // Codes, and a gallery with tokens of its photos: features/events/guest-pages.test.ts.
  '/user/events/:id/codes /qr/e/:code /e/:code /e/:code/photos',
  // A logo or a background.
  '/b/:code',
  // Says whether an address is blocked, to those who have an email to it.
  '/stop/:secret /stop/:secret/undo /stop/*',
  // The archive contains the owner's own photos, for those who have the email to the owner.
  '/user/export /export/:secret',
  // The owner's own photos as one file, by a link that the owner made: features/photos/archive.test.ts.
  '/archive/:secret',
  // All photos of an event, for its owner’s link and for guests whose event is open: features/events/archives.test.ts.
  '/user/events/:id/archive /user/events/:id/grants /user/event-grants',
  '/a/:grant /a/:grant/archive /a/:grant/p/:token /a/:grant/p/:token/thumbnail /e/:code/archive',
  // Of one event, at most as large as a screen, by the cookie of a helper's device: features/events/helpers.test.ts.
  '/user/events/:id/helpers /user/event-helpers /helper/review',
  // Plans and prices.
  '/subscriptions/plans /subscriptions/invoices /subscriptions/business /subscriptions/withdrawal /demo-checkout/:id',
  '/withdraw/:token',
  // A contributor's own photos, by the cookie of the device, and what its owner reviews: features/events/guest-photos.test.ts.
  '/e/:code/mine /e/:code/mine/:token/thumbnail /user/events/:id/review',
  // A test email, and a code that leads to a sample picture.
  '/user/test-email /qr/t/:token /test-code/:token',
].flatMap((paths) => paths.split(' '))

let full: Buffer
let access: Access

const getPath = (
  url: string,
  { method = 'GET', ...more }: { method?: 'GET' | 'HEAD'; headers?: Record<string, string>; token?: string } = {},
) => server.request({ method, url, ...more })
const statusOf = async (...call: Parameters<typeof getPath>) => (await getPath(...call)).statusCode
async function change(url: string, body: object): Promise<void> {
  const answer = await server.request({ method: 'PUT', url, token: access.owner.token, body })
  expect(answer.statusCode).toBe(200)
  access.photo = (await getPath(`/photos/${access.photo.id}`, { token: access.owner.token })).json<Photo>()
}
const requireEmail = (isRequired: boolean) => change('/user/settings', { ask_email_to_receive_photo: isRequired })
const setHidden = (hidden: boolean) => change(`/photos/${access.photo.id}`, { hidden })

beforeAll(async () => {
  const owner = await makeUser(server)
  const make = async (width: number): Promise<Photo> => {
    const { id } = (await upload(server, owner, await jpeg({ width, height: 600 }))).json<Photo>()
    await server.work()
    return (await getPath(`/photos/${id}`, { token: owner.token })).json<Photo>()
  }
  const [photo, other] = [await make(2100), await make(2116)]
  full = (await getPath(pathOf(photo.b2_url))).rawPayload
  const grantOf = async ({ id }: Photo, hours = 72) =>
    (await createGrant(server, { photo: id, owner: owner.id, hours })).secret
  access = {
    photo,
    owner,
    code: bareOf(photo.qr_code_url).split('/').at(-1)!,
    oldUrl: String(photo.b2_url),
    oldScreenUrl: String(photo.screen_url),
    grant: await grantOf(photo),
    otherGrant: await grantOf(other),
    expiredGrant: await grantOf(photo, -1),
    gallery: await addToGallery(server, owner, photo.id),
  }
  // Makes the URLs from above old: each change of the setting increases the media epoch.
  await requireEmail(true)
  await requireEmail(false)
})

/** Whether a body contains a part of the full-size image. */
const containsImage = (body: Buffer): boolean =>
  [0.3, 0.5, 0.7].some((part) => {
    const at = Math.floor(full.length * part)
    return body.includes(full.subarray(at, at + 64))
  })
function outcomeOf({ headers, rawPayload, statusCode }: Awaited<ReturnType<typeof getPath>>): Outcome {
  if (containsImage(rawPayload)) return 'full image'
  const byStatus: Record<number, Outcome> = { 302: 'redirect', 404: 'not found', 401: 'unauthorized' }
  return byStatus[statusCode] ?? (headers['content-type']?.startsWith('image/') ? 'small image' : 'page')
}

test('the matrix has a row for every path of the contract', () => {
  const covered = new Set([...rows.map(([path]) => path), ...pathsWithoutPhotos])
  const gets = endpoints.filter(({ method }: Endpoint) => method === 'GET').map(({ path }) => path)
  expect(gets.filter((path) => !covered.has(path))).toEqual([])
})

describe.each([
  ['the owner does not require an email address', 0],
  ['the owner requires an email address', 1],
  ['the photo is hidden', 2],
] as const)('while %s', (_, column) => {
  const entityTags = new Map<string, string>()
  beforeAll(async () => {
    await requireEmail(column === 1)
    if (column !== 2) return
    for (const url of [`/d/${access.code}`, bareOf(access.photo.thumbnail_url), `/g/${access.grant}/download`])
      entityTags.set(url, String((await getPath(url)).headers.etag))
    await setHidden(true)
  })
  afterAll(() => setHidden(false))

  test.each(rows)('%s answers as in the matrix', async (_path, urlOf, actor, answers) => {
    const url = urlOf(access)
    const answer = await getPath(url, actor === 'owner' ? { token: access.owner.token } : {})
    expect([actor, url, outcomeOf(answer)]).toEqual([actor, url, answers[column]])
  })

  if (column !== 2) return
  test('its owner can still see it, at URLs that only the owner has', async () => {
    expect(access.photo.hidden).toBe(true)
    expect((await getPath(pathOf(access.photo.thumbnail_url))).headers['content-type']).toBe('image/webp')
    expect(outcomeOf(await getPath(pathOf(access.photo.b2_url)))).toBe('full image')
  })

  test('a browser that has a copy is not told that it may keep using it', async () => {
    for (const [url, entityTag] of entityTags) {
      expect(entityTag).toMatch(/^"[\w-]+"$/)
      expect([url, await statusOf(url, { headers: { 'if-none-match': entityTag } })]).toEqual([url, 404])
    }
  })

  test('it cannot be requested or reported', async () => {
    for (const [call, body] of [
      ['request-email', { email: 'lotte@example.com' }],
      ['report', { reason: 'me' }],
    ] as const) {
      const answer = await server.request({ method: 'POST', url: `/photos/${access.photo.id}/${call}`, body })
      expect(answer.statusCode).toBe(404)
    }
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
const requestKinds: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> }[] = [
  {},
  { method: 'HEAD' },
  { headers: { range: 'bytes=1000-' } },
  { headers: { range: 'bytes=-20000' } },
  { headers: { 'if-none-match': '*' } },
  { headers: { range: 'bytes=0-', 'if-range': '"x"' } },
  { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } },
  { headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2)' } },
  { headers: { 'sec-fetch-dest': 'image' } },
]

test('while the owner requires an email address, no spelling of a URL and no kind of request returns the full-size image', async () => {
  await requireEmail(true)
  const starts = [
    `/d/${access.code}`,
    pathOf(access.oldUrl),
    pathOf(access.oldScreenUrl),
    `/d/${access.code}?screen=1`,
    `${access.gallery}/screen`,
    `${access.gallery}/download`,
    bareOf(access.photo.b2_url),
    bareOf(access.photo.thumbnail_url),
    `/g/${access.expiredGrant}/download`,
    `/g/${access.code}/download`,
    `/request-photo/${access.photo.id}`,
    `/photos/${access.photo.id}`,
    `/photos/${access.photo.id}/public`,
    '/photos/latest',
    '/photos',
  ]
  for (const start of starts) {
    for (const [at, url] of [start, ...spellings(start)].entries()) {
      // Other spellings are tried by every kind of request in the long run, and by GET and one more in the short one.
      const kinds = at === 0 || isRecord ? requestKinds : [{}, requestKinds[1 + (at % 8)]]
      for (const how of kinds) {
        const answer = await getPath(url, how)
        expect([url, how, containsImage(answer.rawPayload)]).toEqual([url, how, false])
        expect(answer.statusCode).toBeLessThan(500)
        // Nor its size.
        expect(answer.headers['content-length']).not.toBe(String(full.length))
      }
    }
  }
})

test('the link for one photo does not open another', async () => {
  const answer = await getPath(`/g/${access.otherGrant}/download`)
  expect([answer.statusCode, containsImage(answer.rawPayload)]).toEqual([200, false])
})

test('changing the setting closes or opens printed codes, and invalidates older URLs, within a second', async () => {
  await requireEmail(false)
  const before = access.photo.b2_url
  const code = async () => outcomeOf(await getPath(`/d/${access.code}`))
  for (const isRequired of [true, false, true]) {
    expect(await code()).toBe(isRequired ? 'full image' : 'redirect')
    await requireEmail(isRequired)
    const began = performance.now()
    await expect.poll(code, { interval: 5 }).toBe(isRequired ? 'redirect' : 'full image')
    expect(performance.now() - began).toBeLessThan(promisedMs(1_000))
    expect(await statusOf(pathOf(before))).toBe(404)
    expect(outcomeOf(await getPath(pathOf(access.photo.b2_url)))).toBe('full image')
  }
  // Saving the same setting again keeps URLs valid.
  const kept = access.photo.b2_url
  await requireEmail(true)
  expect(access.photo.b2_url).toBe(kept)
})

test('the link of an email works any number of times, until the photo is deleted or the account deactivated', async () => {
  const link = `/g/${access.grant}`
  for (let n = 0; n < 5; n++)
    expect([await statusOf(link), await statusOf(link, { method: 'HEAD' })]).toEqual([200, 200])
  for (const [isActive, status] of [
    [false, 404],
    [true, 200],
  ] as const) {
    await server.app.deps.pool.query('update users set is_active = $2 where id = $1', [access.owner.id, isActive])
    await publish(server.db, { kind: 'user', user: access.owner.id })
    await expect.poll(() => statusOf(link), { interval: 5 }).toBe(status)
    expect(await statusOf(`${link}/download`)).toBe(status)
  }
  await server.request({ method: 'DELETE', url: `/photos/${access.photo.id}`, token: access.owner.token })
  for (const url of [link, `${link}/download`, `/request-photo/${access.photo.id}`])
    expect(await statusOf(url)).toBe(404)
})

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.app.deps.pool.query<Row>(text, values)).rows
const photoOf = async ({ token }: TestUser, id: string): Promise<Photo> =>
  (await server.request({ method: 'GET', url: `/photos/${id}`, token })).json()
const keysIn = <Key extends string>(table: Record<Key, unknown>): Key[] => Object.keys(table) as Key[] // has no other
const verbs = {
  GET: {},
  HEAD: {},
  range: { range: 'bytes=200-' },
  conditional: { 'if-none-match': '*' },
} as const

describe('a photo that is hidden', () => {
  const setHidden = (owner: TestUser, id: string, hidden: boolean) =>
    server.request({ method: 'PUT', url: `/photos/${id}`, token: owner.token, body: { hidden } })

  /** An owner with a plan, a photo that was reported, an operator, and a key. */
  async function makePhoto() {
    const [owner, operator] = [await makeUser(server), await makeOperator(server)]
    await query('update users set email_verified_at = now() where id = $1', [owner.id])
    await grantPlan(server, owner, 'pro_yearly')
    const { key } = await createKey(server, owner, { name: 'Booth' })
    const other = (await upload(server, owner, await jpeg({ width: 64, height: 64 }))).json<Photo>()
    const { id } = (await upload(server, owner, await jpeg({ width: 2100, height: 600 }))).json<Photo>()
    await server.work()
    await server.request({ method: 'POST', url: `/photos/${id}/report`, body: { reason: 'me' } })
    const decide = (decision: 'hide' | 'show') =>
      callOperator(server, operator, `photos/${id}/${decision}`, { reason: 'Complaint 12', message: 'Asked for' })
    const byKey = async (): Promise<{ photos: Photo[]; total: number }> =>
      (await server.request({ method: 'GET', url: '/api/photos', headers: { 'api-key': key } })).json()
    const reported = async (): Promise<ReportedPhoto | undefined> =>
      (await callOperator(server, operator, 'reports'))
        .json<{ photos: ReportedPhoto[] }>()
        .photos.find(({ report }) => report.photo.id === id)
    return { owner, operator, key, id, other: other.id, decide, byKey, reported }
  }

  const states = [
    'shown',
    'hidden by its owner',
    'shown again',
    'hidden by its owner once more',
    'hidden by an operator',
    'hidden by its owner alone',
    'shown for good',
  ] as const
  type State = (typeof states)[number]
  const [ownerHides, ownerHidesAgain, byOperator, ownerAlone] = [states[1], states[3], states[4], states[5]]
  const whileShown: readonly State[] = [states[0], states[2], states[6]]

  /** Each address that somebody has, and the states in which it answers. */
  const openIn: Record<string, readonly State[]> = {
    'full image, from before': whileShown,
    'image for screens, from before': whileShown,
    'thumbnail, from before': whileShown,
    'the direct code': whileShown,
    'the request page': whileShown,
    'the public details': whileShown,
    'the image for screens of the direct code': whileShown,
    'the image for screens of a grant': whileShown,
    'the page of a grant': whileShown,
    'the download of a grant': whileShown,
    // Of the first time that the owner hid it.
    'full image, of the first time': [ownerHides],
    'image for screens, of the first time': [ownerHides],
    'thumbnail, of the first time': [...whileShown, ownerHides],
    'operator’s thumbnail, of the first time': [...whileShown, ownerHides],
    // The operator leaves `hidden_at` as the owner set it.
    'full image, of the second time': [ownerHidesAgain, ownerAlone],
    'image for screens, of the second time': [ownerHidesAgain, ownerAlone],
    'thumbnail, of the second time': [...whileShown, ownerHidesAgain, ownerAlone],
    'operator’s thumbnail, of the second time': [...whileShown, ownerHidesAgain, byOperator, ownerAlone],
  }
  test('who asks for what, how, and while who hides the photo', async () => {
    const { owner, operator, key, id, other, decide, byKey, reported } = await makePhoto()
    const before = await photoOf(owner, id)
    const full = (await server.request({ method: 'GET', url: pathOf(before.b2_url) })).rawPayload
    const thumbnail = (await server.request({ method: 'GET', url: pathOf(before.thumbnail_url) })).rawPayload
    const screen = (await server.request({ method: 'GET', url: pathOf(before.screen_url) })).rawPayload
    const hasBytes = (body: Buffer): boolean =>
      [full, screen, thumbnail].some((file) => body.includes(file.subarray(file.length >> 1, (file.length >> 1) + 64)))
    const { secret: grant } = await createGrant(server, { photo: id, owner: owner.id })
    const addresses: Record<string, string> = {
      'full image, from before': pathOf(before.b2_url),
      'image for screens, from before': pathOf(before.screen_url),
      'thumbnail, from before': pathOf(before.thumbnail_url),
      'the direct code': `/d/${before.qr_code_url.split('/').at(-1)}`,
      'the request page': `/request-photo/${id}`,
      'the public details': `/photos/${id}/public`,
      'the image for screens of the direct code': `/d/${before.qr_code_url.split('/').at(-1)}?screen=1`,
      'the image for screens of a grant': `/g/${grant}/download?screen=1`,
      'the page of a grant': `/g/${grant}`,
      'the download of a grant': `/g/${grant}/download`,
    }
    const callers = {
      stranger: {},
      owner: { authorization: `Bearer ${owner.token}` },
      key: { 'api-key': key },
      operator: { authorization: `Bearer ${operator.token}` },
    }
    const noteAddresses = async (time: string): Promise<void> => {
      const [now, report] = [await photoOf(owner, id), await reported()]
      addresses[`full image, of the ${time} time`] = pathOf(now.b2_url)
      addresses[`image for screens, of the ${time} time`] = pathOf(now.screen_url)
      addresses[`thumbnail, of the ${time} time`] = pathOf(now.thumbnail_url)
      addresses[`operator’s thumbnail, of the ${time} time`] = pathOf(report!.report.photo.thumbnail_url)
    }
    const archive = async () => {
      const answer = await server.request({ method: 'GET', url: `/export/${exported}` })
      return answer.statusCode === 200 ? answer.rawPayload.includes(full) : answer.statusCode
    }
    await server.request({ method: 'POST', url: '/user/export', token: owner.token })
    await server.work()
    const exported = await newestSecret(server, owner.email, '/export/')

    const enter: Record<State, () => Promise<unknown>> = {
      shown: async () => {},
      'hidden by its owner': () => setHidden(owner, id, true).then(() => noteAddresses('first')),
      'shown again': () => setHidden(owner, id, false),
      'hidden by its owner once more': () => setHidden(owner, id, true).then(() => noteAddresses('second')),
      'hidden by an operator': () => decide('hide'),
      'hidden by its owner alone': () => decide('show'),
      'shown for good': () => setHidden(owner, id, false),
    }
    const wrong: unknown[] = []
    for (const state of states) {
      const isShown = whileShown.includes(state)
      const guest = `${states.indexOf(state)}@example.com`
      const askByEmail = () =>
        server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email: guest } })
      const asked = [(await askByEmail()).statusCode]
      await enter[state]()
      asked.push((await askByEmail()).statusCode)
      // Taken back at once, and made again without the photo under the same link.
      const archiveBefore = await archive()
      expect([state, archiveBefore]).toEqual([state, state === byOperator ? 404 : states.indexOf(state) < 4])
      await server.work()
      const ask = async (what: string, who: keyof typeof callers, how: keyof typeof verbs): Promise<void> => {
        const method = how === 'HEAD' ? 'HEAD' : 'GET'
        const headers = { ...verbs[how], ...callers[who] }
        const { statusCode, rawPayload } = await server.request({ method, url: addresses[what]!, headers })
        const isOpen = statusCode < 400
        const isRight = isOpen ? openIn[what]?.includes(state) : !openIn[what]?.includes(state) && statusCode === 404
        if (!isRight || (!isOpen && hasBytes(rawPayload))) wrong.push([state, what, who, how, statusCode])
      }
      for (const what of Object.keys(addresses))
        await Promise.all(keysIn(callers).flatMap((who) => keysIn(verbs).map((how) => ask(what, who, how))))
      // What lists give out.
      const mine = await photoOf(owner, id)
      const keyed = await byKey()
      const isListed = state !== byOperator
      expect([state, mine.b2_url !== null, mine.screen_url !== null, mine.thumbnail_url !== null]).toEqual([
        state,
        isListed,
        isListed,
        isListed,
      ])
      expect(mine).toMatchObject({ hidden: !isShown, processing_complete: true, width: 2100 })
      const decisions: Partial<Record<State, string>> = {
        [byOperator]: 'hide',
        [ownerAlone]: 'show',
        [states[6]]: 'show',
      }
      expect(mine.operator_decision?.decision).toBe(decisions[state])
      expect([state, keyed.photos.map((photo) => photo.id), keyed.total]).toEqual([
        state,
        isListed ? [id, other] : [other],
        isListed ? 2 : 1,
      ])
      const given = [mine.b2_url, mine.screen_url, mine.thumbnail_url, (await reported())!.report.photo.thumbnail_url]
      const statuses = given.map(
        async (url) => url && (await server.request({ method: 'GET', url: pathOf(url) })).statusCode,
      )
      expect([state, await Promise.all(statuses)]).toEqual([
        state,
        isListed ? [200, 200, 200, 200] : [null, null, null, 200],
      ])
      expect([state, await archive()]).toEqual([state, states.indexOf(state) < 4])
      const emails = await query<{ state: string }>('select state from emails where recipient = $1', [guest])
      // Requested before the photo was hidden, and composed afterwards: the email is not sent.
      const wasShown = state === states[0] || whileShown.includes(states[states.indexOf(state) - 1] ?? state)
      expect([state, asked, emails.map((email) => email.state)]).toEqual([
        state,
        [wasShown ? 200 : 404, isShown ? 200 : 404],
        isShown ? ['sent'] : wasShown ? ['failed'] : [],
      ])
    }
    expect(wrong).toEqual([])
  })

  test.each(['owner', 'operator'] as const)(
    'a download under way ends within 5 s of its %s hiding the photo',
    async (who) => {
      const { owner, id, decide } = await makePhoto()
      const { b2_url: url } = await photoOf(owner, id)
      const [photo] = await query<{ full_key: string }>('select full_key from photos where id = $1', [id])
      // More than all buffers on the way can take.
      const bytes = 64 * 1024 * 1024
      await truncate(storedFilePath(server, photo!.full_key), bytes)
      await query('update photos set full_bytes = $2 where id = $1', [id, bytes])
      server.app.deps.mediaCache.invalidatePhoto(id)
      const paused = request((await server.listen()) + pathOf(url), { headers: { host: 'photos.test' } })
      paused.on('error', () => {}).end()
      const [answer] = await once(paused, 'response')
      expect(answer.headers['content-length']).toBe(String(bytes))
      const ended = once(answer, 'error')
      await (who === 'owner' ? setHidden(owner, id, true) : decide('hide'))
      const began = performance.now()
      let read = 0
      answer.on('data', (chunk: Buffer) => (read += chunk.length))
      await ended
      expect(performance.now() - began).toBeLessThan(5_000)
      expect(read).toBeLessThan(bytes)
    },
  )
})

test('a photo of a deleted event, one that waits for its review and a rejected one do not exist, whoever asks for what', async () => {
  const [owner, operator] = [await makeUser(server), await makeOperator(server)]
  await query('update users set email_verified_at = now() where id = $1', [owner.id])
  await grantPlan(server, owner, 'pro_yearly')
  const { key } = await createKey(server, owner)
  const asOwner = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    server.request({ method, url, token: owner.token, ...(body && { body }) })
  const event = (await asOwner('POST', '/user/events', { name: 'Summer party' })).json<{ id: string }>().id
  const { id } = (await upload(server, owner, await jpeg({ width: 2100, height: 600 }))).json<Photo>()
  await server.work()
  await query('update photos set event_id = $2 where id = $1', [id, event])
  const photo = await photoOf(owner, id)
  const bytes = await Promise.all(
    [photo.b2_url, photo.thumbnail_url, photo.screen_url].map(async (url) => (await getPath(pathOf(url))).rawPayload),
  )
  const hasBytes = (body: Buffer): boolean =>
    bytes.some((file) => body.includes(file.subarray(file.length >> 1, (file.length >> 1) + 64)))
  await server.request({ method: 'POST', url: `/photos/${id}/report`, body: { reason: 'me' } })
  const { guestActivity, mediaCache } = server.app.deps
  guestActivity.add({ photoId: id, userId: owner.id }, 'downloads')
  const { secret: grant } = await createGrant(server, { photo: id, owner: owner.id })
  const zip = (await asOwner('POST', '/photos/archive', { ids: [id] })).json<{ url: string }>().url
  const code = photo.qr_code_url.split('/').at(-1)!.replace('.png', '')
  const pictures = [photo.b2_url, photo.screen_url, photo.thumbnail_url, photo.qr_code_url, photo.email_qr_code_url]
  const addresses = [
    ...[...pictures, zip].map(pathOf),
    `/d/${code}`,
    `/d/${code}?screen=1`,
    `/request-photo/${id}`,
    `/photos/${id}/public`,
    `/g/${grant}`,
    `/g/${grant}/download`,
    `/g/${grant}/download?screen=1`,
  ]
  const callers = {
    stranger: {},
    owner: { authorization: `Bearer ${owner.token}` },
    key: { 'api-key': key },
    operator: { authorization: `Bearer ${operator.token}` },
  }
  const lists: [url: string, headers: Record<string, string>][] = [
    ...[
      '/photos',
      '/photos/latest',
      '/user/photo-requests',
      '/user/photo-requests/export',
      '/user/reports',
      '/user/insights',
    ].map((url): [string, Record<string, string>] => [url, callers.owner]),
    ...['/api/photos', '/api/photos/latest'].map((url): [string, Record<string, string>] => [url, callers.key]),
    ['/api/operator/reports', callers.operator],
  ]
  /** What its owner, an operator and guests do with it. */
  const acts: [status: number, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object][] = [
    [404, 'GET', `/photos/${id}`],
    [404, 'PUT', `/photos/${id}`, { hidden: true }],
    [404, 'DELETE', `/photos/${id}`],
    [404, 'POST', `/photos/${id}/retry`],
    [404, 'POST', `/photos/${id}/decision`, { decision: 'hide' }],
    [404, 'POST', '/photos/archive', { ids: [id] }],
    [404, 'POST', `/photos/${id}/request-email`, { email: 'late@example.com' }],
    [404, 'POST', `/photos/${id}/report`, { reason: 'other' }],
    [404, 'POST', `/photos/${id}/visits?by=code`],
  ]
  const setReview = async (review: string): Promise<void> => {
    await query(`update photos set source = 'guest', review = $2 where id = $1`, [id, review])
    mediaCache.invalidatePhoto(id)
  }
  const states: [state: string, isListed: boolean, enter: () => Promise<unknown>][] = [
    ['listed', true, async () => {}],
    ['of a deleted event', false, () => asOwner('DELETE', `/user/events/${event}`)],
    ['of an event that is back', true, () => asOwner('POST', `/user/events/${event}/undo-delete`)],
    ['waiting', false, () => setReview('waiting')],
    ['approved', true, () => setReview('approved')],
    ['rejected', false, () => setReview('rejected')],
  ]
  const wrong: unknown[] = []
  for (const [at, [state, isListed, enter]] of states.entries()) {
    const guest = `unlisted-${at}@example.com`
    const asked = await server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email: guest } })
    await enter()
    await server.work()
    // Asked for before, and composed afterwards.
    const [email] = await query<{ state: string }>('select state from emails where recipient = $1', [guest])
    const wasListed = at === 0 || states[at - 1]![1]
    expect([state, asked.statusCode, email?.state]).toEqual([
      state,
      wasListed ? 200 : 404,
      wasListed ? (isListed ? 'sent' : 'failed') : undefined,
    ])
    for (const url of addresses)
      for (const who of keysIn(callers))
        for (const how of keysIn(verbs)) {
          const method = how === 'HEAD' ? 'HEAD' : 'GET'
          const answer = await server.request({ method, url, headers: { ...verbs[how], ...callers[who] } })
          const isRight = isListed ? answer.statusCode < 400 : answer.statusCode === 404 && !hasBytes(answer.rawPayload)
          if (!isRight) wrong.push([state, url, who, how, answer.statusCode])
        }
    for (const [url, headers] of lists) {
      const { body } = await server.request({ method: 'GET', url, headers })
      if (body.includes(id) !== isListed) wrong.push([state, url])
    }
    const { photo_count } = (await asOwner('GET', '/user/me')).json<{ photo_count: number }>()
    if (photo_count !== Number(isListed)) wrong.push([state, 'photo_count', photo_count])
    if (isListed) continue
    for (const [status, method, url, body] of acts) {
      const answer = await asOwner(method, url, body)
      if (answer.statusCode !== status || hasBytes(answer.rawPayload))
        wrong.push([state, method, url, answer.statusCode])
    }
    for (const action of ['hide', 'show', 'delete']) {
      const { results } = (await asOwner('POST', '/photos/bulk', { action, ids: [id] })).json<{ results: object[] }>()
      if (JSON.stringify(results) !== JSON.stringify([{ id, outcome: 'not found' }]))
        wrong.push([state, action, results])
    }
    const hidden = await callOperator(server, operator, `photos/${id}/hide`, { reason: 'Complaint 12' })
    if (hidden.statusCode !== 404) wrong.push([state, 'operator hides', hidden.statusCode])
  }
  expect(wrong).toEqual([])
})
