import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readHeif } from './boxes.ts'
import { readExif, writeExif } from './exif.ts'
import { cleanProfile, displayP3 } from './icc.ts'
import { cleanStart, isRebuilt, readJpeg, rebuildJpeg, rebuildOver } from './jpeg.ts'
import { sniff } from './sniff.ts'
import { isRecord } from './test/making.ts'
import { flatJpeg } from './test/flat-jpeg.ts'
import { names, partsOf } from './test/structure.ts'
import {
  exifSegment,
  fixture,
  jpeg,
  noise,
  opened,
  quartered,
  tellingExif,
  tellingJpeg,
  withSegments,
} from './test/pictures.ts'

const rounds = Number(process.env['KEEPSNAP_FUZZ']) || (isRecord ? 2_000_000 : 50_000)
const seed = Number(process.env['KEEPSNAP_SEED']) || 20_260_501
const random = noise(seed)
const below = (most: number): number => Math.floor(random() * most)
const oneOf = <T>(things: readonly T[]): T => things[below(things.length)]!

/** Numbers that readers stumble over. */
const telling = [0, 1, 2, 3, 0x7f, 0x80, 0xc0, 0xc2, 0xc4, 0xd0, 0xd8, 0xd9, 0xda, 0xdb, 0xdd, 0xe1, 0xfe, 0xff]

type Mutation = (file: Buffer, other: Buffer) => Buffer
const bytewise: Mutation[] = [
  (file) => {
    const copy = Buffer.from(file)
    for (let i = 0; i <= below(8); i++) copy[below(copy.length)] = oneOf(telling)
    return copy
  },
  (file) => {
    const copy = Buffer.from(file)
    copy[below(copy.length)]! ^= 1 << below(8)
    return copy
  },
  (file) => file.subarray(0, below(file.length)),
  (file) => cutOut(file, below(file.length), below(40)),
  (file) => inserted(file, below(file.length), Buffer.from(Array.from({ length: 1 + below(20) }, () => below(256)))),
  (file) => inserted(file, below(file.length), Buffer.from([0xff, oneOf(telling)])),
  (file, other) => Buffer.concat([file.subarray(0, below(file.length)), other.subarray(below(other.length))]),
]

/** Segments dropped, doubled, exchanged, or brought over from another file. */
const structural: Mutation[] = [
  (file) => recombined(file, (parts) => cut(parts, below(parts.length))),
  (file) => recombined(file, (parts) => parts.toSpliced(below(parts.length), 0, oneOf(parts))),
  (file) => recombined(file, (parts) => swapped(parts, below(parts.length), below(parts.length))),
  (file, other) => recombined(file, (parts) => parts.toSpliced(below(parts.length), 0, oneOf(pieces(other)))),
  (file) =>
    recombined(file, (parts) => {
      const at = below(parts.length)
      return parts.with(at, bytewise[below(2)]!(parts[at]!, file))
    }),
]

const cut = <T>(things: T[], at: number): T[] => things.toSpliced(at, 1)
const swapped = <T>(things: T[], one: number, other: number): T[] =>
  things.with(one, things[other]!).with(other, things[one]!)
const cutOut = (file: Buffer, at: number, count: number): Buffer =>
  Buffer.concat([file.subarray(0, at), file.subarray(at + count)])
const inserted = (file: Buffer, at: number, bytes: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)])

/** Segments and scans with their headers, as they stand. */
function pieces(file: Buffer): Buffer[] {
  const found: Buffer[] = []
  let at = 2
  for (const { name, bytes } of partsOf(file)) {
    const length = name === 'scan' || name === 'trailing' ? bytes.length : name === 'd9' ? 2 : bytes.length + 4
    found.push(file.subarray(at, at + length))
    at += length
  }
  return found
}
const recombined = (file: Buffer, change: (parts: Buffer[]) => Buffer[]): Buffer =>
  Buffer.concat([file.subarray(0, 2), ...change(pieces(file))])

/** The same bytes in the midst of others: who reads outside sees a difference. */
function surrounded(file: Buffer, by: number): Uint8Array {
  const room = Buffer.alloc(file.length + 128, by)
  file.copy(room, 64)
  return room.subarray(64, 64 + file.length)
}

const allowed = /^(e0|e1|e2|db|c4|c0|c1|c2|dd|da|scan|d9)$/

/**
 * With its start cleaned a file is as plain as before, or as odd, and rebuilt to the same; what stands outside it makes no
 * difference. Seen in pieces it is cleaned alike.
 */
function expectCleaned(file: Buffer): void {
  const start = cleanStart(surrounded(file, 0xff))
  if (!isDeepStrictEqual(start, cleanStart(surrounded(file, 0xd9)))) throw new Error('what stands outside told')
  const seen = cleanStart(file.subarray(0, below(file.length)))
  if (seen && 'start' in seen ? !isDeepStrictEqual(seen, start) : !seen && start)
    throw new Error('a part of the file was cleaned in another way')
  if (!start || !('start' in start)) return
  const cleaned = Buffer.concat([start.start, file.subarray(start.instead)])
  const [before, after] = [readJpeg(file), readJpeg(cleaned)]
  if (before.plain !== after.plain) throw new Error('cleaned, the file was not what it had been')
  if (!before.plain || !after.plain) return
  const out = Buffer.concat(rebuildJpeg(after))
  if (!out.equals(Buffer.concat(rebuildJpeg(before)))) throw new Error('cleaned, it is rebuilt to another one')
  // What follows the end, or stands before it and tells nothing, has not been looked at.
  if (isRebuilt(cleaned, after) !== out.equals(cleaned)) throw new Error('a file is not what it is taken for')
}

function expectHonest(file: Buffer): boolean {
  expectCleaned(file)
  const read = readJpeg(surrounded(file, 0xff))
  const again = readJpeg(surrounded(file, 0xd9))
  if (read.plain !== again.plain) throw new Error('what stands outside made a difference')
  if (!read.plain) return false
  const out = Buffer.concat(rebuildJpeg(read))
  if (again.plain && !out.equals(Buffer.concat(rebuildJpeg(again)))) throw new Error('what stands outside came in')
  expectSameInPlace(file, out)
  const second = readJpeg(out)
  if (!second.plain) throw new Error(`the rebuilt file is refused: ${second.why}`)
  if (!Buffer.concat(rebuildJpeg(second)).equals(out)) throw new Error('the rebuilt file is rebuilt to another one')
  if (names(out).some((name) => !allowed.test(name)))
    throw new Error(`a foreign part came through: ${names(out).join(' ')}`)
  expectScansOf(file, out)
  return true
}

/** Written over the bytes it was read from, the rebuilt file is the same, and nothing beside them is touched. */
function expectSameInPlace(file: Buffer, out: Buffer): void {
  const b = surrounded(file, 0x5a)
  const read = readJpeg(b)
  if (!read.plain || !out.equals(rebuildOver(b, read))) throw new Error('rebuilt in place it is another file')
  const room = Buffer.from(b.buffer, b.byteOffset - 64, 128 + file.length)
  if ([...room.subarray(0, 64), ...room.subarray(64 + file.length)].some((byte) => byte !== 0x5a))
    throw new Error('what stands outside was written to')
}

/** Every scan that came out went in, whole, and in this order. */
function expectScansOf(file: Buffer, out: Buffer): void {
  let from = 0
  const parts = partsOf(out)
  parts.forEach(({ name, bytes }, i) => {
    if (name !== 'scan') return
    const header = parts[i - 1]!.bytes
    const whole = Buffer.concat([header, bytes, Buffer.from([0xff])])
    const at = file.indexOf(whole, from)
    if (at === -1) throw new Error('a scan came out that did not go in')
    from = at + whole.length - 1
  })
}

describe(`the strict reader, ${rounds} times from seed ${seed}`, () => {
  test('never fails, never looks outside, and lets nothing foreign through', { timeout: 24 * 3_600_000 }, async () => {
    const small = () => opened(quartered(48, 40))
    const seeds = [
      await jpeg({ width: 40, height: 32 }),
      await jpeg({ width: 40, height: 32, progressive: true }),
      await jpeg({ width: 33, height: 17, chromaSubsampling: '4:4:4' }),
      tellingJpeg(await jpeg({ width: 40, height: 32 }), 6),
      withSegments(await jpeg({ width: 16, height: 16 }), exifSegment(tellingExif(3))),
      await small().withIccProfile('p3').jpeg().toBuffer(),
      flatJpeg({ restart: 8 }),
      flatJpeg({ components: 3, restart: 4 }),
      flatJpeg({ components: 3, apart: true, restart: 8 }),
    ]
    for (const file of seeds) expect(expectHonest(file)).toBe(true)
    let plain = 0
    let slowest = 0
    for (let round = 0; round < rounds; round++) {
      let file = oneOf(seeds)
      // Structure first: bytes out of order cannot be taken apart any more.
      if (below(2)) file = oneOf(structural)(file, oneOf(seeds))
      for (let i = below(3); i > 0 && file.length > 4; i--) file = oneOf(bytewise)(file, oneOf(seeds))
      const began = performance.now()
      if (expectHonest(file)) plain++
      slowest = Math.max(slowest, performance.now() - began)
    }
    // Else the mutations were too wild to say anything about files that are taken.
    expect(plain).toBeGreaterThan(rounds / 50)
    expect(slowest).toBeLessThan(2_000)
  })
})

test('readers of headers take any bytes', { timeout: 24 * 3_600_000 }, async () => {
  const small = opened(quartered(24, 16))
  const seeds = [
    tellingExif(5),
    Buffer.from(displayP3()),
    fixture('turned-by-itself.heic'),
    fixture('see-through.heic'),
    await small.clone().png().toBuffer(),
    await small.clone().gif().toBuffer(),
    await small.clone().webp().toBuffer(),
    await small.clone().tiff().toBuffer(),
    await small.clone().avif({ effort: 0 }).toBuffer(),
    await jpeg({ width: 24, height: 16 }),
  ]
  for (let round = 0; round < rounds; round++) {
    let file = oneOf(seeds)
    for (let i = below(4); i > 0 && file.length > 4; i--) file = oneOf(bytewise)(file, oneOf(seeds))
    for (const by of [0, 0xff]) {
      const bytes = surrounded(file, by)
      sniff(bytes)
      readHeif(bytes)
      const exif = readExif(bytes)
      writeExif(exif)
      cleanProfile(bytes, 3)
    }
    expect(sniff(surrounded(file, 0))).toEqual(sniff(surrounded(file, 0xff)))
    expect(readExif(surrounded(file, 0))).toEqual(readExif(surrounded(file, 0xff)))
  }
})
