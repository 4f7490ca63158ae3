import { crc32 } from 'node:zlib'

/**
 * Writes ZIP files (APPNOTE 6.3.10) whose entries are stored as they are, since photos are compressed already. No library of npm
 * takes a CRC-32 that is known beforehand for bytes that are read later; with it, all of a file but the photos is computed from a
 * list, so that its length is known and any range of it can be sent.
 */
export interface ZipEntry {
  /** Its path, with `/` between folders. */
  name: string
  bytes: number
  crc32: number
  modifiedAt: Date
}

/** The times of files are written by the clock of a time zone. */
interface ZipOptions {
  timeZone: string
}

/** An entry, and what of its header is not known to its reader. */
interface Header extends ZipEntry {
  encodedName: Buffer
  /** Size and checksum follow the bytes, in a data descriptor. */
  isDescribed?: boolean
}

const max16 = 0xffff
const max32 = 0xffff_ffff
const [localBytes, centralBytes, endBytes, end64Bytes, locatorBytes] = [30, 46, 22, 56, 20]
const timestampBytes = 9
const [version, version64] = [20, 45]
/** Names are in UTF-8. */
const utf8Flag = 0x800
const descriptorFlag = 0x8
/** A regular file that its owner may write and all may read, as Unix has it. */
const [unix, fileMode] = [3, 0o100_644]

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The date and the time of MS-DOS: by the local clock, in steps of two seconds, from 1980 to 2107. */
function dosTimeOf(at: Date, timeZone: string): { date: number; time: number } {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' })
  clocks.set(timeZone, clock)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = clock.format(at).split(/[- :]/).map(Number)
  if (year < 1980 || year > 2107) return { date: (1 << 5) | 1, time: 0 }
  return { date: ((year - 1980) << 9) | (month << 5) | day, time: (hour << 11) | (minute << 5) | (second >> 1) }
}

/** The extra field that has the time in UTC, to the second. */
function timestampOf(at: Date): Buffer {
  const field = Buffer.alloc(timestampBytes)
  field.writeUInt16LE(0x5455, 0)
  field.writeUInt16LE(timestampBytes - 4, 2)
  field.writeUInt8(1, 4)
  field.writeUInt32LE(Math.min(max32, Math.max(0, Math.floor(at.getTime() / 1000))), 5)
  return field
}

/** The extra field with numbers that do not fit into 32 bits; empty without any. */
function field64Of(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(0x0001, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * at)
  return field
}

const localBytesOf = ({ bytes, encodedName }: Header): number =>
  localBytes + encodedName.length + timestampBytes + (bytes >= max32 ? 20 : 0)

function localHeader(entry: Header, { timeZone }: ZipOptions): Buffer {
  const { bytes, encodedName, modifiedAt, isDescribed = false } = entry
  const is64 = bytes >= max32
  const { date, time } = dosTimeOf(modifiedAt, timeZone)
  const fixed = Buffer.alloc(localBytes)
  fixed.writeUInt32LE(0x04034b50, 0)
  fixed.writeUInt16LE(is64 ? version64 : version, 4)
  fixed.writeUInt16LE(utf8Flag | (isDescribed ? descriptorFlag : 0), 6)
  fixed.writeUInt16LE(time, 10)
  fixed.writeUInt16LE(date, 12)
  fixed.writeUInt32LE(isDescribed ? 0 : entry.crc32, 14)
  fixed.writeUInt32LE(isDescribed ? 0 : Math.min(bytes, max32), 18)
  fixed.writeUInt32LE(isDescribed ? 0 : Math.min(bytes, max32), 22)
  fixed.writeUInt16LE(encodedName.length, 26)
  const extra = Buffer.concat([timestampOf(modifiedAt), field64Of(is64 ? [bytes, bytes] : [])])
  fixed.writeUInt16LE(extra.length, 28)
  return Buffer.concat([fixed, encodedName, extra])
}

const centralBytesOf = ({ bytes, encodedName }: Header, start: number): number => {
  const numbers64 = (bytes >= max32 ? 2 : 0) + (start >= max32 ? 1 : 0)
  return centralBytes + encodedName.length + timestampBytes + (numbers64 > 0 ? 4 + 8 * numbers64 : 0)
}

function centralHeader(entry: Header, start: number, { timeZone }: ZipOptions): Buffer {
  const { bytes, encodedName, modifiedAt, isDescribed = false } = entry
  const numbers64 = [...(bytes >= max32 ? [bytes, bytes] : []), ...(start >= max32 ? [start] : [])]
  const { date, time } = dosTimeOf(modifiedAt, timeZone)
  const needed = numbers64.length > 0 ? version64 : version
  const fixed = Buffer.alloc(centralBytes)
  fixed.writeUInt32LE(0x02014b50, 0)
  fixed.writeUInt16LE((unix << 8) | needed, 4)
  fixed.writeUInt16LE(needed, 6)
  fixed.writeUInt16LE(utf8Flag | (isDescribed ? descriptorFlag : 0), 8)
  fixed.writeUInt16LE(time, 12)
  fixed.writeUInt16LE(date, 14)
  fixed.writeUInt32LE(entry.crc32, 16)
  fixed.writeUInt32LE(Math.min(bytes, max32), 20)
  fixed.writeUInt32LE(Math.min(bytes, max32), 24)
  fixed.writeUInt16LE(encodedName.length, 28)
  const extra = Buffer.concat([timestampOf(modifiedAt), field64Of(numbers64)])
  fixed.writeUInt16LE(extra.length, 30)
  fixed.writeUInt32LE((fileMode << 16) >>> 0, 38)
  fixed.writeUInt32LE(Math.min(start, max32), 42)
  return Buffer.concat([fixed, encodedName, extra])
}

interface Directory {
  entries: number
  start: number
  bytes: number
}

const needs64 = ({ entries, start, bytes }: Directory): boolean => entries >= max16 || start >= max32 || bytes >= max32

function endOf(directory: Directory): Buffer {
  const { entries, start, bytes } = directory
  const end = Buffer.alloc(endBytes)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, max16), 8)
  end.writeUInt16LE(Math.min(entries, max16), 10)
  end.writeUInt32LE(Math.min(bytes, max32), 12)
  end.writeUInt32LE(Math.min(start, max32), 16)
  if (!needs64(directory)) return end
  const end64 = Buffer.alloc(end64Bytes + locatorBytes)
  end64.writeUInt32LE(0x06064b50, 0)
  end64.writeBigUInt64LE(BigInt(end64Bytes - 12), 4)
  end64.writeUInt16LE((unix << 8) | version64, 12)
  end64.writeUInt16LE(version64, 14)
  end64.writeBigUInt64LE(BigInt(entries), 24)
  end64.writeBigUInt64LE(BigInt(entries), 32)
  end64.writeBigUInt64LE(BigInt(bytes), 40)
  end64.writeBigUInt64LE(BigInt(start), 48)
  end64.writeUInt32LE(0x07064b50, end64Bytes)
  end64.writeBigUInt64LE(BigInt(start + bytes), end64Bytes + 8)
  end64.writeUInt32LE(1, end64Bytes + 16)
  return Buffer.concat([end64, end])
}

/** What is at a position of a ZIP file: bytes of its own, or bytes of an entry from `offset` on. */
type ZipPart = { bytes: Buffer } | { entry: number; offset: number; left: number }

/** Where everything is in a ZIP file of these entries. */
export interface ZipLayout {
  bytes: number
  at(position: number): ZipPart
}

/** Entries of the central directory that are written at once: a directory of 100,000 is not made in one go. */
const entriesAtOnce = 256

/** In arrays of numbers: an event has tens of thousands of photos, and a download of it lasts for hours. */
export function layOutZip(entries: readonly ZipEntry[], options: ZipOptions): ZipLayout {
  const count = entries.length
  const names = Buffer.from(entries.map(({ name }) => name).join(''))
  const nameStarts = new Uint32Array(count + 1)
  /** Where each entry and its header in the central directory start; the last are the ends. */
  const [starts, centralStarts] = [new Float64Array(count + 1), new Float64Array(count + 1)]
  const [sizes, times, checksums] = [new Float64Array(count), new Float64Array(count), new Uint32Array(count)]
  for (const [index, { name, bytes, crc32: checksum, modifiedAt }] of entries.entries()) {
    nameStarts[index + 1] = nameStarts[index]! + Buffer.byteLength(name)
    sizes[index] = bytes
    times[index] = modifiedAt.getTime()
    checksums[index] = checksum
    const header = headerOf(index)
    const start = starts[index]!
    starts[index + 1] = start + localBytesOf(header) + bytes
    centralStarts[index + 1] = centralStarts[index]! + centralBytesOf(header, start)
  }
  // Both have one element more than there are entries.
  const directory = { entries: count, start: starts[count]!, bytes: centralStarts[count]! }
  const end = endOf(directory)

  function headerOf(index: number): Header {
    return {
      name: '',
      bytes: sizes[index]!,
      crc32: checksums[index]!,
      modifiedAt: new Date(times[index]!),
      encodedName: names.subarray(nameStarts[index], nameStarts[index + 1]),
    }
  }
  /** Bytes of the central directory from a position in it. */
  function centralAt(position: number): Buffer {
    const first = indexAt(centralStarts, position)
    const headers: Buffer[] = []
    for (let index = first; index < Math.min(count, first + entriesAtOnce); index += 1)
      headers.push(centralHeader(headerOf(index), starts[index]!, options))
    return Buffer.concat(headers).subarray(position - centralStarts[first]!)
  }
  return {
    bytes: directory.start + directory.bytes + end.length,
    at(position) {
      const inDirectory = position - directory.start
      if (inDirectory >= directory.bytes) return { bytes: end.subarray(inDirectory - directory.bytes) }
      if (inDirectory >= 0) return { bytes: centralAt(inDirectory) }
      const entry = indexAt(starts, position)
      const header = headerOf(entry)
      const inEntry = position - starts[entry]!
      const headerBytes = localBytesOf(header)
      if (inEntry < headerBytes) return { bytes: localHeader(header, options).subarray(inEntry) }
      const offset = inEntry - headerBytes
      return { entry, offset, left: header.bytes - offset }
    },
  }
}

/** The last one that starts at a position or before it; `starts` ends with the end of the last. */
function indexAt(starts: Float64Array, position: number): number {
  let [index, after] = [0, starts.length - 1]
  while (after - index > 1) {
    const middle = (index + after) >> 1
    if (starts[middle]! <= position) index = middle
    else after = middle
  }
  return index
}

/** What is added to a ZIP file that is written from its start to its end. */
export interface ZipContent {
  name: string
  modifiedAt: Date
  content: Buffer | AsyncIterable<Buffer | string>
}

/**
 * A ZIP file as bytes that are made while they are read, for contents of unknown length, which data descriptors follow. Closes
 * the content that is being read when the reader stops.
 */
export async function* writeZip(contents: AsyncIterable<ZipContent>, options: ZipOptions): AsyncGenerator<Buffer> {
  const central: Buffer[] = []
  let position = 0
  for await (const { name, modifiedAt, content } of contents) {
    const start = position
    const isDescribed = !Buffer.isBuffer(content)
    const [bytes, checksum] = isDescribed ? [0, 0] : [content.length, crc32(content)]
    const header: Header = { name, modifiedAt, encodedName: Buffer.from(name), isDescribed, bytes, crc32: checksum }
    const local = localHeader(header, options)
    position += local.length
    yield local
    if (Buffer.isBuffer(content)) {
      position += content.length
      // A reader may free what it gets, and nothing else reads it.
      yield content
    } else {
      for await (const chunk of content) {
        const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        header.bytes += piece.length
        header.crc32 = crc32(piece, header.crc32)
        yield piece
      }
      if (header.bytes >= max32) throw new Error('an entry of unknown length has 4 GB or more')
      position += header.bytes
      const descriptor = Buffer.alloc(16)
      descriptor.writeUInt32LE(0x08074b50, 0)
      descriptor.writeUInt32LE(header.crc32, 4)
      descriptor.writeUInt32LE(header.bytes, 8)
      descriptor.writeUInt32LE(header.bytes, 12)
      position += descriptor.length
      yield descriptor
    }
    central.push(centralHeader(header, start, options))
  }
  const bytes = central.reduce((sum, header) => sum + header.length, 0)
  // In pieces: an account may have a million photos.
  yield* central
  yield endOf({ entries: central.length, start: position, bytes })
}

const comparedName = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** Makes names unique, also on file systems that ignore case or write characters in another form: `name (2).jpg`. */
export function createUniqueNames(): (name: string) => string {
  const taken = new Map<string, number>()
  return (name) => {
    const dot = name.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    for (let number = taken.get(comparedName(name)) ?? 1; ; number += 1) {
      const numbered = number === 1 ? name : `${stem} (${number})${extension}`
      if (number > 1 && taken.has(comparedName(numbered))) continue
      taken.set(comparedName(name), number + 1)
      if (number > 1) taken.set(comparedName(numbered), 2)
      return numbered
    }
  }
}
