import { be16, be32, joined, latin1, le16, le32, packed } from './bytes.ts'

/** Who made a picture and whose it is: the only words of a file that outlive it. */
export interface Credit {
  artist: string | null
  copyright: string | null
}

export const noCredit: Credit = { artist: null, copyright: null }

/** What we take from an EXIF block (or from the first directory of a TIFF file, which is the same thing). */
export interface Exif {
  /** 1 to 8, as EXIF numbers them; 1 when absent or senseless. */
  orientation: number
  credit: Credit
  /** The numbers are Adobe RGB: cameras say so by an interoperability mark (DCF 2.0), and embed no profile. */
  adobeRgb: boolean
  /** Written as the standard says, so that no other reader sees another orientation in it. */
  isUsual: boolean
}

export const noExif: Exif = { orientation: 1, credit: noCredit, adobeRgb: false, isUsual: true }

const tags = {
  orientation: 0x0112,
  artist: 0x013b,
  copyright: 0x8298,
  exif: 0x8769,
  interoperability: 0xa005,
  interoperabilityIndex: 0x0001,
} as const
const maxEntries = 512
const maxChars = 200

/** A TIFF structure and how its numbers are written. */
interface Tiff {
  b: Uint8Array
  u16: typeof be16
  u32: typeof be32
}

interface Entry {
  type: number
  count: number
  /** Where its value lies. */
  at: number
}

/** Reads what we want of a TIFF structure (TIFF 6.0 section 2). Never throws; what is broken is absent. */
export function readExif(b: Uint8Array): Exif {
  const tiff = openTiff(b)
  if (!tiff) return { ...noExif, isUsual: false }
  const main = directory(tiff, tiff.u32(b, 4))
  const turned = numberOf(tiff, main.get(tags.orientation))
  return {
    orientation: turned !== null && turned >= 1 && turned <= 8 ? turned : 1,
    credit: { artist: wordsOf(tiff, main.get(tags.artist)), copyright: wordsOf(tiff, main.get(tags.copyright)) },
    adobeRgb: isAdobeRgb(tiff, main),
    isUsual: turned !== null || !main.has(tags.orientation),
  }
}

function openTiff(b: Uint8Array): Tiff | null {
  const little = b[0] === 0x49 && b[1] === 0x49
  if (!little && !(b[0] === 0x4d && b[1] === 0x4d)) return null
  const tiff = { b, u16: little ? le16 : be16, u32: little ? le32 : be32 }
  return tiff.u16(b, 2) === 42 ? tiff : null
}

/** The entries of the directory at `start`, by tag. */
function directory({ b, u16, u32 }: Tiff, start: number): Map<number, Entry> {
  const found = new Map<number, Entry>()
  const count = Math.min(u16(b, start), maxEntries)
  for (let i = 0; i < count; i++) {
    const at = start + 2 + i * 12
    const type = u16(b, at + 2)
    const values = u32(b, at + 4)
    const bytes = values * (type === 3 ? 2 : type === 4 ? 4 : 1)
    found.set(u16(b, at), { type, count: values, at: bytes <= 4 ? at + 8 : u32(b, at + 8) })
  }
  return found
}

/** A single SHORT or LONG. */
function numberOf({ b, u16, u32 }: Tiff, entry: Entry | undefined): number | null {
  if (entry?.count !== 1 || (entry.type !== 3 && entry.type !== 4)) return null
  const value = entry.type === 3 ? u16(b, entry.at) : u32(b, entry.at)
  return Number.isNaN(value) ? null : value
}

/** Type 2 is ASCII, 129 is UTF-8 (EXIF 3.0). */
function wordsOf({ b }: Tiff, entry: Entry | undefined): string | null {
  if (!entry || (entry.type !== 2 && entry.type !== 129) || !(entry.count >= 1) || Number.isNaN(entry.at)) return null
  return plainWords(b.subarray(entry.at, entry.at + Math.min(entry.count, 4 * maxChars)))
}

function isAdobeRgb(tiff: Tiff, main: Map<number, Entry>): boolean {
  const exif = numberOf(tiff, main.get(tags.exif))
  if (exif === null) return false
  const interoperability = numberOf(tiff, directory(tiff, exif).get(tags.interoperability))
  if (interoperability === null) return false
  return wordsOf(tiff, directory(tiff, interoperability).get(tags.interoperabilityIndex)) === 'R03'
}

/** A minimal EXIF block: the orientation when it is not 1, and the credit. Null when there is nothing to say. */
export function writeExif({ orientation, credit }: Pick<Exif, 'orientation' | 'credit'>): Uint8Array | null {
  const words: [tag: number, value: string][] = []
  if (credit.artist) words.push([tags.artist, credit.artist])
  if (credit.copyright) words.push([tags.copyright, credit.copyright])
  const entries = words.length + (orientation === 1 ? 0 : 1)
  if (entries === 0) return null
  const head: Uint8Array[] = [latin1('MM'), packed([42, 2], [8, 4], [entries, 2])]
  if (orientation !== 1) head.push(packed([tags.orientation, 2], [3, 2], [1, 4], [orientation, 2], [0, 2]))
  const tail: Uint8Array[] = []
  let at = 8 + 2 + entries * 12 + 4
  for (const [tag, value] of words) {
    // Values of four bytes and fewer would have to sit in the entry itself; padding keeps one shape for all.
    const bytes = latin1(`${value.padEnd(4)}\0`)
    head.push(packed([tag, 2], [2, 2], [bytes.length, 4], [at, 4]))
    tail.push(bytes)
    at += bytes.length
  }
  return joined([...head, packed([0, 4]), ...tail])
}

/**
 * Printable ASCII of at most 200 characters, or null. A copyright may hold two statements parted by NUL (EXIF 2.3,
 * photographer and editor): both stay.
 */
export function plainWords(bytes: Uint8Array): string | null {
  const words = decoded(bytes)
    .split('\0')
    .map((part) =>
      part
        .replaceAll('\u00a9', '(c)')
        .normalize('NFKD')
        .replaceAll(/[^\x20-\x7e]/g, '')
        .replaceAll(/ {2,}/g, ' ')
        .trim(),
    )
    .filter((part) => part !== '')
    .join('; ')
    .slice(0, maxChars)
    .trimEnd()
  return words === '' ? null : words
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}
