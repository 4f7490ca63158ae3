import { be16, be32, concatBytes, latin1Bytes, le16, le32, packNumbers } from '../bytes.ts'

/** Who made a picture and who owns it: the only text of an upload that is kept. */
export interface Credit {
  artist: string | null
  copyright: string | null
}

/** When a camera says that a picture was taken, by its own clock. Never in a file that is served. */
export interface CaptureTime {
  /** What the clock showed, as milliseconds since 1970 if it had been UTC. */
  clockMs: number
  /** How far the clock was ahead of UTC, in minutes; null when the file does not say it. */
  offsetMinutes: number | null
}

export const noCredit: Credit = { artist: null, copyright: null }

/** What is read from an EXIF block, or from the first directory of a TIFF file, which has the same structure. */
export interface Exif {
  /** 1 to 8, as EXIF numbers them; 1 when it is missing or invalid. */
  orientation: number
  credit: Credit
  /** The pixels are Adobe RGB. Cameras mark this by an interoperability index (DCF 2.0) and embed no profile. */
  adobeRgb: boolean
  capturedAt: CaptureTime | null
  /** The orientation is written as the standard says, so that no other reader finds another one. */
  isUnambiguous: boolean
}

export const noExif: Exif = { orientation: 1, credit: noCredit, adobeRgb: false, capturedAt: null, isUnambiguous: true }

const exifTags = {
  orientation: 0x0112,
  artist: 0x013b,
  copyright: 0x8298,
  exif: 0x8769,
  capturedAt: 0x9003,
  captureOffset: 0x9011,
  captureSubseconds: 0x9291,
  interoperability: 0xa005,
  interoperabilityIndex: 0x0001,
} as const
/** Field types of TIFF 6.0; UTF-8 comes from EXIF 3.0. */
const fieldTypes = { ascii: 2, short: 3, long: 4, utf8: 129 } as const
const maxEntries = 512
const maxCreditChars = 200

interface Tiff {
  bytes: Uint8Array
  u16: typeof be16
  u32: typeof be32
}

interface IfdEntry {
  type: number
  count: number
  offset: number
}

/** Reads a TIFF structure (TIFF 6.0 section 2). Never throws: what is broken counts as missing. */
export function readExif(bytes: Uint8Array): Exif {
  const tiff = openTiff(bytes)
  if (!tiff) return { ...noExif, isUnambiguous: false }
  const mainDirectory = readIfd(tiff, tiff.u32(bytes, 4))
  const orientation = readInteger(tiff, mainDirectory.get(exifTags.orientation))
  const exifStart = readInteger(tiff, mainDirectory.get(exifTags.exif))
  const exifDirectory = exifStart === null ? new Map<number, IfdEntry>() : readIfd(tiff, exifStart)
  return {
    orientation: orientation !== null && orientation >= 1 && orientation <= 8 ? orientation : 1,
    credit: {
      artist: readText(tiff, mainDirectory.get(exifTags.artist)),
      copyright: readText(tiff, mainDirectory.get(exifTags.copyright)),
    },
    adobeRgb: isAdobeRgb(tiff, exifDirectory),
    capturedAt: readCaptureTime(tiff, exifDirectory),
    isUnambiguous: orientation !== null || !mainDirectory.has(exifTags.orientation),
  }
}

function openTiff(bytes: Uint8Array): Tiff | null {
  const isLittleEndian = bytes[0] === 0x49 && bytes[1] === 0x49
  if (!isLittleEndian && !(bytes[0] === 0x4d && bytes[1] === 0x4d)) return null
  const tiff = { bytes, u16: isLittleEndian ? le16 : be16, u32: isLittleEndian ? le32 : be32 }
  return tiff.u16(bytes, 2) === 42 ? tiff : null
}

/** The entries of the directory at an offset, by tag. */
function readIfd({ bytes, u16, u32 }: Tiff, start: number): Map<number, IfdEntry> {
  const entries = new Map<number, IfdEntry>()
  const count = Math.min(u16(bytes, start), maxEntries)
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * 12
    const type = u16(bytes, at + 2)
    const values = u32(bytes, at + 4)
    const size = values * (type === fieldTypes.short ? 2 : type === fieldTypes.long ? 4 : 1)
    entries.set(u16(bytes, at), { type, count: values, offset: size <= 4 ? at + 8 : u32(bytes, at + 8) })
  }
  return entries
}

function readInteger({ bytes, u16, u32 }: Tiff, entry: IfdEntry | undefined): number | null {
  if (entry?.count !== 1 || (entry.type !== fieldTypes.short && entry.type !== fieldTypes.long)) return null
  const value = entry.type === fieldTypes.short ? u16(bytes, entry.offset) : u32(bytes, entry.offset)
  return Number.isNaN(value) ? null : value
}

function readText({ bytes }: Tiff, entry: IfdEntry | undefined): string | null {
  if (!entry || (entry.type !== fieldTypes.ascii && entry.type !== fieldTypes.utf8)) return null
  if (!(entry.count >= 1) || Number.isNaN(entry.offset)) return null
  return printableText(bytes.subarray(entry.offset, entry.offset + Math.min(entry.count, 4 * maxCreditChars)))
}

/** The limits of `CaptureTime`. Digital cameras without a set clock say 1970, 1980 or the first day of 2000. */
const [earliestClockMs, latestClockMs] = [Date.UTC(2000, 0, 2), Date.UTC(2100, 0, 1)]
/** Of the time zones of the world, in minutes. */
const [westmostOffset, eastmostOffset] = [-12 * 60, 14 * 60]

/** Whether a time is one that a camera can mean. */
export const isPlausibleCapture = ({ clockMs, offsetMinutes }: CaptureTime): boolean =>
  Number.isInteger(clockMs) &&
  clockMs >= earliestClockMs &&
  clockMs < latestClockMs &&
  (offsetMinutes === null ||
    (Number.isInteger(offsetMinutes) && offsetMinutes >= westmostOffset && offsetMinutes <= eastmostOffset))

/** EXIF 2.31: `2026:11:14 21:05:59`, with the fraction of the second and the offset in tags of their own. */
function readCaptureTime(tiff: Tiff, exifDirectory: Map<number, IfdEntry>): CaptureTime | null {
  const text = (tag: number): string => readText(tiff, exifDirectory.get(tag)) ?? ''
  const [, day, time] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)$/.exec(text(exifTags.capturedAt)) ?? []
  if (day === undefined || time === undefined) return null
  const iso = `${day.replaceAll(':', '-')}T${time}`
  const seconds = Date.parse(`${iso}Z`)
  // A day that does not exist, such as 31 February, would be read as one of the next month.
  if (Number.isNaN(seconds) || !new Date(seconds).toISOString().startsWith(iso)) return null
  const [, fraction = ''] = /^(\d{1,9})$/.exec(text(exifTags.captureSubseconds)) ?? []
  const [, sign, hours, minutes] = /^([+-])(\d\d):([0-5]\d)$/.exec(text(exifTags.captureOffset)) ?? []
  const clockMs = seconds + Number(fraction.padEnd(3, '0').slice(0, 3))
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  // Without the offset, if that is none.
  const times = [offset, null].map((offsetMinutes) => ({ clockMs, offsetMinutes }))
  return times.find(isPlausibleCapture) ?? null
}

function isAdobeRgb(tiff: Tiff, exifDirectory: Map<number, IfdEntry>): boolean {
  const interoperability = readInteger(tiff, exifDirectory.get(exifTags.interoperability))
  if (interoperability === null) return false
  return readText(tiff, readIfd(tiff, interoperability).get(exifTags.interoperabilityIndex)) === 'R03'
}

/** A minimal EXIF block with the orientation, unless it is 1, and the credit. Null when there is neither. */
export function writeExif({ orientation, credit }: Pick<Exif, 'orientation' | 'credit'>): Uint8Array | null {
  const texts: [tag: number, text: string][] = []
  if (credit.artist) texts.push([exifTags.artist, credit.artist])
  if (credit.copyright) texts.push([exifTags.copyright, credit.copyright])
  const entries = texts.length + (orientation === 1 ? 0 : 1)
  if (entries === 0) return null
  const ifd: Uint8Array[] = [latin1Bytes('MM'), packNumbers([42, 2], [8, 4], [entries, 2])]
  if (orientation !== 1)
    ifd.push(packNumbers([exifTags.orientation, 2], [fieldTypes.short, 2], [1, 4], [orientation, 2], [0, 2]))
  const values: Uint8Array[] = []
  let offset = 8 + 2 + entries * 12 + 4
  for (const [tag, text] of texts) {
    // A value of four bytes or fewer would have to be inside the entry. Padding avoids that second layout.
    const value = latin1Bytes(`${text.padEnd(4)}\0`)
    ifd.push(packNumbers([tag, 2], [fieldTypes.ascii, 2], [value.length, 4], [offset, 4]))
    values.push(value)
    offset += value.length
  }
  return concatBytes([...ifd, packNumbers([0, 4]), ...values])
}

/**
 * Printable ASCII of at most 200 characters, or null when nothing is left. A copyright may hold two statements separated by
 * NUL (EXIF 2.3: photographer and editor); both are kept.
 */
export function printableText(bytes: Uint8Array): string | null {
  const text = decodeText(bytes)
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
    .slice(0, maxCreditChars)
    .trimEnd()
  return text === '' ? null : text
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}
