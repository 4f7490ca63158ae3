import type { Random } from '../images/drawing/random.ts'
import type { PersonName } from './people.ts'
import type { DemoPhoto } from './photos.ts'

/** What guests did with a photo in one hour. */
export interface ActivityHour {
  photoId: string
  owner: PersonName
  hour: Date
  scans: number
  views: number
  downloads: number
  requests: number
}

/** A photo that a guest asked for by email. */
export interface DemoPhotoRequest {
  photoId: string
  owner: PersonName
  email: string
  at: Date
  state: 'sent' | 'failed' | 'waiting' | 'unconfirmed'
}

const hourMs = 3_600_000
const firstNames =
  'anna,ben,chloe,daan,elif,femke,giulia,hugo,ines,jonas,katrien,lars,maya,noah,olivia,paul,quinn,rosa,sofie,tijs,uma,victor,wout,yasmin,zoe'.split(
    ',',
  )
const hosts = ['post.example', 'mail.example', 'inbox.example', 'brievenbus.example']

/** How many guests of an owner scan a photo in its first hours, on average. */
const scansOf: Record<PersonName, number> = { studio: 11, photographer: 7, host: 3, newcomer: 0, closed: 4 }

/** A number near an average. */
const around = (random: Random, average: number): number => Math.round(average * random.between(0.45, 1.6))

/** The share of interest left after some hours: most on the evening itself, a little on evenings of the next week. */
function interestAfter(hours: number, hourOfDay: number): number {
  const isDay = hourOfDay >= 8 && hourOfDay <= 21
  if (hours < 5) return 1 / (1 + hours * 0.7)
  if (hours < 24) return isDay ? 0.13 : 0.01
  return isDay && hourOfDay >= 16 ? 0.16 / (hours / 24) : 0.012
}

/** What guests did with a photo in the ten days after it was taken, up to now. */
export function activityOf({ id, owner, takenAt }: DemoPhoto, random: Random, now: Date): ActivityHour[] {
  const popularity = scansOf[owner] * random.between(0.35, 1.9)
  const firstHour = Math.floor(takenAt.getTime() / hourMs)
  const hours: ActivityHour[] = []
  for (let passed = 0; passed < 240; passed += 1) {
    const hour = new Date((firstHour + passed) * hourMs)
    if (hour > now) break
    const scans = around(random, popularity * interestAfter(passed, hour.getUTCHours()))
    if (scans === 0) continue
    const views = Math.round(scans * random.between(0.7, 1))
    const downloads = Math.round(views * random.between(0.25, 0.6))
    hours.push({ photoId: id, owner, hour, scans, views, downloads, requests: 0 })
  }
  return hours
}

/** How many guests of an owner request a photo by email, on average. */
const requestsPerPhoto: Record<PersonName, number> = {
  studio: 3.2,
  photographer: 2.4,
  host: 1.2,
  newcomer: 0,
  closed: 0,
}

/** The requests of guests for a photo: soon after they saw it, or the day after. */
export function guestRequestsOf({ id, owner, takenAt }: DemoPhoto, random: Random, now: Date): DemoPhotoRequest[] {
  return Array.from({ length: around(random, requestsPerPhoto[owner]) }, () => {
    const hours = random.chance(0.7) ? random.between(0.05, 3) : random.between(11, 26)
    const email = `${random.pick(firstNames)}.${String.fromCharCode(97 + random.integer(0, 25))}@${random.pick(hosts)}`
    const at = new Date(Math.min(takenAt.getTime() + hours * hourMs, now.getTime() - random.between(2, 40) * 60_000))
    return { photoId: id, owner, email, at, state: random.chance(0.05) ? 'failed' : 'sent' } as const
  })
}

/** Marks the host's newest requests as held until the address is confirmed, and the studio's newest as still queued. */
export function markPendingRequests(requests: readonly DemoPhotoRequest[]): DemoPhotoRequest[] {
  const newestOf = (owner: PersonName, count: number): Set<DemoPhotoRequest> =>
    new Set(
      requests
        .filter((request) => request.owner === owner)
        .toSorted((one, other) => other.at.getTime() - one.at.getTime())
        .slice(0, count),
    )
  const [unconfirmed, waiting] = [newestOf('host', 3), newestOf('studio', 2)]
  return requests.map((request) => {
    if (unconfirmed.has(request)) return { ...request, state: 'unconfirmed' }
    return waiting.has(request) ? { ...request, state: 'waiting' } : request
  })
}

/** Adds the requests to the hours in which they were made. */
export function countRequests(hours: ActivityHour[], requests: readonly DemoPhotoRequest[]): ActivityHour[] {
  const byHour = new Map(hours.map((one) => [`${one.photoId} ${one.hour.getTime()}`, one]))
  for (const { photoId, owner, at } of requests) {
    const hour = new Date(Math.floor(at.getTime() / hourMs) * hourMs)
    const key = `${photoId} ${hour.getTime()}`
    const counted = byHour.get(key) ?? { photoId, owner, hour, scans: 1, views: 1, downloads: 0, requests: 0 }
    byHour.set(key, { ...counted, requests: counted.requests + 1 })
  }
  return [...byHour.values()]
}
