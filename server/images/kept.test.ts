import { describe, expect, test } from 'vitest'
import { names, partsOf } from './test/structure.ts'
import { pixelsOf, shareARun } from './test/looking.ts'
import { sharedPool } from './test/making.ts'
import { jpeg, noise, opened, quartered, segment, withSegments } from './test/pictures.ts'

const images = sharedPool()

const scans = (file: Buffer): Buffer[] =>
  partsOf(file)
    .filter(({ name }) => name === 'scan')
    .map(({ bytes }) => bytes)

describe('a plain JPEG keeps its pixels bit for bit', () => {
  const files: Record<string, () => Promise<Buffer>> = {
    baseline: () => jpeg(),
    progressive: () => jpeg({ progressive: true }),
    'with optimised tables': () => jpeg({ mozjpeg: true }),
    'without subsampling': () => jpeg({ chromaSubsampling: '4:4:4' }),
    grey: () => opened(quartered(300, 200)).toColourspace('b-w').jpeg().toBuffer(),
    'with odd sides': () => jpeg({ width: 333, height: 251 }),
    'of one pixel': () => jpeg({ width: 1, height: 1 }),
    'of quality 100': () => jpeg({ quality: 100 }),
    'of quality 1': () => jpeg({ quality: 1 }),
    'with a profile': () => opened(quartered(300, 200)).withIccProfile('p3').jpeg().toBuffer(),
  }
  test.each(Object.keys(files))('%s', async (name) => {
    const file = await files[name]!()
    const { full, made } = await images().make(file)
    expect(made.full.kept).toBe(true)
    expect((await pixelsOf(full)).equals(await pixelsOf(file))).toBe(true)
    expect(scans(full)).toEqual(scans(file))
  })
})

test('a file that is already as it would be rebuilt is the full image itself, and stays the picture behind a logo', async () => {
  const { full: file } = await images().make(withSegments(await jpeg({ width: 1000, height: 800 }), segment(0xfe, 'x')))
  const { full, made } = await images().make(file)
  expect(made.full).toMatchObject({ kept: true, bytes: file.length })
  expect(full.equals(file)).toBe(true)
  const logo = await opened(quartered(64, 64)).png().toBuffer()
  const marked = await images().make(file, { logo })
  expect(marked.plain?.equals(file)).toBe(true)
  expect(marked.full.equals(file)).toBe(false)
})

test('an Ultra HDR photo keeps its base picture and loses its gain map', async () => {
  const gainMap = await jpeg({ width: 80, height: 60 })
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="2"/></rdf:RDF></x:xmpmeta>`
  const base = withSegments(await jpeg(), segment(0xe1, xmp), segment(0xe2, 'MPF\0MM\0*\0\0\0\x08'))
  const { full, made } = await images().make(Buffer.concat([base, gainMap]))
  expect(made.full.kept).toBe(true)
  expect(full.indexOf(Buffer.from([0xff, 0xd8, 0xff]), 2)).toBe(-1)
  expect((await pixelsOf(full)).equals(await pixelsOf(base))).toBe(true)
})

describe('nothing that hides in a file comes out again', () => {
  const random = noise(4711)
  const payload = Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(random() * 256)))
  const script = Buffer.from(
    `<html><script>alert("polyglot ${'x'.repeat(40)}")</script></html><?php __HALT_COMPILER(); ?>`,
  )
  const hidden: Record<string, (file: Buffer, words: Buffer) => Buffer> = {
    'after the end': (file, words) => Buffer.concat([file, words]),
    'in a comment': (file, words) => withSegments(file, segment(0xfe, words.subarray(0, 65_000))),
    'in a segment of its own': (file, words) => withSegments(file, segment(0xef, words.subarray(0, 65_000))),
    'in a thumbnail extension': (file, words) =>
      withSegments(file, segment(0xe0, Buffer.concat([Buffer.from('JFXX\0'), words.subarray(0, 65_000)]))),
    'in a colour profile': (file, words) =>
      withSegments(
        file,
        segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), words.subarray(0, 60_000)])),
      ),
    'in tables that nothing uses': (file, words) =>
      withSegments(
        file,
        segment(0xdb, Buffer.concat([Buffer.from([3]), words.subarray(0, 64).map((byte) => byte || 1)])),
      ),
    'in an archive at the end': (file, words) =>
      Buffer.concat([
        file,
        Buffer.from('PK\x03\x04', 'latin1'),
        words,
        Buffer.from('PK\x05\x06', 'latin1'),
        Buffer.alloc(18),
      ]),
  }
  test.each(Object.keys(hidden))('%s', async (place) => {
    for (const words of [payload, script]) {
      const { thumb, full } = await images().make(hidden[place]!(await jpeg(), words))
      expect(shareARun(full, words)).toBe(false)
      expect(shareARun(thumb, words)).toBe(false)
    }
  })
  test.each(['png', 'gif', 'webp', 'tiff'] as const)('after the end of a %s', async (format) => {
    const file = Buffer.concat([await opened(quartered(200, 100))[format]().toBuffer(), payload])
    const { thumb, full } = await images().make(file)
    expect(shareARun(full, payload) || shareARun(thumb, payload)).toBe(false)
  })
})

test('only what a picture needs is in the file', async () => {
  const { full } = await images().make(await jpeg())
  expect(names(full)).toEqual(['e0', 'db', 'c0', 'c4', 'da', 'scan', 'd9'])
})
