import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../platform/db/connect.ts'
import { type Variation, varyPhoto } from '../images/vary-photo.ts'
import { forEachConcurrently } from '../lib/concurrency.ts'
import {
  callApi,
  createRandom,
  type DemoAccounts,
  type DemoSize,
  type FillContext,
  type PersonName,
  type Random,
} from './demo-accounts.ts'

const folder = join(import.meta.dirname, 'pictures')
export const readPicture = (name: string): Promise<Buffer> => readFile(join(folder, name))

interface DemoEvening {
  owner: PersonName
  /** How the camera names the files. */
  prefix: string
  photos: number
  /** The light of its pictures, with which their names begin: all of the first one, then of the next, until there are enough. */
  lights: readonly string[]
  /** How many weeks before the last Saturday; `null`: always in the current month, even on its first day; or in the last hours. */
  weeksAgo: number | null | 'tonight'
}

const evenings: readonly DemoEvening[] = [
  { owner: 'studio', prefix: 'LUMEN', photos: 12, lights: ['amber', 'dusk', 'garden'], weeksAgo: 0 },
  { owner: 'studio', prefix: 'LUMEN', photos: 10, lights: ['violet', 'emerald'], weeksAgo: 1 },
  { owner: 'studio', prefix: 'LUMEN', photos: 9, lights: ['garden', 'amber'], weeksAgo: 3 },
  { owner: 'studio', prefix: 'LUMEN', photos: 9, lights: ['emerald', 'violet'], weeksAgo: 5 },
  { owner: 'photographer', prefix: '_NL', photos: 9, lights: ['dusk', 'violet'], weeksAgo: 0 },
  { owner: 'photographer', prefix: '_NL', photos: 7, lights: ['garden', 'amber'], weeksAgo: 2 },
  { owner: 'host', prefix: 'IMG_', photos: 8, lights: ['dusk', 'amber'], weeksAgo: null },
  { owner: 'closed', prefix: 'DSC', photos: 4, lights: ['amber'], weeksAgo: 4 },
  { owner: 'studio', prefix: 'LUMEN', photos: 6, lights: ['emerald', 'violet'], weeksAgo: 'tonight' },
]

interface PlannedPhoto {
  owner: PersonName
  filename: string
  takenAt: Date
  /** The file of which it is made, and how. */
  picture: string
  variation: Variation
}

export interface DemoPhoto extends Pick<PlannedPhoto, 'owner' | 'takenAt' | 'filename'> {
  id: string
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The first photo is taken at 18:30 UTC, the last one four and a half hours later. */
const startHour = 18.5
const eveningHours = 4.5

/** From when to when the photos of tonight were taken, in hours before now: guests have asked for some since. */
const tonightHours = { from: 4, to: 0.75 }
export const isTonight = ({ takenAt }: { takenAt: Date }, now: Date): boolean =>
  now.getTime() - takenAt.getTime() <= tonightHours.from * hourMs

/** The start of the last Saturday evening that is over. */
function lastSaturday(now: Date): number {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const daysSince = (now.getUTCDay() + 1) % 7 || 7
  return today - daysSince * dayMs + startHour * hourMs
}

/** The time of a photo; `part`: its position in the evening, from 0 (start) to 1 (end). */
function timeOf({ weeksAgo }: DemoEvening, now: Date, part: number): Date {
  if (weeksAgo === 'tonight') {
    const { from, to } = tonightHours
    return new Date(now.getTime() - (from - part * (from - to)) * hourMs)
  }
  const saturday = lastSaturday(now)
  const taken = saturday - (weeksAgo ?? 0) * 7 * dayMs + part * eveningHours * hourMs
  if (weeksAgo !== null) return new Date(taken)
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  // On the first days of a month its last Saturday may belong to the month before.
  return new Date(saturday >= monthStart ? taken : monthStart + part * (now.getTime() - monthStart))
}

const inRandomOrder = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, rank: random.next() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item)

/** The pictures that an evening shows, each once. */
function picturesOf({ lights, photos }: DemoEvening, pictures: readonly string[], random: Random): string[] {
  const inLight = (light: string) => pictures.filter((name) => name.startsWith(`${light}-`))
  const suitable = lights.flatMap((light) => inRandomOrder(inLight(light), random))
  return inRandomOrder(suitable.slice(0, photos), random)
}

/** Photos that a guest has taken with a phone, with the light of an evening: at most four. */
export async function photosOfGuest(light: string, size?: DemoSize): Promise<Buffer[]> {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${light}-`))
  const photos: Buffer[] = []
  for (const [at, name] of names.slice(0, Math.min(4, size?.photosPerEvening ?? 4)).entries()) {
    const view = {
      isUpright: at % 2 === 0,
      ratio: 4 / 3,
      zoom: 0.7 + at * 0.05,
      isMirrored: true,
      position: [0.4, 0.5],
    } as const
    photos.push(
      await varyPhoto(await readPicture(name), {
        ...view,
        brightness: 0.95,
        warmth: 0.3,
        longSide: size?.longSide ?? 2000,
      }),
    )
  }
  return photos
}

/** How much of a picture its first, second, ... photo shows. */
const zooms = [0.97, 0.8, 0.9, 0.74, 0.85]

/** All photos; for tests, fewer of each evening and smaller ones. */
export function planPhotos(
  now: Date,
  { photosPerEvening, longSide }: DemoSize = { photosPerEvening: Infinity, longSide: 2000 },
): PlannedPhoto[] {
  const pictures = readdirSync(folder).toSorted()
  const uses = new Map<string, number>()
  return evenings.flatMap((evening, index) => {
    const random = createRandom(34_195 * (index + 1))
    const firstNumber = random.integer(1_000, 8_000)
    const warmth = random.between(-0.6, 0.6)
    const planPhoto = (picture: string, n: number): PlannedPhoto => {
      const used = uses.get(picture) ?? 0
      uses.set(picture, used + 1)
      return {
        owner: evening.owner,
        filename: `${evening.prefix}${firstNumber + n * 3}.jpg`,
        takenAt: timeOf(evening, now, (n + random.between(0, 0.8)) / evening.photos),
        picture,
        variation: {
          isUpright: random.chance(0.2),
          ratio: random.chance(0.7) ? 3 / 2 : 4 / 3,
          zoom: zooms[used % zooms.length]! * random.between(0.94, 1), // less than the length
          position: [random.between(0.3, 0.7), random.between(0.4, 0.7)],
          isMirrored: used % 2 === 1,
          brightness: random.between(0.92, 1.12),
          warmth: warmth + random.between(-0.4, 0.4),
          longSide,
        },
      }
    }
    return picturesOf(evening, pictures, random).slice(0, photosPerEvening).map(planPhoto)
  })
}

/** How many photos are made concurrently: libvips uses one thread for each. */
const madeAtOnce = 3
/** The timeout for processing the photos that are still queued after the last upload. */
const processingWaitMs = 120_000

async function uploadPhoto(
  context: FillContext,
  accounts: DemoAccounts,
  { owner, filename, takenAt }: Pick<PlannedPhoto, 'owner' | 'filename' | 'takenAt'>,
  bytes: Buffer,
): Promise<DemoPhoto> {
  const file = { bytes, name: filename, type: 'image/jpeg' }
  const { id } = await callApi<{ id: string }>(context, accounts[owner].token, {
    method: 'POST',
    url: '/photos/upload',
    file,
  })
  return { owner, filename, takenAt, id }
}

/** Makes all photos and uploads them through the API. Stops at the first failure. */
export async function uploadPhotos(
  context: FillContext,
  accounts: DemoAccounts,
  planned: readonly PlannedPhoto[],
): Promise<DemoPhoto[]> {
  const uploaded: DemoPhoto[] = []
  await forEachConcurrently(planned, madeAtOnce, async (photo) => {
    context.signal.throwIfAborted()
    const bytes = await varyPhoto(await readPicture(photo.picture), photo.variation)
    uploaded.push(await uploadPhoto(context, accounts, photo, bytes))
    if (uploaded.length % 10 === 0) context.reportProgress(`${uploaded.length} of ${planned.length} photos`)
  })
  return uploaded
}

/** Uploads a truncated photo, as from a damaged memory card: its processing fails. */
export async function uploadDamagedPhoto(
  context: FillContext,
  accounts: DemoAccounts,
  { picture, takenAt }: PlannedPhoto,
): Promise<DemoPhoto> {
  const whole = await readPicture(picture)
  const damaged = { owner: 'studio', filename: 'LUMEN-card-error.jpg', takenAt } as const
  return uploadPhoto(context, accounts, damaged, whole.subarray(0, Math.round(whole.length * 0.4)))
}

/** Waits until no photo is waiting or being processed, here or in a running server. */
export async function waitUntilProcessed(db: Db, signal: AbortSignal): Promise<void> {
  for (const end = Date.now() + processingWaitMs; Date.now() < end; await wait(150, undefined, { signal })) {
    const { rows } = await sql`select 1 from photos where state in ('receiving', 'queued') limit 1`.execute(db)
    if (rows.length === 0) return
  }
  throw new Error(`photos were still being processed after ${processingWaitMs / 1000} s`)
}
