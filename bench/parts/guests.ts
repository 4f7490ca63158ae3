import { setTimeout as delay } from 'node:timers/promises'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { freePort } from '@keepsnap/e2e/program.ts'
import { iPhoneAgent } from '@keepsnap/e2e/guest-phone.ts'
import { atMost, found, type Bench, type Finding, type Part } from '../measurement.ts'
import { addBacklog } from '../guests/email-backlog.ts'
import { openSink, type Sink } from '../guests/mail-sink.ts'
import { carry, wrongs, type Outcome, type Planned } from '../guests/scheduled-load.ts'
import { openBrowser, untilPicture } from '../guests/slow-phone.ts'
import { openHouse, type Guest, type House } from '../test-server.ts'
import { quantile } from '../statistics.ts'
import { sampleOf, smallPhoto } from '../sample-photos.ts'

const photosShared = 20
const perSecond = 300
const crowd = 2_000
const crowdMs = 10_000
const backlog = 5_000
const drainMostMs = 15 * 60_000
const visits = 5

interface Event {
  house: House
  owner: Guest
  photos: Photo[]
  pages: string[]
  thumbs: string[]
}

const pathOf = (address: string): string => new URL(address).pathname

/** An owner who asks for e-mail, with photos as large as cameras make them. */
async function openEvent(house: House): Promise<Event> {
  const [owner] = (await house.guests(1)) as [Guest] // as many as asked for
  const file = (await sampleOf('12 MP')).kept
  for (let at = 0; at < photosShared; at++) {
    const { photo } = await owner.send(file)
    await owner.screen.complete(photo.id)
  }
  await owner.call('PUT', '/user/settings', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ask_email_to_receive_photo: true }),
  })
  const photos = (await (await owner.call('GET', '/photos')).json()) as Photo[] // as the contract says
  return {
    house,
    owner,
    photos,
    pages: photos.map(({ id }) => `/request-photo/${id}`),
    thumbs: photos.map(({ thumbnail_url: address }) => pathOf(address!)),
  }
}

/** Pages and thumbnails in turn, each from another client. */
function steady({ pages, thumbs }: Event, seconds: number): Planned[] {
  return Array.from({ length: perSecond * seconds }, (_, at) => ({
    at: (at * 1000) / perSecond,
    kind: at % 2 ? 'thumbnail' : 'page',
    path: (at % 2 ? thumbs : pages)[(at >> 1) % photosShared]!,
    from: `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`,
    guest: 0,
  }))
}

/** Everybody at a venue: the page, its picture, and half of them ask a moment later. All behind one address. */
function rush({ photos, pages, thumbs }: Event, guests: number, round: number): Planned[] {
  const from = `203.0.113.${round + 1}`
  const requests = Array.from({ length: guests }, (_, guest): Planned[] => {
    const at = (guest * crowdMs * (guests / crowd)) / guests
    const which = guest % photosShared
    const one = { guest, from }
    const asks = guest % 2 === 0
    return [
      { ...one, at, kind: 'page', path: pages[which]! },
      { ...one, at: at + 40, kind: 'thumbnail', path: thumbs[which]! },
      ...(asks
        ? [
            {
              ...one,
              at: at + 1_500 + ((guest * 7919) % 1_000),
              kind: 'request',
              path: `/photos/${photos[which]!.id}/request-email`,
              body: { email: `guest${guest}-${round}@example.com` },
            },
          ]
        : []),
    ]
  })
  return requests.flat().toSorted((a, b) => a.at - b.at)
}

const times = (outcomes: Outcome[], kind?: string): number[] =>
  outcomes.filter((one) => kind === undefined || one.kind === kind).map(({ ms }) => ms)

function judged(what: string, rounds: Outcome[][], most: number): Finding[] {
  const p = (share: number, kind?: string): number[] => rounds.map((one) => quantile(times(one, kind), share))
  const bad = rounds.map((one) => one.filter(({ status }) => status !== 200).length)
  return [
    found(`${what}, p50`, 'ms', p(0.5)),
    atMost(found(`${what}, p99`, 'ms', p(0.99)), most),
    ...[...new Set(rounds.flat().map(({ kind }) => kind))].map((kind) =>
      found(`${what}, ${kind} alone, p99`, 'ms', p(0.99, kind)),
    ),
    {
      ...atMost(found(`${what}, not answered with 200`, 'requests', bad), 0),
      holds: bad.every((count) => count === 0),
    },
  ]
}

async function measureSteady(event: Event, { quick, say }: Bench): Promise<Finding[]> {
  const { address } = event.house.program
  const rounds: Outcome[][] = []
  for (let round = -1; round < (quick ? 1 : 5); round++) {
    const outcomes = await carry({ address, own: false, requests: steady(event, round < 0 ? 3 : quick ? 8 : 20) })
    if (round >= 0) rounds.push(outcomes)
    say(`${perSecond}/s: p99 ${quantile(times(outcomes), 0.99).toFixed(1)} ms ${wrongs(outcomes).join(', ')}`)
  }
  return judged(`${perSecond} requests/s, page and thumbnail`, rounds, 100)
}

async function measureRush(event: Event, { quick, say }: Bench): Promise<Finding[]> {
  const { address } = event.house.program
  const rounds: Outcome[][] = []
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const outcomes = await carry({ address, own: true, requests: rush(event, crowd, round) })
    rounds.push(outcomes)
    say(`${crowd} guests: p99 ${quantile(times(outcomes), 0.99).toFixed(1)} ms ${wrongs(outcomes).join(', ')}`)
    await delay(2_000)
  }
  return judged(`${crowd} guests in ${crowdMs / 1000} s`, rounds, 500)
}

/** Seconds from the mail server's return until it has every email. */
async function drain(sink: Sink, count: number, say: Bench['say']): Promise<number> {
  const began = performance.now()
  for (let last = -1; performance.now() - began < drainMostMs; await delay(250)) {
    const { emails } = await sink.taken()
    if (emails >= count) return (performance.now() - began) / 1000
    if (Math.floor(emails / 1000) !== last)
      say(`${emails} emails after ${((performance.now() - began) / 1000).toFixed(0)} s`)
    last = Math.floor(emails / 1000)
  }
  throw new Error('the emails were not drained')
}

async function measureBacklog({ scratch, quick, say }: Bench): Promise<Finding[]> {
  const port = await freePort()
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'photos@bench.example' }
  const house = await openHouse(`${scratch}/backlog`, env)
  const [owner] = (await house.guests(1)) as [Guest] // as many as asked for
  const database = await house.database()
  const findings: Finding[] = []
  const sizes = [
    { name: 'small photo', file: await smallPhoto(), count: quick ? backlog / 5 : backlog },
    { name: '12 MP photo', file: (await sampleOf('12 MP')).kept, count: quick ? 20 : 200 },
  ]
  for (const { name, file, count } of sizes) {
    const { photo } = await owner.send(file)
    await owner.screen.complete(photo.id)
    await database.query('delete from emails')
    await addBacklog(database, { userId: owner.id, photoId: photo.id, count })
    const sink = await openSink(port)
    const seconds = await drain(sink, count, say)
    const { emails, bytes } = await sink.taken()
    await sink.stop()
    const { rows } = await database.query<{ sent: number }>(
      `select count(*)::int as sent from emails where state = 'sent'`,
    )
    const what = `${count} emails, ${name}, ${(bytes / emails / 1e6).toFixed(2)} MB each`
    say(`${what}: ${seconds.toFixed(1)} s, ${rows[0]?.sent} known as sent`)
    const finding = found(`${what}: from the mail server's return to the last email`, 's', [seconds])
    findings.push(name === 'small photo' ? atMost(finding, 300) : finding)
    findings.push({ ...atMost(found(`${what}: taken twice`, 'emails', [emails - count]), 0) })
  }
  await house.stop()
  return findings
}

async function measurePhone({ house, owner, photos }: Event, { say }: Bench): Promise<Finding[]> {
  const browser = await openBrowser()
  const code = `${house.program.address}/d/${photos[0]!.qr_code_url.split('/').at(-1)!}`
  const findings: Finding[] = []
  const look = async (what: string): Promise<void> => {
    const runs: number[] = []
    while (runs.length < visits) runs.push(await untilPicture(browser, code, { userAgent: iPhoneAgent }))
    findings.push(atMost(found(`slow phone: from the scan to the picture, ${what}`, 'ms', runs), 2_500))
    say(`slow phone, ${what}: ${runs.map(Math.round).join(', ')} ms`)
  }
  await look('request page, by way of the direct code')
  await owner.call('PUT', '/user/settings', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ask_email_to_receive_photo: false }),
  })
  await look('page with the Save button')
  await browser.close()
  return findings
}

async function run(bench: Bench): Promise<Finding[]> {
  const port = await freePort()
  const sink = await openSink(port)
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'photos@bench.example' }
  const house = await openHouse(`${bench.scratch}/event`, env)
  const event = await openEvent(house)
  const findings = [...(await measureSteady(event, bench)), ...(await measureRush(event, bench))]
  findings.push(...(await measurePhone(event, bench)))
  await house.stop()
  await sink.stop()
  return [...findings, ...(await measureBacklog(bench))]
}

export const guests: Part = {
  name: 'guests',
  title: 'Guests: pages, rushes, emails, and a slow phone',
  how:
    'Requests leave another process at planned moments, whatever the answers take; times run from the planned moment to the last byte. ' +
    `${photosShared} photos of 12 MP. ${perSecond} requests/s: guest page and thumbnail in turn. The rush: ${crowd} guests within ${crowdMs / 1000} s, each with connections of their own, behind one ` +
    'address: page, thumbnail, and half of them ask by e-mail two seconds later, while those emails go out. Emails: rows as an hour without a mail server leaves them, then a mail server that takes ' +
    'everything; its return is noticed by the job that looks once a minute, which is in the time. Slow phone: Chromium with 4x slower CPU and its slow 4G (562 ms a request, 1.44 Mbit/s), until the picture is painted.',
  run,
}
