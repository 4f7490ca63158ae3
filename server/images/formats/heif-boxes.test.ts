import { describe, expect, test } from 'vitest'
import { fixture } from '../test/sample-images.ts'
import { boxesIn, brandsOf, readHeif } from './heif-boxes.ts'

/** A box with a size field of its own choice. */
function box(type: string, payload: Buffer, size = payload.length + 8): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(size)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, payload])
}
const found = (file: Buffer) => boxesIn(file, 0, file.length).map(({ type, start, end }) => [type, start, end])

describe('boxes', () => {
  test('follow each other', () => {
    expect(found(Buffer.concat([box('ftyp', Buffer.from('heic')), box('meta', Buffer.alloc(2))]))).toEqual([
      ['ftyp', 8, 12],
      ['meta', 20, 22],
    ])
  })
  test('may have a size of 64 bits, or reach to the end', () => {
    const size64 = Buffer.concat([box('mdat', Buffer.from([0, 0, 0, 0, 0, 0, 0, 18]), 1), Buffer.alloc(2)])
    expect(found(Buffer.concat([size64, box('free', Buffer.alloc(3), 0)]))).toEqual([
      ['mdat', 16, 18],
      ['free', 26, 29],
    ])
  })
  test('are cut at the end of their range', () => {
    expect(found(box('mdat', Buffer.alloc(4), 1000))).toEqual([['mdat', 8, 12]])
  })
  test('end at a size that is smaller than the header', () => {
    expect(found(Buffer.concat([box('ftyp', Buffer.alloc(0)), box('mdat', Buffer.alloc(0), 7)]))).toEqual([
      ['ftyp', 8, 8],
    ])
  })
})

test('brands are those of the first box, the major one first', () => {
  expect(brandsOf(box('ftyp', Buffer.from('mif1\0\0\0\0mif1heic')))).toEqual(['mif1', 'mif1', 'heic'])
  expect(brandsOf(box('meta', Buffer.from('heic')))).toEqual([])
})

describe('the header of a HEIF file', () => {
  test('has the properties of the primary image and the place of its EXIF', () => {
    const file = fixture('rotated-by-exif.heic')
    const header = readHeif(file)
    expect(header?.properties.map(({ type }) => type)).toContain('ispe')
    const { start, end } = header!.exif!
    expect(file.toString('latin1', start, end)).toMatch(/(?:II\*\0|MM\0\*)/)
  })
  test('is that of the primary image, even if it is not the first', () => {
    const file = fixture('second-is-primary.heic')
    const size = readHeif(file)!.properties.find(({ type }) => type === 'ispe')!
    expect([file.readUInt32BE(size.start + 4), file.readUInt32BE(size.start + 8)]).toEqual([320, 240])
  })
  test('is null when it is incomplete or missing', () => {
    expect(readHeif(fixture('plain.heic').subarray(0, 200))).toBeNull()
    expect(readHeif(Buffer.from('not a HEIF file at all'))).toBeNull()
    expect(readHeif(new Uint8Array())).toBeNull()
  })
})
