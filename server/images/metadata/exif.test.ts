import { describe, expect, test } from 'vitest'
import { artist, copyright, exifBlock, sampleExif } from '../test/sample-images.ts'
import { noCredit, noExif, printableText, readExif, writeExif } from './exif.ts'

test('reads orientation and credit', () => {
  expect(readExif(sampleExif(6))).toEqual({
    orientation: 6,
    credit: { artist, copyright },
    adobeRgb: false,
    isUnambiguous: true,
  })
})

test('reads what it has written', () => {
  const exif = { ...noExif, orientation: 8, credit: { artist: 'A', copyright: 'A long copyright statement' } }
  expect(readExif(writeExif(exif)!)).toEqual(exif)
  expect(writeExif(noExif)).toBeNull()
})

test('reads the interoperability index as Adobe RGB', () => {
  const block = (index: string) => exifBlock({ exif: [[0xa001, 0xffff]], interoperability: [[1, index]] })
  expect([readExif(block('R03')).adobeRgb, readExif(block('R98')).adobeRgb]).toEqual([true, false])
})

describe('ignores', () => {
  test.each([
    ['an orientation out of range', exifBlock({ main: [[0x0112, 9]] }), true],
    ['an orientation of another type, which other readers may accept', exifBlock({ main: [[0x0112, '6']] }), false],
    ['what is not a TIFF structure', Buffer.from('XX*\0\x08\0\0\0'), false],
    ['an empty block', Buffer.alloc(0), false],
  ])('%s', (_, block, isUnambiguous) => {
    expect(readExif(block)).toEqual({ ...noExif, credit: noCredit, isUnambiguous })
  })
})

test('shortens text to a length at which it stays the same when it is read again', () => {
  for (let length = 190; length < 205; length++) {
    const once = printableText(Buffer.from(`${'x'.repeat(length)} and more`))!
    expect(printableText(Buffer.from(once))).toBe(once)
  }
})
