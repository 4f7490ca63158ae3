import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { iPhoneAgent } from '../e2e/guest-phone.ts'
import { freePort } from '../server/test/child-processes.ts'
import { itemAt, runSchedule, type ScheduledRequest, type ScheduledResult } from './load.ts'
import {
  alwaysBelow,
  atMost,
  type BenchmarkPart,
  type BenchOptions,
  measured,
  type Measurement,
  quantile,
} from './results.ts'
import { sampleOf, smallPhoto, startTestServer, type TestUser } from './server.ts'

const photoCount = 20
const requestsPerSecond = 300
const crowdSize = 2_000
const crowdMs = 10_000
const backlog = 5_000
const pathOf = (url: string | null): string => new URL(url!).pathname

/** Photos of a user that guests open. */
interface SharedPhotos {
  address: string
  owner: TestUser
  photos: Photo[]
}

const askForEmail = (owner: TestUser, isAsked: boolean): Promise<Response> =>
  owner.call('PUT', '/user/settings', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ask_email_to_receive_photo: isAsked }),
  })

const pageOf = ({ id }: Photo): string => `/request-photo/${id}`

/** Pages and thumbnails alternately, each from another IP address. */
const steadySchedule = ({ photos }: SharedPhotos, seconds: number): ScheduledRequest[] =>
  Array.from({ length: requestsPerSecond * seconds }, (_, index) => {
    const photo = itemAt(photos, index >> 1)
    return {
      dueMs: (index * 1000) / requestsPerSecond,
      path: index % 2 ? pathOf(photo.thumbnail_url) : pageOf(photo),
      clientAddress: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
      client: -1,
    }
  })

/** Guests at one venue, behind one IP address: each opens the page with its thumbnail; half of them request the photo. */
const crowdSchedule = ({ photos }: SharedPhotos, round: number): ScheduledRequest[] =>
  Array.from({ length: crowdSize }, (_, client): ScheduledRequest[] => {
    const base = { client, clientAddress: `203.0.113.${round + 1}` }
    const dueMs = (client * crowdMs) / crowdSize
    const photo = itemAt(photos, client)
    const visit = [
      { ...base, dueMs, path: pageOf(photo) },
      { ...base, dueMs: dueMs + 40, path: pathOf(photo.thumbnail_url) },
    ]
    if (client % 2) return visit
    const request = {
      ...base,
      // Spread over a second in an order that does not follow the arrivals.
      dueMs: dueMs + 1_500 + ((client * 7919) % 1_000),
      path: `/photos/${photo.id}/request-email`,
      body: { email: `guest${client}-${round}@example.com` },
    }
    return [...visit, request]
  })
    .flat()
    .toSorted((a, b) => a.dueMs - b.dueMs)

function measurementsOf(name: string, rounds: ScheduledResult[][], mostP99Ms: number): Measurement[] {
  const quantiles = (share: number): number[] =>
    rounds.map((results) =>
      quantile(
        results.map(({ ms }) => ms),
        share,
      ),
    )
  const failures = rounds.map((results) => results.filter(({ status }) => status !== 200).length)
  return [
    measured(`${name}, p50`, 'ms', quantiles(0.5)),
    atMost(measured(`${name}, p99`, 'ms', quantiles(0.99)), mostP99Ms),
    alwaysBelow(measured(`${name}, responses other than 200`, 'requests', failures), 1),
  ]
}

async function measureSteady(shared: SharedPhotos, { quick }: BenchOptions): Promise<Measurement[]> {
  const warmUpSeconds = 3
  await runSchedule(shared.address, steadySchedule(shared, warmUpSeconds))
  const rounds: ScheduledResult[][] = []
  while (rounds.length < (quick ? 1 : 5))
    rounds.push(await runSchedule(shared.address, steadySchedule(shared, quick ? 8 : 20)))
  return measurementsOf(`${requestsPerSecond} requests/s, page and thumbnail`, rounds, 100)
}

async function measureCrowd(shared: SharedPhotos, { quick }: BenchOptions): Promise<Measurement[]> {
  const rounds: ScheduledResult[][] = []
  while (rounds.length < (quick ? 1 : 3)) {
    rounds.push(await runSchedule(shared.address, crowdSchedule(shared, rounds.length)))
    await wait(2_000)
  }
  return measurementsOf(`${crowdSize} guests in ${crowdMs / 1000} s`, rounds, 500)
}

/** Milliseconds from the start of the navigation, redirects included, until a slow phone has painted the photo. */
async function timeToPhoto(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    userAgent: iPhoneAgent,
  })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    // "Slow 4G" of Chromium's developer tools.
    const [downloadThroughput, uploadThroughput] = [(1.6e6 * 0.9) / 8, (0.75e6 * 0.9) / 8]
    const conditions = { offline: false, latency: 562.5, downloadThroughput, uploadThroughput }
    await session.send('Network.emulateNetworkConditions', conditions)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        const entries = list.getEntries() as (PerformanceEntry & { url: string })[] // LargestContentfulPaint, which lib.dom does not declare
        for (const { url, startTime } of entries)
          if (url.includes('/t/')) Object.assign(globalThis, { painted: startTime })
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(address)
    const readPainted = () => (globalThis as { painted?: number }).painted // set by the init script above
    const painted = await page.waitForFunction(readPainted, undefined, { timeout: 20_000 })
    return (await painted.jsonValue()) ?? 0
  } finally {
    await context.close()
  }
}

async function measurePhone({ address, owner, photos }: SharedPhotos): Promise<Measurement[]> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args })
  const directCode = address + pathOf(photos[0]!.qr_code_url).replace('/qr', '')
  const visitPage = async (name: string): Promise<Measurement> => {
    const times: number[] = []
    while (times.length < 5) times.push(await timeToPhoto(browser, directCode))
    return atMost(measured(`slow phone: from scan to photo, ${name}`, 'ms', times), 2_500)
  }
  const requestPage = await visitPage('request page, redirected from the direct code')
  await askForEmail(owner, false)
  const savePage = await visitPage('page with the Save button')
  await browser.close()
  return [requestPage, savePage]
}

/** An SMTP server on loopback that counts and discards what it receives. */
async function startMailSink(port: number) {
  const received = { emails: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _session, done) {
      stream.resume().on('end', () => {
        received.emails += 1
        done()
      })
    },
  })
  // Clients that disconnect early are part of the measurement.
  server.on('error', () => {})
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return { received, stop: () => new Promise<void>((resolve) => server.close(resolve)) }
}

const mailEnv = (port: number) => ({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'photos@bench.example' })

/**
 * How long a backlog of emails takes after the mail server has become reachable again: the rows that they have after it was
 * unreachable for an hour, with seven attempts, the next one within 32 minutes, each with its request and its job.
 */
async function measureEmailBacklog({ scratchDir, quick }: BenchOptions): Promise<Measurement[]> {
  const port = await freePort()
  const { createUsers, database, stop } = await startTestServer(join(scratchDir, 'backlog'), mailEnv(port))
  const [owner] = (await createUsers(1)) as [TestUser]
  await owner.addPhoto(await smallPhoto())
  const [photo] = (await owner.photos()) as [Photo]
  const count = quick ? backlog / 5 : backlog
  await database.query('begin')
  await database.query('delete from emails')
  await database.query(
    `insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, payload, created_at, due_at, give_up_at, attempts, server_unreachable, failure)
       select lpad('L' || n, 22, '0'), 'photo', $1, $2, 'guest' || n || '@example.com', 'guest' || n || '@example.com',
         jsonb_build_object('requestId', lpad('R' || n, 22, '0')), now() - interval '1 hour',
         now() + random() * interval '32 minutes', now() + interval '47 hours', 7, true, 'The mail server could not be reached.'
       from generate_series(1, $3::int) n`,
    [owner.id, photo.id, count],
  )
  await database.query(
    `insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version, requested_at)
       select payload->>'requestId', photo_id, user_id, id, recipient, recipient_key, 'bench', created_at from emails`,
  )
  await database.query(
    `select count(graphile_worker.add_job('send-email', json_build_object('emailId', id), job_key => 'email:' || id,
         max_attempts => 25, priority => 0, run_at => due_at)) from emails where state = 'queued'`,
  )
  await database.query('commit')
  const sink = await startMailSink(port)
  const startedAt = performance.now()
  for (; sink.received.emails < count; await wait(250))
    if (performance.now() - startedAt > 15 * 60_000) throw new Error('the emails were not sent in time')
  const seconds = (performance.now() - startedAt) / 1000
  await sink.stop()
  await stop()
  return [
    atMost(measured(`${count} emails: from the mail server's return to the last one`, 's', [seconds]), 300),
    atMost(measured(`${count} emails: sent twice`, 'emails', [sink.received.emails - count]), 0),
  ]
}

export const guests: BenchmarkPart = {
  title: 'Guests: pages, crowds, emails, and a slow phone',
  method:
    'Another process sends each request at its scheduled time without waiting for earlier responses; times are from the scheduled time to the last byte. ' +
    `${photoCount} photos of 12 MP. ${requestsPerSecond} requests/s: guest page and thumbnail alternately. The crowd: ${crowdSize} guests within ${crowdMs / 1000} s, each with connections of their own, behind one ` +
    'IP address: page, thumbnail, and half of them request the photo by email two seconds later, while those emails are sent. Emails: rows with a small photo, as after an hour without a mail server, then a mail server that accepts ' +
    'everything; the time includes noticing its return, by a job that runs once a minute. Slow phone: Chromium with 4x CPU slowdown and its slow 4G (562 ms per request, 1.44 Mbit/s), until the photo is painted.',
  async run(options) {
    const port = await freePort()
    const sink = await startMailSink(port)
    const server = await startTestServer(join(options.scratchDir, 'photos'), mailEnv(port))
    const [owner] = (await server.createUsers(1)) as [TestUser]
    const file = (await sampleOf('12 MP')).kept
    for (let index = 0; index < photoCount; index++) await owner.addPhoto(file)
    await askForEmail(owner, true)
    const shared = { address: server.address, owner, photos: await owner.photos() }
    const results = [
      ...(await measureSteady(shared, options)),
      ...(await measureCrowd(shared, options)),
      ...(await measurePhone(shared)),
    ]
    await server.stop()
    await sink.stop()
    return [...results, ...(await measureEmailBacklog(options))]
  },
}
