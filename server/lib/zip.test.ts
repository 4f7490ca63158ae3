import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'
import { scratchFolder } from '../test/child-processes.ts'
import { createUniqueNames, layOutZip, writeZip, type ZipEntry, type ZipLayout } from './zip.ts'

const at = new Date('2026-06-14T21:59:31Z')
const options = { timeZone: 'Europe/Brussels' }
const contents = Array.from({ length: 12 }, (_, number) => Buffer.alloc(number * 1_000, `photo ${number}`))
const names = contents.map((_, number) => (number === 3 ? 'Trouw – été 💍.jpg' : `IMG_${number}.jpg`))
const entries = contents.map((content, number): ZipEntry => ({
  name: names[number]!,
  bytes: content.length,
  crc32: crc32(content),
  modifiedAt: at,
}))

/** The bytes of a range, as an answer sends them. */
function read({ at: partAt }: ZipLayout, start: number, end: number): Buffer {
  const pieces: Buffer[] = []
  for (let position = start; position < end;) {
    const part = partAt(position)
    const piece = 'bytes' in part ? part.bytes : contents[part.entry]!.subarray(part.offset, part.offset + part.left)
    pieces.push(piece.subarray(0, end - position))
    position += pieces.at(-1)!.length
  }
  return Buffer.concat(pieces)
}

async function unpack(zip: Buffer): Promise<Map<string, Buffer>> {
  const file = await promisify<Buffer, Options, ZipFile>(fromBuffer)(zip, { strictFileNames: true, autoClose: false })
  const found = await new Promise<Entry[]>((resolve, reject) => {
    const list: Entry[] = []
    file.on('entry', (entry: Entry) => list.push(entry))
    file.on('end', () => resolve(list))
    file.on('error', reject)
  })
  const unpacked = new Map<string, Buffer>()
  for (const entry of found)
    unpacked.set(entry.fileName, await buffer(await promisify(file.openReadStream.bind(file))(entry)))
  return unpacked
}

describe('a ZIP file whose layout is known', () => {
  const layout = layOutZip(entries, options)
  const whole = read(layout, 0, layout.bytes)

  test('contains every entry bit for bit, and no data descriptors', async () => {
    expect([...(await unpack(whole))]).toEqual(names.map((name, number) => [name, contents[number]]))
    expect(whole.includes(Buffer.from('PK\x07\x08'))).toBe(false)
    const none = layOutZip([], options)
    expect([...(await unpack(read(none, 0, none.bytes)))]).toEqual([])
  })

  test('is read by unzip and by Python, with local times', ({ onTestFinished, skip }) => {
    const path = join(scratchFolder(onTestFinished), 'photos.zip')
    writeFileSync(path, whole)
    const isThere = (program: string): boolean => existsSync(`/usr/bin/${program}`)
    skip(!isThere('unzip') || !isThere('python3'), 'needs unzip and Python')
    expect(execFileSync('/usr/bin/unzip', ['-t', path], { encoding: 'utf8' })).toContain('No errors detected')
    const code =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.infolist()[3].filename, z.infolist()[3].date_time)'
    expect(execFileSync('/usr/bin/python3', ['-X', 'utf8', '-c', code, path], { encoding: 'utf8' }).trim()).toBe(
      'None Trouw – été 💍.jpg (2026, 6, 14, 23, 59, 30)',
    )
  })

  test('has the same bytes when it is read in any pieces', () => {
    const hash = createHash('sha256')
    const cuts = Array.from({ length: 300 }, (_, number) => (number * 7_919) % layout.bytes).toSorted((a, b) => a - b)
    for (const [index, cut] of [...cuts, layout.bytes].entries()) hash.update(read(layout, cuts[index - 1] ?? 0, cut))
    expect(hash.digest()).toEqual(createHash('sha256').update(whole).digest())
  })

  // The sizes of files alone; 4 GB need not be there.
  const gigabytes4 = 0xffff_ffff
  const entry = (bytes: number, name = 'a.jpg'): ZipEntry => ({ name, bytes, crc32: 1, modifiedAt: at })
  const tailOf = (layout64: ZipLayout, fromEnd: number): Buffer => {
    const part = layout64.at(layout64.bytes - fromEnd)
    return 'bytes' in part ? part.bytes : Buffer.alloc(0)
  }
  test.each([
    ['an entry below 4 GB', [entry(gigabytes4 - 1)], 20, true],
    ['an entry of 4 GB', [entry(gigabytes4)], 45, true],
    ['a directory that starts below 4 GB', [entry(gigabytes4 - 45)], 20, false],
    ['a directory that starts at 4 GB', [entry(gigabytes4 - 44)], 20, true],
    ['65,535 entries', Array.from({ length: 65_535 }, () => entry(0)), 20, true],
  ])('%s', (_title, list, needed, is64) => {
    const layout64 = layOutZip(list, options)
    const first = layout64.at(0)
    expect('bytes' in first && first.bytes.readUInt16LE(4)).toBe(needed)
    const end = tailOf(layout64, 22)
    expect(end.readUInt32LE(0)).toBe(0x06054b50)
    expect(tailOf(layout64, 42).readUInt32LE(0) === 0x07064b50).toBe(is64)
    const start = list.reduce(
      (sum, { bytes, name }) => sum + 30 + name.length + 9 + (bytes >= gigabytes4 ? 20 : 0) + bytes,
      0,
    )
    const [entryCount, directoryStart] = [end.readUInt16LE(10), end.readUInt32LE(16)]
    expect([entryCount, directoryStart]).toEqual([Math.min(list.length, 0xffff), Math.min(start, gigabytes4)])
    if (!is64) return
    const record = tailOf(layout64, 98)
    expect(record.readUInt32LE(0)).toBe(0x06064b50)
    expect([record.readBigUInt64LE(32), record.readBigUInt64LE(48)]).toEqual([BigInt(list.length), BigInt(start)])
    expect(record.readBigUInt64LE(64)).toBe(BigInt(start) + record.readBigUInt64LE(40))
  })

  test('an entry after 4 GB has its place in 64 bits', () => {
    const layout64 = layOutZip([entry(gigabytes4), entry(7, 'b.jpg')], options)
    const secondStart = 30 + 5 + 9 + 20 + gigabytes4
    const directory = tailOf(layout64, layout64.bytes - (secondStart + 30 + 5 + 9 + 7))
    const second = directory.subarray(46 + 5 + 9 + 20)
    expect([second.readUInt32LE(24), second.readUInt32LE(42)]).toEqual([7, gigabytes4])
    expect(second.readBigUInt64LE(46 + 5 + 9 + 4)).toBe(BigInt(secondStart))
    expect(layout64.at(secondStart + 30 + 5 + 9 + 3)).toEqual({ entry: 1, offset: 3, left: 4 })
  })
})

test('a ZIP file of contents of unknown length is whole, and closes what it reads when its reader stops', async () => {
  let isClosed = false
  async function* lines(): AsyncGenerator<string> {
    try {
      yield 'é\n'
      yield 'ü\n'
    } finally {
      isClosed = true
    }
  }
  async function* list() {
    yield { name: 'a.json', modifiedAt: at, content: Buffer.from('{}') }
    yield { name: 'lines.csv', modifiedAt: at, content: lines() }
  }
  const zip = Buffer.concat(await Array.fromAsync(writeZip(list(), { timeZone: 'UTC' })))
  expect([...(await unpack(zip))].map(([name, bytes]) => [name, bytes.toString()])).toEqual([
    ['a.json', '{}'],
    ['lines.csv', 'é\nü\n'],
  ])
  isClosed = false
  for await (const piece of writeZip(list(), { timeZone: 'UTC' })) if (piece.toString() === 'é\n') break
  expect(isClosed).toBe(true)
})

test.each([
  [
    ['a.jpg', 'A.JPG', 'a.jpg', 'a (2).jpg', 'b.jpg'],
    ['a.jpg', 'A (2).JPG', 'a (3).jpg', 'a (2) (2).jpg', 'b.jpg'],
  ],
  [
    ['straße', 'STRASSE', 'e\u0301.jpg', '\u00e9.jpg', '.x'],
    ['straße', 'STRASSE (2)', 'e\u0301.jpg', '\u00e9 (2).jpg', '.x'],
  ],
])('names %j become %j', (given, unique) => {
  expect(given.map(createUniqueNames())).toEqual(unique)
})
