import type { PartyPhoto } from '../images/drawing/draw.ts'
import { paletteNames, sceneNames, type SceneName } from '../images/drawing/draw.ts'
import { createRandom, type Random } from '../images/drawing/random.ts'
import type { DemoSize } from './fill-context.ts'
import type { PersonName } from './people.ts'

/** An evening at which somebody took photos. */
export interface DemoEvening {
  owner: PersonName
  /** How the camera names the files. */
  prefix: string
  photos: number
  palette: PartyPhoto['palette']
  /** How many weeks before the last Saturday; `null`: always in the current month, even on its first day. */
  weeksAgo: number | null
}

export const evenings: readonly DemoEvening[] = [
  { owner: 'studio', prefix: 'LUMEN', photos: 12, palette: 'amber', weeksAgo: 0 },
  { owner: 'studio', prefix: 'LUMEN', photos: 10, palette: 'violet', weeksAgo: 1 },
  { owner: 'studio', prefix: 'LUMEN', photos: 9, palette: 'garden', weeksAgo: 3 },
  { owner: 'studio', prefix: 'LUMEN', photos: 9, palette: 'emerald', weeksAgo: 5 },
  { owner: 'photographer', prefix: '_NL', photos: 9, palette: 'dusk', weeksAgo: 0 },
  { owner: 'photographer', prefix: '_NL', photos: 7, palette: 'garden', weeksAgo: 2 },
  { owner: 'host', prefix: 'IMG_', photos: 8, palette: 'dusk', weeksAgo: null },
  { owner: 'closed', prefix: 'DSC', photos: 4, palette: 'amber', weeksAgo: 4 },
]

/** A photo to draw and to upload, and when it was taken. */
export interface PlannedPhoto extends PartyPhoto {
  owner: PersonName
  filename: string
  takenAt: Date
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The first photo is taken at 18:30 UTC, the last one four and a half hours later. */
const startHour = 18.5
const eveningHours = 4.5

const sizes: readonly PartyPhoto['size'][] = [
  { width: 2000, height: 1334 },
  { width: 2000, height: 1334 },
  { width: 1334, height: 2000 },
  { width: 2000, height: 1500 },
]

/** The start of the last Saturday evening that is over. */
function lastSaturday(now: Date): number {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const daysSince = (now.getUTCDay() + 1) % 7 || 7
  return today - daysSince * dayMs + startHour * hourMs
}

/** The time of a photo; `part`: its position in the evening, from 0 (start) to 1 (end). */
function timeOf({ weeksAgo }: DemoEvening, now: Date, part: number): Date {
  const saturday = lastSaturday(now)
  const taken = saturday - (weeksAgo ?? 0) * 7 * dayMs + part * eveningHours * hourMs
  if (weeksAgo !== null) return new Date(taken)
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  // On the first days of a month its last Saturday may belong to the month before.
  return new Date(saturday >= monthStart ? taken : monthStart + part * (now.getTime() - monthStart))
}

/** The scenes of an evening in random order, each once. */
function sceneOrder(random: Random): SceneName[] {
  return sceneNames
    .map((scene) => ({ scene, rank: random.next() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ scene }) => scene)
}

function planEvening(evening: DemoEvening, index: number, now: Date): PlannedPhoto[] {
  const random = createRandom(7_919 * (index + 1))
  const scenes = sceneOrder(random)
  const firstNumber = random.integer(1_000, 8_000)
  return Array.from({ length: evening.photos }, (_, n) => ({
    owner: evening.owner,
    filename: `${evening.prefix}${firstNumber + n * 3}.jpg`,
    takenAt: timeOf(evening, now, (n + random.between(0, 0.8)) / evening.photos),
    seed: (index + 1) * 1_000 + n,
    scene: scenes[n % scenes.length]!, // less than the length
    palette: random.chance(0.8) ? evening.palette : random.pick(paletteNames),
    size: random.pick(sizes),
  }))
}

/** All photos; for tests, fewer of each evening and smaller ones. */
export const planPhotos = (
  now: Date,
  { photosPerEvening, scale }: DemoSize = { photosPerEvening: Infinity, scale: 1 },
): PlannedPhoto[] =>
  evenings
    .flatMap((evening, index) => planEvening(evening, index, now).slice(0, photosPerEvening))
    .map((photo) => ({
      ...photo,
      size: { width: Math.round(photo.size.width * scale), height: Math.round(photo.size.height * scale) },
    }))
