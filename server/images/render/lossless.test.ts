import { describe, expect, test } from 'vitest'
import { filePartsOf } from '../test/file-parts.ts'
import { haveCommonBytes, pixelsOf } from '../test/pixels.ts'
import { jpeg, quadrantPixels, segment, sharpFrom, withSegments, xorshift32 } from '../test/sample-images.ts'
import { sharedTestPool } from '../test/test-pool.ts'

const images = sharedTestPool()

const scansOf = (file: Buffer): Buffer[] =>
  filePartsOf(file)
    .filter(({ name }) => name === 'scan')
    .map(({ bytes }) => bytes)

describe('a lossless JPEG keeps its pixels bit for bit', () => {
  const small = { width: 160, height: 120 }
  const files: Record<string, () => Promise<Buffer>> = {
    baseline: () => jpeg(small),
    progressive: () => jpeg({ ...small, progressive: true }),
    'optimised tables': () => jpeg({ ...small, mozjpeg: true }),
    'no chroma subsampling': () => jpeg({ ...small, chromaSubsampling: '4:4:4' }),
    grey: () => sharpFrom(quadrantPixels(160, 120)).toColourspace('b-w').jpeg().toBuffer(),
    'odd width and height': () => jpeg({ width: 133, height: 91 }),
    'one pixel': () => jpeg({ width: 1, height: 1 }),
    'quality 100': () => jpeg({ ...small, quality: 100 }),
    'quality 1': () => jpeg({ ...small, quality: 1 }),
    'colour profile': () => sharpFrom(quadrantPixels(160, 120)).withIccProfile('p3').jpeg().toBuffer(),
  }
  test.each(Object.keys(files))('%s', async (name) => {
    const file = await files[name]!()
    const { full, photo } = await images().render(file)
    expect(photo.full.lossless).toBe(true)
    expect((await pixelsOf(full)).equals(await pixelsOf(file))).toBe(true)
    expect(scansOf(full)).toEqual(scansOf(file))
  })
})

test('a file that rebuilding does not change becomes the full image', async () => {
  const { full: file } = await images().render(
    withSegments(await jpeg({ width: 500, height: 400 }), segment(0xfe, 'x')),
  )
  const { full, photo } = await images().render(file)
  expect(photo.full).toMatchObject({ lossless: true, bytes: file.length })
  expect(full.equals(file)).toBe(true)
})

test('an Ultra HDR photo keeps its base picture and loses its gain map', async () => {
  const gainMap = await jpeg({ width: 80, height: 60 })
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="2"/></rdf:RDF></x:xmpmeta>`
  const base = withSegments(await jpeg(), segment(0xe1, xmp), segment(0xe2, 'MPF\0MM\0*\0\0\0\x08'))
  const { full, photo } = await images().render(Buffer.concat([base, gainMap]))
  expect(photo.full.lossless).toBe(true)
  expect(full.indexOf(Buffer.from([0xff, 0xd8, 0xff]), 2)).toBe(-1)
  expect((await pixelsOf(full)).equals(await pixelsOf(base))).toBe(true)
})

describe('hidden data is not served', () => {
  const random = xorshift32(4711)
  const noise = Buffer.from(Buffer.alloc(70_000).map(() => random() * 256))
  const places: Record<string, (file: Buffer, data: Buffer) => Buffer> = {
    'after the end': (file, data) => Buffer.concat([file, data]),
    'in a comment': (file, data) => withSegments(file, segment(0xfe, data.subarray(0, 65_000))),
    'in an application segment': (file, data) => withSegments(file, segment(0xef, data.subarray(0, 65_000))),
    'in a thumbnail extension': (file, data) =>
      withSegments(file, segment(0xe0, Buffer.concat([Buffer.from('JFXX\0'), data.subarray(0, 65_000)]))),
    'in a colour profile': (file, data) =>
      withSegments(
        file,
        segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), data.subarray(0, 60_000)])),
      ),
    'in unused tables': (file, data) =>
      withSegments(
        file,
        segment(0xdb, Buffer.concat([Buffer.from([3]), data.subarray(0, 64).map((byte) => byte || 1)])),
      ),
  }
  test.each(Object.keys(places))('%s', async (place) => {
    const { thumb, full } = await images().render(places[place]!(await jpeg({ width: 64, height: 48 }), noise))
    expect(haveCommonBytes(full, noise) || haveCommonBytes(thumb, noise)).toBe(false)
  })
  test.each(['png', 'gif', 'webp', 'tiff'] as const)('after the end of a %s', async (format) => {
    const file = Buffer.concat([await sharpFrom(quadrantPixels(64, 48))[format]().toBuffer(), noise])
    const { thumb, full } = await images().render(file)
    expect(haveCommonBytes(full, noise) || haveCommonBytes(thumb, noise)).toBe(false)
  })
})
