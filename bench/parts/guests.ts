import { setTimeout as wait } from 'node:timers/promises'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { iPhoneAgent } from '@keepsnap/e2e/guest-phone.ts'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { measureEmailBacklog } from '../guests/measure-email-backlog.ts'
import { startMailSink } from '../guests/mail-sink.ts'
import { failureCounts, runSchedule, type ScheduledRequest, type ScheduledResult } from '../guests/scheduled-load.ts'
import { openSlowPhoneBrowser, timeToPhoto } from '../guests/slow-phone.ts'
import { atMost, measured, type BenchOptions, type Measurement, type BenchmarkPart } from '../measurement.ts'
import { itemAt } from '../round-robin.ts'
import { sampleOf } from '../sample-photos.ts'
import { quantile } from '../statistics.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const photoCount = 20
const requestsPerSecond = 300
const crowdSize = 2_000
const crowdMs = 10_000
const visits = 5

/** A user whose photos guests open. */
interface SharedPhotos {
  address: string
  owner: TestUser
  photos: Photo[]
  /** Paths of the guest pages. */
  pages: string[]
  /** Paths of the thumbnails. */
  thumbnails: string[]
}

function pathOf(url: string | null): string {
  if (url === null) throw new Error('a photo has no thumbnail')
  return new URL(url).pathname
}

const saveSettings = (owner: TestUser, settings: Record<string, boolean>): Promise<Response> =>
  owner.call('PUT', '/user/settings', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  })

/** Photos of 12 MP whose owner asks guests for their email address. */
async function sharePhotos(address: string, owner: TestUser): Promise<SharedPhotos> {
  const file = (await sampleOf('12 MP')).kept
  for (let index = 0; index < photoCount; index++) await owner.addPhoto(file)
  await saveSettings(owner, { ask_email_to_receive_photo: true })
  const photos = (await (await owner.call('GET', '/photos')).json()) as Photo[] // the contract's reply
  return {
    address,
    owner,
    photos,
    pages: photos.map(({ id }) => `/request-photo/${id}`),
    thumbnails: photos.map((photo) => pathOf(photo.thumbnail_url)),
  }
}

/** Pages and thumbnails alternately, each from another IP address. */
function steadySchedule({ pages, thumbnails }: SharedPhotos, seconds: number): ScheduledRequest[] {
  return Array.from({ length: requestsPerSecond * seconds }, (_, index) => ({
    dueMs: (index * 1000) / requestsPerSecond,
    kind: index % 2 ? 'thumbnail' : 'page',
    path: itemAt(index % 2 ? thumbnails : pages, index >> 1),
    clientAddress: `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    client: 0,
  }))
}

/** Guests at one venue, behind one IP address: each opens the page with its thumbnail; half of them request the photo. */
function crowdSchedule({ photos, pages, thumbnails }: SharedPhotos, round: number): ScheduledRequest[] {
  const requests = Array.from({ length: crowdSize }, (_, client): ScheduledRequest[] => {
    const base = { client, clientAddress: `203.0.113.${round + 1}` }
    const dueMs = (client * crowdMs) / crowdSize
    const visit = [
      { ...base, dueMs, kind: 'page', path: itemAt(pages, client) },
      { ...base, dueMs: dueMs + 40, kind: 'thumbnail', path: itemAt(thumbnails, client) },
    ]
    if (client % 2) return visit
    const request = {
      ...base,
      // Spread over a second in an order that does not follow the arrivals.
      dueMs: dueMs + 1_500 + ((client * 7919) % 1_000),
      kind: 'request',
      path: `/photos/${itemAt(photos, client).id}/request-email`,
      body: { email: `guest${client}-${round}@example.com` },
    }
    return [...visit, request]
  })
  return requests.flat().toSorted((a, b) => a.dueMs - b.dueMs)
}

const timesOf = (results: ScheduledResult[], kind?: string): number[] =>
  results.filter((result) => kind === undefined || result.kind === kind).map(({ ms }) => ms)

function measurementsOf(name: string, rounds: ScheduledResult[][], mostP99Ms: number): Measurement[] {
  const quantiles = (share: number, kind?: string): number[] =>
    rounds.map((results) => quantile(timesOf(results, kind), share))
  const kinds = [...new Set(rounds.flat().map(({ kind }) => kind))]
  const failures = rounds.map((results) => results.filter(({ status }) => status !== 200).length)
  return [
    measured(`${name}, p50`, 'ms', quantiles(0.5)),
    atMost(measured(`${name}, p99`, 'ms', quantiles(0.99)), mostP99Ms),
    ...kinds.map((kind) => measured(`${name}, ${kind} only, p99`, 'ms', quantiles(0.99, kind))),
    {
      ...measured(`${name}, responses other than 200`, 'requests', failures),
      limit: '0 in every run',
      withinLimit: failures.every((count) => count === 0),
    },
  ]
}

async function measureSteady(shared: SharedPhotos, { quick, log }: BenchOptions): Promise<Measurement[]> {
  const runFor = async (seconds: number): Promise<ScheduledResult[]> => {
    const requests = steadySchedule(shared, seconds)
    const results = await runSchedule({ address: shared.address, connectionsPerClient: false, requests })
    const p99 = quantile(timesOf(results), 0.99).toFixed(1)
    log(`${requestsPerSecond} requests/s: p99 ${p99} ms ${failureCounts(results).join(', ')}`)
    return results
  }
  const warmUpSeconds = 3
  await runFor(warmUpSeconds)
  const rounds: ScheduledResult[][] = []
  while (rounds.length < (quick ? 1 : 5)) rounds.push(await runFor(quick ? 8 : 20))
  return measurementsOf(`${requestsPerSecond} requests/s, page and thumbnail`, rounds, 100)
}

async function measureCrowd(shared: SharedPhotos, { quick, log }: BenchOptions): Promise<Measurement[]> {
  const rounds: ScheduledResult[][] = []
  while (rounds.length < (quick ? 1 : 3)) {
    const requests = crowdSchedule(shared, rounds.length)
    const results = await runSchedule({ address: shared.address, connectionsPerClient: true, requests })
    rounds.push(results)
    const p99 = quantile(timesOf(results), 0.99).toFixed(1)
    log(`${crowdSize} guests: p99 ${p99} ms ${failureCounts(results).join(', ')}`)
    const pauseMs = 2_000
    await wait(pauseMs)
  }
  return measurementsOf(`${crowdSize} guests in ${crowdMs / 1000} s`, rounds, 500)
}

async function measurePhone({ address, owner, photos }: SharedPhotos, { log }: BenchOptions): Promise<Measurement[]> {
  const browser = await openSlowPhoneBrowser()
  const code = itemAt(photos, 0).qr_code_url.split('/').at(-1)
  const visitPage = async (name: string): Promise<Measurement> => {
    const times: number[] = []
    while (times.length < visits)
      times.push(await timeToPhoto(browser, `${address}/d/${code}`, { userAgent: iPhoneAgent }))
    log(`slow phone, ${name}: ${times.map(Math.round).join(', ')} ms`)
    return atMost(measured(`slow phone: from scan to photo, ${name}`, 'ms', times), 2_500)
  }
  const requestPage = await visitPage('request page, redirected from the direct code')
  await saveSettings(owner, { ask_email_to_receive_photo: false })
  const savePage = await visitPage('page with the Save button')
  await browser.close()
  return [requestPage, savePage]
}

async function runGuests(options: BenchOptions): Promise<Measurement[]> {
  const port = await freePort()
  const sink = await startMailSink(port)
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'photos@bench.example' }
  const server = await startTestServer(`${options.scratchDir}/photos`, env)
  const shared = await sharePhotos(server.program.address, await server.createUser())
  const steady = await measureSteady(shared, options)
  const crowd = await measureCrowd(shared, options)
  const phone = await measurePhone(shared, options)
  await server.stop()
  await sink.stop()
  return [...steady, ...crowd, ...phone, ...(await measureEmailBacklog(options))]
}

export const guests: BenchmarkPart = {
  name: 'guests',
  title: 'Guests: pages, crowds, emails, and a slow phone',
  method:
    'Another process sends each request at its scheduled time without waiting for earlier responses; times are from the scheduled time to the last byte. ' +
    `${photoCount} photos of 12 MP. ${requestsPerSecond} requests/s: guest page and thumbnail alternately. The crowd: ${crowdSize} guests within ${crowdMs / 1000} s, each with connections of their own, behind one ` +
    'IP address: page, thumbnail, and half of them request the photo by email two seconds later, while those emails are sent. Emails: rows as after an hour without a mail server, then a mail server that accepts ' +
    'everything; the time includes noticing its return, by a job that runs once a minute. Slow phone: Chromium with 4x CPU slowdown and its slow 4G (562 ms per request, 1.44 Mbit/s), until the photo is painted.',
  run: runGuests,
}
