import { setTimeout as wait } from 'node:timers/promises'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { MailSink } from '../guests/mail-sink.ts'
import { measured, type BenchOptions, type Measurement } from '../measurement.ts'
import { itemAt } from '../round-robin.ts'
import { sampleOf } from '../sample-photos.ts'
import type { TestServer, TestUser } from '../test-server.ts'
import { measureCost, type MeasuredServer } from './measure-cost.ts'

const photoCount = 8
const inFlight = 4
const mailTimeoutMs = 120_000

interface GuestVisit {
  name: string
  paths: string[]
  count: number
  token?: string
}

function pathOf(url: string | null): string {
  if (url === null) throw new Error('a photo is not complete')
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** Requests that read; each path in turn, from another IP address each time. */
async function measureVisit(
  server: MeasuredServer,
  address: string,
  { name, paths, count, token }: GuestVisit,
): Promise<Measurement[]> {
  let bytes = 0
  let requests = 0
  const action = async (index: number): Promise<void> => {
    const response = await fetch(address + itemAt(paths, index), {
      headers: {
        'x-forwarded-for': `10.9.${(index >> 8) & 255}.${index & 255}`,
        ...(token && { authorization: `Bearer ${token}` }),
      },
    })
    if (!response.ok) throw new Error(`the response of ${name} was ${response.status}`)
    const { byteLength } = await response.arrayBuffer()
    bytes += byteLength
    requests += 1
  }
  for (let index = 0; index < inFlight; index++) await action(index)
  const cost = await measureCost(server, name, { count, rounds: 3, inFlight, action })
  return [...cost, measured(`${name}, sent`, 'bytes', [bytes / requests])]
}

/** Requests for a photo by email, until the mail server has all the emails. */
async function measureEmails(
  server: MeasuredServer,
  sink: MailSink,
  { address, photos, count }: { address: string; photos: Photo[]; count: number },
): Promise<Measurement[]> {
  const before = await sink.received()
  let asked = 0
  const action = async (): Promise<void> => {
    const number = asked++
    const response = await fetch(`${address}/photos/${itemAt(photos, number).id}/request-email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.8.${number >> 8}.${number & 255}` },
      body: JSON.stringify({ email: `guest${number}@example.com` }),
    })
    if (!response.ok) throw new Error(`a request by email was answered with ${response.status}`)
  }
  const waitUntilDone = async (): Promise<void> => {
    const end = performance.now() + mailTimeoutMs
    while ((await sink.received()).emails < before.emails + asked) {
      if (performance.now() > end) throw new Error('the emails were not sent in time')
      await wait(50)
    }
  }
  const cost = await measureCost(server, 'email with a 12 MP photo', {
    count,
    rounds: 2,
    inFlight,
    action,
    waitUntilDone,
  })
  const { bytes } = await sink.received()
  return [...cost, measured('email with a 12 MP photo, sent', 'bytes', [(bytes - before.bytes) / asked])]
}

async function photosOf(owner: TestUser): Promise<Photo[]> {
  const file = (await sampleOf('12 MP')).kept
  for (let index = 0; index < photoCount; index++) await owner.addPhoto(file)
  return (await (await owner.call('GET', '/photos')).json()) as Photo[] // the contract's reply
}

/** What guests and big screens cost. */
export async function measureGuests(
  measuredServer: MeasuredServer,
  { server, sink }: { server: TestServer; sink: MailSink },
  { quick, log }: BenchOptions,
): Promise<Measurement[]> {
  const { address } = server.program
  const owner = await server.createUser()
  const photos = await photosOf(owner)
  const many = quick ? 100 : 400
  const visits: GuestVisit[] = [
    { name: 'guest page', paths: photos.map(({ id }) => `/request-photo/${id}`), count: many },
    { name: 'thumbnail', paths: photos.map((photo) => pathOf(photo.thumbnail_url)), count: many },
    {
      name: 'download of a 12 MP photo',
      paths: photos.map((photo) => pathOf(photo.qr_code_url).replace('/qr', '')),
      count: many / 5,
    },
    { name: 'QR code', paths: photos.map((photo) => pathOf(photo.qr_code_url)), count: many },
    { name: 'newest photo, asked by a big screen', paths: ['/photos/latest'], count: many, token: owner.token },
  ]
  const results: Measurement[] = []
  for (const visit of visits) results.push(...(await measureVisit(measuredServer, address, visit)))
  results.push(...(await measureEmails(measuredServer, sink, { address, photos, count: quick ? 8 : 16 })))
  for (const { name, unit, values } of results) log(`${name}: ${values.median} ${unit}`)
  return results
}
