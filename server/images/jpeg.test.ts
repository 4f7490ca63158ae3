import { describe, expect, test } from 'vitest'
import { cleanStart, isRebuilt, readJpeg, rebuildJpeg, rebuildOver } from './jpeg.ts'
import { exifBlock } from './test/exif-block.ts'
import { flatJpeg } from './test/flat-jpeg.ts'
import { pixelsOf } from './test/looking.ts'
import { names, partsOf, type Part } from './test/structure.ts'
import { exifSegment, jpeg, opened, quartered, segment, tellingExif, withSegments } from './test/pictures.ts'

const verdict = (file: Buffer): string => {
  const read = readJpeg(file)
  return read.plain ? 'plain' : read.why
}
const rebuilt = (file: Buffer): Buffer => {
  const read = readJpeg(file)
  if (!read.plain) throw new Error(read.why)
  return Buffer.concat(rebuildJpeg(read))
}

/** A file put together again from its parts, after a change. */
function changed(file: Buffer, change: (parts: Part[]) => Part[]): Buffer {
  const parts = change(partsOf(file)).map(({ name, bytes }) => {
    if (name === 'scan' || name === 'trailing') return bytes
    return name === 'd9' ? Buffer.from([0xff, 0xd9]) : segment(Number.parseInt(name, 16), bytes)
  })
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts])
}
const without = (name: string) => (parts: Part[]) => parts.filter((part) => part.name !== name)
const withPart = (name: string, bytes: Buffer, before: string) => (parts: Part[]) =>
  parts.flatMap((part) => (part.name === before ? [{ name, bytes }, part] : [part]))
/** Changes the payload of the first part of this name. */
const edited = (name: string, edit: (bytes: Buffer) => void) => (parts: Part[]) => {
  const part = parts.find((one) => one.name === name)!
  const bytes = Buffer.from(part.bytes)
  edit(bytes)
  return parts.map((one) => (one === part ? { name, bytes } : one))
}

const noisy = await jpeg({ width: 120, height: 80, quality: 100 })
const progressive = await jpeg({ width: 120, height: 80, progressive: true })

describe('a file rebuilt over the bytes it was read from', () => {
  test.each([
    ['leaves its coded data where they are when words go', true, withSegments(noisy, segment(0xfe, 'x'.repeat(500)))],
    ['is a new array when there is no room for its head', false, changed(noisy, without('e0'))],
  ])('%s', (_, inPlace, file) => {
    const expected = rebuilt(file)
    const b = Uint8Array.from(file)
    const read = readJpeg(b)
    const over = read.plain ? rebuildOver(b, read) : null
    expect([over && Buffer.from(over).equals(expected), over?.buffer === b.buffer]).toEqual([true, inPlace])
  })
})

describe('the start of a file that is coming in', () => {
  const cleaned = (file: Buffer): Buffer | null => {
    const start = cleanStart(file)
    return start && 'start' in start ? Buffer.concat([start.start, file.subarray(start.instead)]) : null
  }
  const words = exifSegment(tellingExif(6))

  test('is cleaned, and then nothing is left to rebuild', () => {
    const file = withSegments(noisy, words, segment(0xfe, 'x'.repeat(500)))
    expect(cleaned(file)).toEqual(rebuilt(file))
    const read = readJpeg(rebuilt(file))
    expect(read.plain && isRebuilt(rebuilt(file), read)).toBe(true)
    const raw = readJpeg(file)
    expect(raw.plain && isRebuilt(file, raw)).toBe(false)
  })
  test('is asked for until it is there', () => {
    const file = withSegments(noisy, words)
    let [has, asked] = [4, 0]
    for (; ; asked++) {
      const start = cleanStart(file.subarray(0, has))
      if (!start || 'start' in start) break
      expect(start.needs).toBeGreaterThan(has)
      has = start.needs
    }
    expect(asked).toBeGreaterThan(5)
    expect(has).toBe(file.indexOf(Buffer.from([0xff, 0xda])) + 14)
    expect(cleanStart(file.subarray(0, has))).toEqual(cleanStart(file))
  })
  test('of what follows the picture nothing is known yet', () => {
    const file = Buffer.concat([withSegments(noisy, words), Buffer.from('more')])
    expect(cleaned(file)).toEqual(Buffer.concat([rebuilt(file), Buffer.from('more')]))
    const read = readJpeg(cleaned(file)!)
    expect(read.plain && isRebuilt(cleaned(file)!, read)).toBe(false)
  })
  test.each([
    ['progressive', progressive],
    ['of several scans', flatJpeg({ components: 3, apart: true })],
    [
      'of another coding',
      changed(
        noisy,
        edited('c0', (bytes) => bytes.writeUInt8(12)),
      ),
    ],
    ['without a picture', changed(noisy, (parts) => parts.filter(({ name }) => !['c0', 'da', 'scan'].includes(name)))],
    ['no JPEG', Buffer.from('GIF89a and more')],
    ['one whose EXIF others may read', withSegments(noisy, segment(0xe1, 'Exif\0\x01'))],
    ['one whose profile others may read', withSegments(noisy, segment(0xe2, 'ICC_PROFILE\x01 and more'))],
    ['one whose EXIF is broken', withSegments(noisy, segment(0xe1, 'Exif\0\0XX*\0'))],
    ['turned in a way of its own', withSegments(noisy, exifSegment(exifBlock({ main: [[0x0112, Buffer.from([6])]] })))],
  ])('is left alone when the file is %s', (_, file) => {
    expect(cleanStart(file)).toBeNull()
  })
})

describe('plain JPEGs are taken', () => {
  test.each([
    ['grey', flatJpeg()],
    ['in colour', flatJpeg({ components: 3 })],
    ['with restart markers', flatJpeg({ restart: 8 })],
    ['with more than eight restart markers', flatJpeg({ across: 16, down: 16, restart: 16 })],
    ['in colour with restart markers', flatJpeg({ components: 3, restart: 4 })],
    ['with a scan for each colour', flatJpeg({ components: 3, apart: true, restart: 8 })],
    ['with fill bytes between segments', changed(flatJpeg(), (parts) => parts)],
  ])('%s', async (_, file) => {
    expect(verdict(file)).toBe('plain')
    expect((await pixelsOf(rebuilt(file))).equals(await pixelsOf(file))).toBe(true)
    expect(names(rebuilt(file)).filter((name) => name === 'scan')).toEqual(
      names(file).filter((name) => name === 'scan'),
    )
  })
  test('a rebuilt file is rebuilt to itself', async () => {
    for (const file of [
      await jpeg({ progressive: true }),
      flatJpeg({ restart: 8 }),
      withSegments(await jpeg(), exifSegment(tellingExif(6))),
    ])
      expect(rebuilt(rebuilt(file)).equals(rebuilt(file))).toBe(true)
  })
  test('fill bytes before a marker are left out', () => {
    const file = flatJpeg()
    const filled = Buffer.concat([file.subarray(0, 2), Buffer.from([0xff, 0xff, 0xff]), file.subarray(2)])
    expect(rebuilt(filled).equals(rebuilt(file))).toBe(true)
  })
  test('tables that nothing uses are left out', () => {
    const spare = Buffer.from([2, ...Buffer.alloc(64, 7)])
    expect(rebuilt(changed(flatJpeg(), withPart('db', spare, 'c0'))).equals(rebuilt(flatJpeg()))).toBe(true)
  })
})

describe('anything odd is refused, with its reason', () => {
  const odd: [string, Buffer | (() => Promise<Buffer>), string][] = [
    ['no JPEG', Buffer.from('GIF89a'), 'not a JPEG'],
    ['nothing', Buffer.alloc(0), 'not a JPEG'],
    ['a start and nothing more', Buffer.from([0xff, 0xd8]), 'incomplete'],
    ['no end', flatJpeg().subarray(0, -2), 'incomplete'],
    ['no scan', changed(flatJpeg(), (parts) => without('scan')(without('da')(parts))), 'incomplete'],
    ['no frame', changed(flatJpeg(), without('c0')), 'broken frame'],
    ['no quantization table', changed(flatJpeg(), without('db')), 'missing table'],
    ['no Huffman tables', changed(flatJpeg(), without('c4')), 'missing table'],
    [
      'a code of ones alone',
      changed(flatJpeg(), (parts) =>
        parts.map((one) =>
          one.name === 'c4'
            ? { ...one, bytes: Buffer.from([0, 2, ...Buffer.alloc(15), 0, 1, 0x10, 1, ...Buffer.alloc(15), 0]) }
            : one,
        ),
      ),
      'broken table',
    ],
    [
      'a side that libjpeg does not open',
      changed(
        flatJpeg(),
        edited('c0', (b) => b.writeUInt16BE(65_501, 3)),
      ),
      'broken frame',
    ],
    ['two frames', changed(flatJpeg(), withPart('c0', partsOf(flatJpeg())[1]!.bytes, 'da')), 'unusual coding'],
    ['a second start', changed(flatJpeg(), withPart('d8', Buffer.alloc(0), 'da')), 'unexpected marker'],
    [
      'a height told later',
      changed(
        flatJpeg(),
        edited('c0', (b) => b.writeUInt16BE(0, 1)),
      ),
      'unusual coding',
    ],
    ['a height told again', changed(flatJpeg(), withPart('dc', Buffer.from([0, 64]), 'd9')), 'unusual coding'],
    [
      '12 bits',
      changed(
        flatJpeg(),
        edited('c0', (b) => b.writeUInt8(12, 0)),
      ),
      'unusual coding',
    ],
    [
      'lossless coding',
      changed(flatJpeg(), (p) => p.map((one) => (one.name === 'c0' ? { ...one, name: 'c3' } : one))),
      'unusual coding',
    ],
    [
      'arithmetic coding',
      changed(flatJpeg(), (p) => p.map((one) => (one.name === 'c0' ? { ...one, name: 'c9' } : one))),
      'unusual coding',
    ],
    ['arithmetic conditions', changed(flatJpeg(), withPart('cc', Buffer.from([0, 16]), 'da')), 'unusual coding'],
    ['a hierarchy', changed(flatJpeg(), withPart('de', Buffer.alloc(9), 'c0')), 'unusual coding'],
    [
      '16-bit tables',
      changed(
        flatJpeg(),
        edited('db', (b) => b.writeUInt8(0x10, 0)),
      ),
      'broken table',
    ],
    [
      'a zero in a quantization table',
      changed(
        flatJpeg(),
        edited('db', (b) => b.writeUInt8(0, 9)),
      ),
      'broken table',
    ],
    [
      'a code that cannot be',
      changed(
        flatJpeg(),
        edited('c4', (b) => b.writeUInt8(3, 1)),
      ),
      'broken table',
    ],
    ['a table cut short', changed(flatJpeg(), withPart('c4', Buffer.from([0, 1, 0]), 'da')), 'broken table'],
    [
      'ids that are twice the same',
      changed(
        flatJpeg({ components: 3 }),
        edited('c0', (b) => b.writeUInt8(1, 9)),
      ),
      'broken frame',
    ],
    [
      'a sampling of nothing',
      changed(
        flatJpeg(),
        edited('c0', (b) => b.writeUInt8(0x01, 7)),
      ),
      'broken frame',
    ],
    [
      'a scan of an unknown part',
      changed(
        flatJpeg(),
        edited('da', (b) => b.writeUInt8(9, 1)),
      ),
      'broken scan',
    ],
    [
      'a scan of half a block',
      changed(
        flatJpeg(),
        edited('da', (b) => b.writeUInt8(31, 4)),
      ),
      'broken scan',
    ],
    [
      'one scan of three',
      changed(flatJpeg({ components: 3, apart: true }), (p) => [...p.slice(0, 5), p.at(-1)!]),
      'incomplete',
    ],
    ['the same scan twice', changed(flatJpeg(), (p) => [...p.slice(0, 5), ...p.slice(3)]), 'broken scan'],
    ['a missing restart marker', flatJpeg({ restart: 8 }).subarray(0, -5), 'incomplete'],
    [
      'too few restart markers',
      changed(
        flatJpeg({ restart: 8 }),
        edited('dd', (b) => b.writeUInt16BE(4)),
      ),
      'broken scan',
    ],
    [
      'too many restart markers',
      changed(
        flatJpeg({ restart: 8 }),
        edited('dd', (b) => b.writeUInt16BE(16)),
      ),
      'unexpected marker',
    ],
    ['restart markers out of turn', flatJpeg({ restart: 8, marker: (n) => 0xd0 + ((n + 1) & 7) }), 'unexpected marker'],
    ['restart markers nobody announced', changed(flatJpeg({ restart: 8 }), without('dd')), 'unexpected marker'],
    [
      'a comment between scans',
      changed(flatJpeg({ components: 3, apart: true }), withPart('fe', Buffer.from('hello'), 'd9')),
      'unexpected marker',
    ],
    [
      'a marker inside the data',
      changed(
        flatJpeg(),
        edited('scan', (b) => b.writeUInt16BE(0xff01, 4)),
      ),
      'unexpected marker',
    ],
    [
      'a segment of length 1',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe3, 0, 1]), flatJpeg().subarray(2)]),
      'broken segment',
    ],
    ['a segment past the end', Buffer.from([0xff, 0xd8, 0xff, 0xe3, 0xff, 0xff, 1]), 'incomplete'],
    [
      'bytes between segments',
      Buffer.concat([Buffer.from([0xff, 0xd8, 7, 7]), flatJpeg().subarray(2)]),
      'unexpected marker',
    ],
    ['RGB by its names', changed(flatJpeg({ components: 3 }), (p) => rgbNames(p)), 'unusual colours'],
    [
      'RGB by Adobe',
      withSegments(flatJpeg({ components: 3 }), segment(0xee, Buffer.from('Adobe\0d\0\0\0\0\0'))),
      'unusual colours',
    ],
    ['CMYK', () => opened(quartered(64, 64)).toColourspace('cmyk').jpeg().toBuffer(), 'unusual colours'],
    [
      'a profile with a chunk missing',
      withSegments(flatJpeg(), segment(0xe2, 'ICC_PROFILE\0\x01\x02abc')),
      'unusual profile',
    ],
    ['a profile that is none', withSegments(flatJpeg(), segment(0xe2, 'ICC_PROFILE\0\x01\x01abc')), 'unusual profile'],
    [
      'thousands of segments',
      withSegments(flatJpeg(), ...Array.from({ length: 2000 }, () => segment(0xfe, 'x'))),
      'too many parts',
    ],
  ]
  test.each(odd)('%s', async (_, file, why) => {
    expect(verdict(typeof file === 'function' ? await file() : file)).toBe(why)
  })
})

test('hundreds of scans are refused', () => {
  const refinements = Array.from({ length: 300 }, () => [
    segment(0xda, Buffer.from([1, 1, 0, 1, 1, 0])),
    Buffer.from([0]),
  ])
  const file = flatJpeg()
  const many = Buffer.concat([file.subarray(0, -2), ...refinements.flat(), Buffer.from([0xff, 0xd9])])
  many[many.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc2
  expect(readJpeg(many).plain).toBe(false)
})

function rgbNames(parts: Part[]): Part[] {
  return parts.map((part) => {
    const bytes = Buffer.from(part.bytes)
    const places = part.name === 'c0' ? [6, 9, 12] : part.name === 'da' ? [1, 3, 5] : []
    places.forEach((at, i) => bytes.write('RGB'[i]!, at))
    return { ...part, bytes }
  })
}
