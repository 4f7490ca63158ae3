import type { Assumptions, PhotoKind } from './assumptions.ts'
import { workCost, type CommittedResult, type WorkCost } from './measured-costs.ts'

/** What a photo needs, measured; of HEIC photos, the image processes as decision 30 has measured them. */
export function photoCost(costs: CommittedResult, kind: PhotoKind, { operation }: Assumptions): WorkCost {
  if (kind !== '12 MP, HEIC') return workCost(costs, kind)
  return { ...workCost(costs, '12 MP, re-encoded'), images: operation.heicImageMs }
}

/** Bytes of a photo. */
export function photoBytes(
  costs: CommittedResult,
  kind: PhotoKind,
  { operation }: Assumptions,
): { uploaded: number; stored: number } {
  if (kind === '12 MP, HEIC') return operation.heicBytes
  return { uploaded: costs.valueOf(`${kind}, uploaded`), stored: costs.valueOf(`${kind}, stored`) }
}

export const photoKinds = (assumptions: Assumptions): PhotoKind[] => Object.keys(assumptions.event.mix) as PhotoKind[] // the keys of the record's type

/** The average photo of the mix. */
export interface AveragePhoto extends WorkCost {
  /** Of PostgreSQL; the statements are the same for each kind of file. */
  transactions: number
  uploadedBytes: number
  storedBytes: number
}

export function averagePhoto(costs: CommittedResult, assumptions: Assumptions): AveragePhoto {
  const average = { program: 0, images: 0, database: 0, walBytes: 0, uploadedBytes: 0, storedBytes: 0 }
  for (const kind of photoKinds(assumptions)) {
    const share = assumptions.event.mix[kind]
    const { uploaded, stored } = photoBytes(costs, kind, assumptions)
    const all = { ...photoCost(costs, kind, assumptions), uploadedBytes: uploaded, storedBytes: stored }
    for (const key of Object.keys(average) as (keyof typeof average)[]) average[key] += share * all[key] // its own keys
  }
  return { ...average, transactions: costs.valueOf('12 MP, kept, transactions') }
}

/** An attachment is in base64, in lines of 76 characters. */
const attachedBytesPerByte = (4 / 3) * (78 / 76)

/** Bytes of an email with a plain photo of 12 megapixels. */
export const emailBytesOf = (costs: CommittedResult): number =>
  costs.valueOf('12 MP, kept, stored') * attachedBytesPerByte

/** Everything else that one photo causes: guests, emails, screens and lists. */
export interface PhotoTraffic {
  program: number
  database: number
  /** To guests and hosts, and in emails. */
  bytesOut: number
  emailBytes: number
  /** From the object store. */
  reads: number
}

export function trafficOf(costs: CommittedResult, assumptions: Assumptions): PhotoTraffic {
  const { scans, downloads, emails, bigScreens, otherSockets, galleryVisits } = assumptions.event
  const { storedBytes } = averagePhoto(costs, assumptions)
  const work = (name: string): WorkCost => workCost(costs, name)
  const update = work('update of one photo to the 50 sockets of its owner')
  const thumbnails = scans + galleryVisits
  const fullImages = downloads + bigScreens
  const updates = 3
  const sum = (part: 'program' | 'database'): number =>
    scans * work('guest page')[part] +
    thumbnails * work('thumbnail')[part] +
    fullImages * work('download of a 12 MP photo')[part] +
    bigScreens * work('QR code')[part] +
    emails * work('email with a 12 MP photo')[part] +
    updates * ((update[part] * (bigScreens + otherSockets)) / 50)
  const emailBytes = emailBytesOf(costs)
  const thumbnailBytes = costs.valueOf('thumbnail, sent')
  return {
    program: sum('program'),
    database: sum('database'),
    emailBytes: emails * emailBytes,
    bytesOut:
      scans * costs.valueOf('guest page, sent') +
      thumbnails * thumbnailBytes +
      fullImages * storedBytes +
      emails * emailBytes,
    reads: thumbnails + fullImages + emails,
  }
}
