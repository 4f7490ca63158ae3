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
}

const tags = { orientation: 0x0112, artist: 0x013b, copyright: 0x8298 } as const
const maxEntries = 512
const maxChars = 200

/** Reads the first directory of a TIFF structure (TIFF 6.0 section 2). Never throws; what is broken is absent. */
export function readExif(b: Uint8Array): Exif {
  const found: Exif = { orientation: 1, credit: { ...noCredit } }
  const little = b[0] === 0x49 && b[1] === 0x49
  if (!little && !(b[0] === 0x4d && b[1] === 0x4d)) return found
  const u16 = little ? le16 : be16
  const u32 = little ? le32 : be32
  if (u16(b, 2) !== 42) return found
  const start = u32(b, 4)
  const entries = Math.min(u16(b, start), maxEntries)
  for (let i = 0; i < entries; i++) {
    const at = start + 2 + i * 12
    const tag = u16(b, at)
    const type = u16(b, at + 2)
    const count = u32(b, at + 4)
    if (tag === tags.orientation && type === 3 && count === 1) {
      const value = u16(b, at + 8)
      if (value >= 1 && value <= 8) found.orientation = value
    }
    if (tag !== tags.artist && tag !== tags.copyright) continue
    // 2 is ASCII; 129 is UTF-8 (EXIF 3.0).
    if ((type !== 2 && type !== 129) || !(count >= 1)) continue
    const from = count <= 4 ? at + 8 : u32(b, at + 8)
    const words = Number.isNaN(from) ? null : plainWords(b.subarray(from, from + Math.min(count, 4 * maxChars)))
    if (tag === tags.artist) found.credit.artist = words
    else found.credit.copyright = words
  }
  return found
}

/** A minimal EXIF block: the orientation when it is not 1, and the credit. Null when there is nothing to say. */
export function writeExif({ orientation, credit }: Exif): Uint8Array | null {
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
  return words === '' ? null : words
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}
