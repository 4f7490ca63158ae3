import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { iPhoneAgent } from '../e2e/guest-phone.ts'
import { forEachConcurrently } from '../server/lib/concurrency.ts'
import { newId } from '../server/lib/ids.ts'
import { startStripeDouble } from '../server/test/stripe-double.ts'
import { startBaseline } from './baselines.ts'
import { measureRate, type RequestLoad } from './load.ts'
import {
  alwaysBelow,
  atLeast,
  atMost,
  type BenchmarkPart,
  type BenchOptions,
  lineOf,
  measured,
  type Measurement,
  median,
  ratioAtLeast,
} from './results.ts'
import { sampleOf, smallPhoto, startTestServer, type TestServer, type TestUser } from './server.ts'

const listedPhotos = 24
const largePhotos = 4
const connections = 20
const userCount = 20
const strangerConnections = 32
const webhooks = 2_000

const pathOf = (url: string | null): string => new URL(url!).pathname

/** Gives users as many photos as another one has, whose files do not exist, because nobody requests them. */
const copyPhotos = (server: TestServer, from: TestUser, to: readonly TestUser[]) =>
  server.database.query(
    `insert into photos (id, user_id, code, filename, state, created_at, counted_month, full_key, full_type, full_bytes,
       thumb_key, thumb_bytes, width, height, thumbhash)
     select left(md5(random()::text), 22), receiver, left(md5(random()::text), 22), filename, state, created_at, counted_month,
       'full/' || left(md5(random()::text), 22), full_type, full_bytes,
       'thumb/' || left(md5(random()::text), 22), thumb_bytes, width, height, thumbhash
     from photos, unnest($2::text[]) receiver where user_id = $1`,
    [from.id, to.map(({ id }) => id)],
  )

/** Gives users a request for each of their photos, whose email was sent. */
const addRequests = (server: TestServer) =>
  server.database.query(
    `with sent as (
       insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, state, give_up_at, sent_at)
       select id, 'photo', user_id, id, 'guest@example.com', 'guest@example.com', 'sent', now(), now() from photos returning id, user_id
     )
     insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version)
     select id, id, user_id, id, 'guest@example.com', 'guest@example.com', '1' from sent`,
  )

/** Lists, thumbnails and downloads, as fast as wrk can ask for them. */
async function measureRates(server: TestServer, { scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const [user, ...others] = (await server.createUsers(userCount)) as [TestUser, ...TestUser[]]
  const [small, large] = [await smallPhoto(), (await sampleOf('12 MP')).kept]
  for (let index = 0; index < listedPhotos; index++) await user.addPhoto(index < largePhotos ? large : small)
  const photos = await user.photos()
  const thumbnails = photos.map((photo) => pathOf(photo.thumbnail_url))
  const downloads = photos.slice(-largePhotos).map((photo) => pathOf(photo.qr_code_url).replace('/qr', ''))
  const dir = join(scratchDir, 'baseline')
  mkdirSync(dir)
  for (const path of [...thumbnails, ...downloads]) {
    const response = await fetch(`${server.address}${path}`)
    if (!response.ok) throw new Error(`the response of ${path} was ${response.status}`)
    writeFileSync(join(dir, path.replaceAll('/', '-')), Buffer.from(await response.arrayBuffer()))
  }
  const baseline = await startBaseline('files', dir)
  await copyPhotos(server, user, others)
  await addRequests(server)
  const one = [user.token]
  const all = [user, ...others].map(({ token }) => token)
  const onServer = (paths: string[], tokens: string[] = [], headers: Record<string, string> = {}) => ({
    address: server.address,
    paths,
    tokens,
    headers,
  })
  const onBaseline = (paths: string[]) => ({
    address: baseline.address,
    paths: paths.map((path) => `/${path.replaceAll('/', '-')}`),
  })
  const loads: Record<string, Pick<RequestLoad, 'address' | 'paths' | 'tokens' | 'headers'>> = {
    'GET /photos?limit=20, one user': onServer(['/photos?limit=20'], one),
    [`GET /photos?limit=20, ${userCount} users`]: onServer(['/photos?limit=20'], all),
    'GET /photos/latest, one user': onServer(['/photos/latest'], one),
    [`GET /photos/latest, ${userCount} users`]: onServer(['/photos/latest'], all),
    'GET /user/me, one user': onServer(['/user/me'], one),
    [`GET /user/me, ${userCount} users`]: onServer(['/user/me'], all),
    [`GET /user/photo-requests?limit=20, ${userCount} users`]: onServer(['/user/photo-requests?limit=20'], all),
    'request page': onServer([`/request-photo/${photos[0]!.id}`], [], browser.headers),
    'page of a scanned code, iPhone': onServer(downloads.slice(0, 1), [], iPhone.headers),
    'plans and prices': onServer(['/pricing'], [], browser.headers),
    'thumbnails of the baseline': onBaseline(thumbnails),
    thumbnails: onServer(thumbnails),
    'downloads of the baseline': onBaseline(downloads),
    'GET /d/{code}, 12 MP photos': onServer(downloads),
  }
  const rates: Record<string, number[]> = {}
  for (let round = 0; round < (quick ? 2 : 5); round++)
    for (const [name, load] of Object.entries(loads)) {
      const perSecond = await measureRate({ ...load, seconds: quick ? 2 : 3, connections })
      rates[name] = [...(rates[name] ?? []), perSecond]
      log(`${name}: ${perSecond.toFixed(0)} requests/s`)
    }
  await baseline.stop()
  const rateOf = (name: string): Measurement => measured(name, 'requests/s', rates[name]!)
  const compared = (name: string, reference: string, least = 0.6, shown = reference): Measurement =>
    ratioAtLeast(rateOf(name), { name: shown, runs: rates[reference]! }, least)
  return [
    ...Object.keys(loads)
      .filter((name) => name.startsWith('GET /photos'))
      .map((name) => atLeast(rateOf(name), 3_000)),
    compared('thumbnails', 'thumbnails of the baseline', 0.6, 'bare node:http'),
    compared('GET /d/{code}, 12 MP photos', 'downloads of the baseline', 0.6, 'bare node:http'),
    compared(`GET /photos?limit=20, ${userCount} users`, 'GET /photos?limit=20, one user'),
    compared('GET /user/me, one user', 'GET /photos/latest, one user', 0.5),
    compared(`GET /user/me, ${userCount} users`, `GET /photos/latest, ${userCount} users`, 0.5),
    compared(`GET /user/photo-requests?limit=20, ${userCount} users`, 'GET /photos/latest, one user', 0.2),
    compared('page of a scanned code, iPhone', 'request page', 0.7),
    compared('plans and prices', 'request page', 0.7),
  ]
}

/** Name, paths that are called in turn, and the status of the first response; later ones may reach a rate limit. */
type StrangerCall = [
  name: string,
  paths: string[],
  status: number,
  init?: Pick<RequestLoad, 'method' | 'headers' | 'body'>,
]

const post = (type: string, body: string) => ({ method: 'POST', headers: { 'content-type': type }, body })
const postJson = (body: object) => post('application/json', JSON.stringify(body))
const upload = (bytes: number) =>
  post(
    'multipart/form-data; boundary=x',
    `--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n${'j'.repeat(bytes)}\r\n--x--\r\n`,
  )
const browser = { headers: { accept: 'text/html', 'accept-encoding': 'gzip' } }
const iPhone = { headers: { ...browser.headers, 'user-agent': iPhoneAgent, 'sec-fetch-dest': 'document' } }

/** Every kind of call that anybody may make, about a photo that guests may see. */
function strangerCalls(photo: Photo): StrangerCall[] {
  const [code, requestCode] = [pathOf(photo.qr_code_url), pathOf(photo.email_qr_code_url)]
  const page = `/request-photo/${photo.id}`
  const unknown = Array.from({ length: 500 }, () => newId())
  return [
    ['QR code, PNG', [code], 200],
    ['QR code of the request page, PNG', [requestCode], 200],
    ['QR code, SVG', [`${code}.svg`], 200],
    ['QR code of nothing', unknown.map((id) => `/qr/d/${id}`), 404],
    ['upload without a token, 1 KB', ['/photos/upload'], 401, upload(1_000)],
    ['upload without a token, 1 MB', ['/photos/upload'], 401, upload(1_000_000)],
    ['request page', [page], 200, browser],
    ['request page of nothing', unknown.map((id) => `/request-photo/${id}`), 404, browser],
    ['request form with a bad address', [page], 422, post('application/x-www-form-urlencoded', 'email=nobody')],
    ['photo request with a bad address', [`/photos/${photo.id}/request-email`], 422, postJson({ email: 'nobody' })],
    ['page of a scanned code, iPhone', [code.replace('/qr', '')], 200, iPhone],
    ['public details', [`/photos/${photo.id}/public`], 200],
    ['thumbnail', [pathOf(photo.thumbnail_url)], 200],
    ['image with a wrong signature', [`${pathOf(photo.b2_url)}?s=${unknown[0]}`], 404],
    ['link of an email that is not valid', [`/g/${unknown[0]}`], 404, browser],
    ['own photos without a token', ['/photos'], 401],
    ['own photos with a wrong token', ['/photos'], 401, { headers: { authorization: 'Bearer wrong' } }],
    ['registration with a bad address', ['/register'], 422, postJson({ email: 'x', password: 'y' })],
    ['home page', ['/'], 200, browser],
    ['unknown page', ['/nowhere'], 404, browser],
    ['sample picture, page', ['/sample/dance'], 200, browser],
    ['sample picture, QR code', ['/qr/s/dance.svg'], 200],
    ['/health', ['/health'], 200],
    ['/ready', ['/ready'], 200],
  ]
}

async function measureStrangers(server: TestServer, { quick, log }: BenchOptions): Promise<Measurement[]> {
  const [owner] = (await server.createUsers(1)) as [TestUser]
  await owner.addPhoto(await smallPhoto())
  const [photo] = (await owner.photos()) as [Photo]
  /** Milliseconds of a call, again and again with short pauses, while something else happens. */
  const timesDuring = async (during: Promise<unknown>, call: () => Promise<Response>): Promise<number[]> => {
    const over = new AbortController()
    void during.finally(() => over.abort()).catch(() => {})
    const times: number[] = []
    for (; !over.signal.aborted; await wait(10)) {
      const startedAt = performance.now()
      const response = await call()
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`the response of ${response.url} was ${response.status}`)
      times.push(performance.now() - startedAt)
    }
    return times
  }
  const callHealth = () => fetch(`${server.address}/health`)
  const callOwn = () => owner.call('GET', `/photos/${photo.id}`)
  const results: Measurement[] = []
  for (const [name, paths, status, init = {}] of strangerCalls(photo)) {
    const { status: first } = await fetch(`${server.address}${paths[0]}`, init)
    if (first !== status) throw new Error(`${name}: the response was ${first}, not ${status}`)
    const runs: Record<'rate' | 'quietMs' | 'healthMs' | 'ownMs', number[]> = {
      rate: [],
      quietMs: [],
      healthMs: [],
      ownMs: [],
    }
    while (runs.rate.length < (quick ? 1 : 3)) {
      runs.quietMs.push(median(await timesDuring(wait(500), callOwn)))
      const strangers = measureRate({
        ...init,
        address: server.address,
        paths,
        headers: { ...init.headers, 'x-forwarded-for': '198.51.100.1' },
        connections: strangerConnections,
        seconds: quick ? 2 : 4,
        isRefused: status >= 400,
      })
      const [health, own] = await Promise.all([timesDuring(strangers, callHealth), timesDuring(strangers, callOwn)])
      runs.rate.push(await strangers)
      runs.healthMs.push(median(health))
      runs.ownMs.push(median(own))
    }
    const rate = measured(name, 'requests/s', runs.rate)
    const mostMs = 2 * median(runs.quietMs) + 20
    const ownLimit = `<= 2 x quiet + 20 ms = ${mostMs.toFixed(1)} ms`
    results.push(
      name.endsWith(', PNG') ? atLeast(rate, 3_000) : rate,
      atMost(measured(`${name}: /health meanwhile, p50`, 'ms', runs.healthMs), 25),
      atMost(measured(`${name}: the owner's call meanwhile, p50`, 'ms', runs.ownMs), mostMs, ownLimit),
    )
    log(results.slice(-3).map(lineOf).join('\n   '))
  }
  return results
}

/** Webhooks of many customers, all at once. */
async function measureWebhooks({ scratchDir, quick }: BenchOptions): Promise<Measurement[]> {
  const stripe = await startStripeDouble(() => {})
  const server = await startTestServer(join(scratchDir, 'webhooks'), stripe.env)
  await server.createUsers(userCount)
  await server.database.query(
    `insert into billing_customers (customer_id, provider, user_id) select 'cus_' || row_number() over (), 'stripe', id from users`,
  )
  const longest: number[] = []
  while (longest.length < (quick ? 1 : 3)) {
    const times: number[] = []
    await forEachConcurrently([...Array(webhooks).keys()], connections, async (index) => {
      const object = { object: 'subscription', id: 'sub_1', customer: `cus_${(index % userCount) + 1}` }
      const created = Math.floor(Date.now() / 1000)
      const id = `evt_${longest.length}_${index}`
      const event = {
        id,
        object: 'event',
        type: 'customer.subscription.updated',
        created,
        livemode: false,
        data: { object },
      }
      const { body, headers } = stripe.webhooks.webhook(Buffer.from(JSON.stringify(event)))
      const startedAt = performance.now()
      const init = { method: 'POST', headers, body: body.toString() }
      const response = await fetch(`${server.address}/payments/webhook`, init)
      if (!response.ok) throw new Error(`a webhook was answered with ${response.status}`)
      await response.arrayBuffer()
      times.push(performance.now() - startedAt)
    })
    longest.push(Math.max(...times))
  }
  await server.stop()
  await stripe.stop()
  const name = `${webhooks} webhooks of ${userCount} customers over ${connections} connections: longest answer`
  return [alwaysBelow(measured(name, 'ms', longest), 1_000)]
}

export const requests: BenchmarkPart = {
  title: 'Lists, thumbnails and downloads; strangers; webhooks',
  method:
    `wrk with ${connections} connections, as many requests as the server can respond to; the baseline is a bare node:http server that streams the same files from the same disk, without access rules or database. ` +
    'Each round measures all, one after the other. ' +
    `Strangers: wrk with ${strangerConnections} connections makes one call that needs no account, as often as the server answers, from one IP address. Meanwhile another client calls /health and, as the owner of the photo, ` +
    "GET /photos/{id}, one after the other with pauses of 10 ms. Quiet: the same owner's call right before, without strangers. " +
    'Webhooks: each is signed and a new event.',
  async run(options) {
    const server = await startTestServer(options.scratchDir)
    const results = [...(await measureRates(server, options)), ...(await measureStrangers(server, options))]
    await server.stop()
    return [...results, ...(await measureWebhooks(options))]
  },
}
