import { describe, expect, test } from 'vitest'
import { artist, copyright, exifBlock, sampleExif } from '../test/sample-images.ts'
import { noCredit, noExif, printableText, readExif, writeExif } from './exif.ts'

test('reads orientation and credit', () => {
  expect(readExif(sampleExif(6))).toEqual({
    orientation: 6,
    credit: { artist, copyright },
    adobeRgb: false,
    capturedAt: null,
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

describe('the time of capture', () => {
  const at = (iso: string, offsetMinutes: number | null = null) => ({ clockMs: Date.parse(`${iso}Z`), offsetMinutes })
  test.each([
    ['2026:11:14 21:05:59', {}, at('2026-11-14T21:05:59')],
    ['2026:11:14 21:05:59', { offset: '+05:30', fraction: '07' }, at('2026-11-14T21:05:59.070', 330)],
    ['2026:11:14 21:05:59', { offset: '-08:00', fraction: '123456789' }, at('2026-11-14T21:05:59.123', -480)],
    ['2028:02:29 00:00:00', {}, at('2028-02-29T00:00:00')],
    // Offsets and fractions that are none.
    ['2026:11:14 21:05:59', { offset: '+14:15', fraction: '1e9' }, at('2026-11-14T21:05:59')],
    ['2026:11:14 21:05:59', { offset: 'Z', fraction: '-5' }, at('2026-11-14T21:05:59')],
    // Clocks that were not set.
    ['0000:00:00 00:00:00', {}, null],
    ['1970:01:01 00:00:00', {}, null],
    ['1980:01:01 00:00:00', {}, null],
    ['1999:12:31 23:59:59', {}, null],
    ['2000:01:01 12:00:00', {}, null],
    // Days and hours that do not exist.
    ['2026:02:30 10:00:00', {}, null],
    ['2027:02:29 10:00:00', {}, null],
    ['2026:13:01 10:00:00', {}, null],
    ['2026:11:14 24:00:00', {}, null],
    ['2026:11:14 21:60:00', {}, null],
    ['2100:01:01 00:00:00', {}, null],
    // Other texts.
    ['2026-11-14 21:05:59', {}, null],
    ['2026:11:14T21:05:59', {}, null],
    ['+002026:11:14 21:05:59', {}, null],
    ['2026:11:14', {}, null],
    ['    :  :     :  :  ', {}, null],
    ['9'.repeat(60_000), {}, null],
  ])('of %.30s %o', (text, { offset, fraction }: { offset?: string; fraction?: string }, expected) => {
    const block = exifBlock({
      exif: [
        [0x9003, text],
        ...(offset === undefined ? [] : [[0x9011, offset] as [number, string]]),
        ...(fraction === undefined ? [] : [[0x9291, fraction] as [number, string]]),
      ],
    })
    expect(readExif(block).capturedAt).toEqual(expected)
  })

  test('is not read from a field of another type, nor from directories that lead outside or to themselves', () => {
    const text = Buffer.from('2026:11:14 21:05:59\0')
    const block = exifBlock({ exif: [[0x9003, '2026:11:14 21:05:59']] })
    const pointer = block.indexOf(Buffer.from([0x69, 0x87])) + 8
    const leadingTo = (offset: number): Buffer => {
      const changed = Buffer.from(block)
      changed.writeUInt32LE(offset, pointer)
      return changed
    }
    for (const one of [exifBlock({ exif: [[0x9003, text]] }), ...[0, 8, block.length, 0xffff_ffff].map(leadingTo)])
      expect(readExif(one).capturedAt).toBeNull()
    for (let length = 0; length < block.length - 1; length++)
      expect(readExif(block.subarray(0, length)).capturedAt).toBeNull()
  })
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
