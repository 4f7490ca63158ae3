import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all } from '@keepsnap/contract/all.ts'
import type { Shape } from '@keepsnap/contract/endpoint.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/pictures.ts'
import { publish } from '../../live/bus.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantFor, makeUser, upload, type TestUser } from '../../test/makers.ts'

/** Everything a printed code, a letter, an old page or a guess could hold. */
interface Held {
  photo: Photo
  owner: TestUser
  code: string
  /** Its b2_url from before the setting was switched. */
  old: string
  /** A letter's secret for this photo, one for another photo, and one that has expired. */
  grant: string
  foreign: string
  expired: string
}
type Actor = 'stranger' | 'owner' | 'letter'
type Outcome = 'bytes' | 'ask' | 'nothing' | 'page' | 'picture' | 'refused'

/** What a path answers: [actor, gate off, gate on, hidden while off]. Only `bytes` is the full-size image. */
interface Row {
  path: string
  address: (held: Held) => string
  answers: readonly (readonly [Actor, Outcome, Outcome, Outcome])[]
}

const pathOf = (address: string): string => new URL(address).pathname + new URL(address).search
const rows: Row[] = [
  {
    path: '/d/:code',
    address: ({ code }) => `/d/${code}`,
    answers: [
      ['stranger', 'bytes', 'ask', 'nothing'],
      ['owner', 'bytes', 'ask', 'nothing'],
    ],
  },
  {
    path: '/media/:code',
    address: ({ photo }) => pathOf(photo.b2_url!),
    // Whoever was given the owner's own address by the owner; each answer of the API carries one that holds now.
    answers: [['owner', 'bytes', 'bytes', 'bytes']],
  },
  { path: '/media/:code', address: ({ old }) => pathOf(old), answers: [['stranger', 'nothing', 'nothing', 'nothing']] },
  {
    path: '/media/:code',
    address: ({ photo }) => new URL(photo.b2_url!).pathname,
    answers: [['stranger', 'nothing', 'nothing', 'nothing']],
  },
  {
    path: '/t/:code',
    address: ({ photo }) => new URL(photo.thumbnail_url!).pathname,
    answers: [['stranger', 'picture', 'picture', 'nothing']],
  },
  {
    path: '/qr/d/:code',
    address: ({ photo }) => pathOf(photo.qr_code_url),
    answers: [['stranger', 'picture', 'picture', 'picture']],
  },
  {
    path: '/qr/r/:code',
    address: ({ photo }) => pathOf(photo.email_qr_code_url),
    answers: [['stranger', 'picture', 'picture', 'picture']],
  },
  {
    path: '/request-photo/:id',
    address: ({ photo }) => `/request-photo/${photo.id}`,
    answers: [['stranger', 'page', 'page', 'nothing']],
  },
  {
    path: '/photos/:id/public',
    address: ({ photo }) => `/photos/${photo.id}/public`,
    answers: [['stranger', 'page', 'page', 'nothing']],
  },
  { path: '/g/:grant', address: ({ grant }) => `/g/${grant}`, answers: [['letter', 'page', 'page', 'nothing']] },
  {
    path: '/g/:grant/download',
    address: ({ grant }) => `/g/${grant}/download`,
    answers: [['letter', 'bytes', 'bytes', 'nothing']],
  },
  {
    path: '/g/:grant/download',
    address: ({ expired }) => `/g/${expired}/download`,
    answers: [['stranger', 'nothing', 'nothing', 'nothing']],
  },
  {
    path: '/g/:grant/download',
    address: ({ code }) => `/g/${code}/download`,
    answers: [['stranger', 'nothing', 'nothing', 'nothing']],
  },
  {
    path: '/photos/:id',
    address: ({ photo }) => `/photos/${photo.id}`,
    answers: [
      ['owner', 'page', 'page', 'page'],
      ['stranger', 'refused', 'refused', 'refused'],
    ],
  },
]

/** Paths that take or give no picture of a photo. A path that is in neither list fails the build. */
const without = new Set([
  'GET /health',
  'GET /ready',
  'GET /user/me',
  'GET /photos',
  'GET /photos/latest',
  'GET /user/photo-requests',
  'GET /user/photo-requests/export',
  'GET /user/reports',
  'GET /user/insights',
  'GET /user/sessions',
  'GET /user/watermark',
  // For the owner alone, and never larger than a screen.
  'GET /user/watermark/preview',
  // A logo or a background.
  'GET /b/:code',
  // Says of an address whether it takes photos, to whoever has a letter to it.
  'GET /stop/:secret',
  'GET /stop/:secret/undo',
  'GET /stop/*',
  'GET /user/export',
  // The archive holds the owner's own photos, for whoever has the letter to the owner.
  'GET /export/:secret',
])

let server: TestServer
let full: Buffer
let held: Held
const size = { width: 1500, height: 1000 }

const call = (url: string, more: { method?: 'GET' | 'HEAD'; headers?: Record<string, string>; token?: string } = {}) =>
  server.request({ method: more.method ?? 'GET', url, headers: more.headers ?? {}, token: more.token })

const reread = async (): Promise<void> => {
  held.photo = (await call(`/photos/${held.photo.id}`, { token: held.owner.token })).json<Photo>()
}
async function ask(asks: boolean): Promise<void> {
  const answer = await server.request({
    method: 'PUT',
    url: '/user/settings',
    token: held.owner.token,
    body: { ask_email_to_receive_photo: asks },
  })
  expect(answer.statusCode).toBe(200)
  await reread()
}
async function decide(decision: 'hide' | 'keep'): Promise<void> {
  const url = `/photos/${held.photo.id}/decision`
  const answer = await server.request({ method: 'POST', url, token: held.owner.token, body: { decision } })
  expect(answer.statusCode).toBe(200)
  await reread()
}

beforeAll(async () => {
  server = await startServer()
  const owner = await makeUser(server)
  const make = async (seed: number): Promise<Photo> => {
    const { id } = (await upload(server, owner, await jpeg({ ...size, width: size.width + seed }))).json<Photo>()
    await server.work()
    return (await call(`/photos/${id}`, { token: owner.token })).json<Photo>()
  }
  const [photo, other] = [await make(0), await make(16)]
  full = (await call(pathOf(photo.b2_url!))).rawPayload
  held = {
    photo,
    owner,
    code: new URL(photo.qr_code_url).pathname.split('/').at(-1)!,
    old: photo.b2_url!,
    grant: (await grantFor(server, { photo: photo.id, owner: owner.id })).secret,
    foreign: (await grantFor(server, { photo: other.id, owner: owner.id })).secret,
    expired: (await grantFor(server, { photo: photo.id, owner: owner.id, hours: -1 })).secret,
  }
  // From here on the first addresses are from before the switch.
  await ask(true)
  await ask(false)
})
afterAll(() => server.close())

/** Any sixty-four bytes out of the middle of the picture. */
const holdsPicture = (body: Buffer): boolean =>
  [0.3, 0.5, 0.7].some((part) => {
    const at = Math.floor(full.length * part)
    return body.includes(full.subarray(at, at + 64))
  })

function outcomeOf(answer: Awaited<ReturnType<typeof call>>): Outcome {
  const type = answer.headers['content-type'] ?? ''
  if (holdsPicture(answer.rawPayload)) return 'bytes'
  if (answer.statusCode === 302) return 'ask'
  if (answer.statusCode === 404) return 'nothing'
  if (answer.statusCode === 401) return 'refused'
  return type.startsWith('image/') ? 'picture' : 'page'
}

test('every path of the contract has a row here', () => {
  const known = new Set([...rows.map(({ path }) => `GET ${path}`), ...without])
  const gets = all.filter(({ method }: Shape) => method === 'GET').map(({ path }) => `GET ${path}`)
  expect(gets.filter((name) => !known.has(name))).toEqual([])
})

describe.each([
  ['off', 1, false],
  ['on', 2, true],
] as const)('while the gate is %s', (_, column, asks) => {
  beforeAll(() => ask(asks))

  test.each(rows.flatMap((row) => row.answers.map((answer) => [row.path, row, answer] as const)))(
    '%s answers as the matrix says',
    async (_path, row, answer) => {
      const [actor] = answer
      const got = await call(row.address(held), actor === 'owner' ? { token: held.owner.token } : {})
      expect([actor, row.address(held), outcomeOf(got)]).toEqual([actor, row.address(held), answer[column]])
    },
  )
})

describe('while a photo is hidden', () => {
  beforeAll(async () => {
    await ask(false)
    await decide('hide')
  })
  afterAll(() => decide('keep'))

  test.each(rows.flatMap((row) => row.answers.map((answer) => [row.path, row, answer] as const)))(
    '%s answers as the matrix says',
    async (_path, row, answer) => {
      const [actor] = answer
      const got = await call(row.address(held), actor === 'owner' ? { token: held.owner.token } : {})
      expect([actor, row.address(held), outcomeOf(got)]).toEqual([actor, row.address(held), answer[3]])
    },
  )

  test('its owner goes on seeing it, by addresses of the owner alone', async () => {
    expect(held.photo.hidden).toBe(true)
    expect((await call(pathOf(held.photo.thumbnail_url!))).headers['content-type']).toBe('image/webp')
    expect(outcomeOf(await call(pathOf(held.photo.b2_url!)))).toBe('bytes')
  })

  test('it takes no requests and no reports', async () => {
    for (const [url, body] of [
      [`/photos/${held.photo.id}/request-email`, { email: 'lotte@example.com' }],
      [`/photos/${held.photo.id}/report`, { reason: 'me' }],
    ] as const)
      expect((await server.request({ method: 'POST', url, body })).statusCode).toBe(404)
  })
})

/** Ways of writing an address, and of asking for it, that must not lead around the gate. */
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
const asked: [string, { method?: 'GET' | 'HEAD'; headers?: Record<string, string> }][] = [
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

test('with the gate on, no spelling and no way of asking gives a stranger the full-size image', async () => {
  await ask(true)
  const starts = [
    `/d/${held.code}`,
    pathOf(held.old),
    new URL(held.photo.b2_url!).pathname,
    new URL(held.photo.thumbnail_url!).pathname,
    `/g/${held.expired}/download`,
    `/g/${held.code}/download`,
    `/request-photo/${held.photo.id}`,
    `/photos/${held.photo.id}`,
    `/photos/${held.photo.id}/public`,
    `/photos/latest`,
    '/photos',
  ]
  let tried = 0
  for (const start of starts) {
    for (const url of [start, ...spellings(start)]) {
      for (const [, how] of asked) {
        const answer = await call(url, how)
        tried += 1
        expect([url, how, holdsPicture(answer.rawPayload)]).toEqual([url, how, false])
        expect(answer.statusCode).toBeLessThan(500)
        // Not even the size of it.
        expect(answer.headers['content-length']).not.toBe(String(full.length))
      }
    }
  }
  expect(tried).toBeGreaterThan(1_000)
})

test('a letter for one photo gives no other', async () => {
  const answer = await call(`/g/${held.foreign}/download`)
  expect(answer.statusCode).toBe(200)
  expect(holdsPicture(answer.rawPayload)).toBe(false)
})

test('switching closes printed codes and addresses handed out before within a second, over every node', async () => {
  await ask(false)
  const before = held.photo.b2_url!
  for (const asks of [true, false, true]) {
    const open = outcomeOf(await call(`/d/${held.code}`))
    await ask(asks)
    const began = performance.now()
    await expect.poll(async () => outcomeOf(await call(`/d/${held.code}`))).toBe(asks ? 'ask' : 'bytes')
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(open).not.toBe(asks ? 'ask' : 'bytes')
    expect((await call(pathOf(before))).statusCode).toBe(404)
    expect(outcomeOf(await call(pathOf(held.photo.b2_url!)))).toBe('bytes')
  }
})

test('saving the same setting again leaves addresses as they are', async () => {
  await ask(true)
  const before = held.photo.b2_url
  await ask(true)
  expect(held.photo.b2_url).toBe(before)
})

const tellOf = ({ id }: TestUser) => publish(server.db, { kind: 'user', user: id })

test('a letter opens nothing any more when its photo is deleted or its owner deactivated', async () => {
  expect((await call(`/g/${held.grant}`)).statusCode).toBe(200)
  for (let n = 0; n < 5; n++) expect((await call(`/g/${held.grant}`, { method: 'HEAD' })).statusCode).toBe(200)
  await server.app.deps.pool.query('update users set is_active = false where id = $1', [held.owner.id])
  await tellOf(held.owner)
  await expect.poll(async () => (await call(`/g/${held.grant}`)).statusCode).toBe(404)
  expect((await call(`/g/${held.grant}/download`)).statusCode).toBe(404)
  await server.app.deps.pool.query('update users set is_active = true where id = $1', [held.owner.id])
  await tellOf(held.owner)
  await expect.poll(async () => (await call(`/g/${held.grant}/download`)).statusCode).toBe(200)
  await server.request({ method: 'DELETE', url: `/photos/${held.photo.id}`, token: held.owner.token })
  for (const url of [`/g/${held.grant}`, `/g/${held.grant}/download`, `/request-photo/${held.photo.id}`])
    expect((await call(url)).statusCode).toBe(404)
})
