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

test('an incomplete or missing header is null', () => {
  for (const file of [fixture('plain.heic').subarray(0, 200), Buffer.from('not a HEIF file at all'), new Uint8Array()])
    expect(readHeif(file)).toBeNull()
})
