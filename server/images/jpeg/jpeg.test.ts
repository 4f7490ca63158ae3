import { describe, expect, test } from 'vitest'
import { cleanJpegStart, isRebuilt, readJpeg, rebuildInPlace } from './jpeg.ts'
import { changed, edited, flatJpeg, reasonOf, rebuilt, without, withPartBefore } from '../test/jpeg-files.ts'
import { exifBlock, exifSegment, jpeg, pixelsOf, sampleExif, segment, withSegments } from '../test/sample-images.ts'
import { partNames } from '../test/file-parts.ts'

const baseline = await jpeg({ width: 120, height: 80, quality: 100 })
const progressive = await jpeg({ width: 120, height: 80, progressive: true })

describe('rebuilding in place', () => {
  test.each([
    [
      'does not move the coded data when metadata is removed',
      true,
      withSegments(baseline, segment(0xfe, 'x'.repeat(500))),
    ],
    ['copies the file when there is not enough space before the coded data', false, changed(baseline, without('e0'))],
  ])('%s', (_, inPlace, file) => {
    const expected = rebuilt(file)
    const b = Uint8Array.from(file)
    const read = readJpeg(b)
    const over = read.lossless ? rebuildInPlace(b, read) : null
    expect([over && Buffer.from(over).equals(expected), over?.buffer === b.buffer]).toEqual([true, inPlace])
  })
})

describe('cleaning the start of a file', () => {
  const cleaned = (file: Buffer): Buffer | null => {
    const start = cleanJpegStart(file)
    return start && 'bytes' in start ? Buffer.concat([start.bytes, file.subarray(start.replacedLength)]) : null
  }
  const exif = exifSegment(sampleExif(6))

  test('leaves nothing to rebuild', () => {
    const file = withSegments(baseline, exif, segment(0xfe, 'x'.repeat(500)))
    expect(cleaned(file)).toEqual(rebuilt(file))
    const read = readJpeg(rebuilt(file))
    expect(read.lossless && isRebuilt(rebuilt(file), read)).toBe(true)
    const original = readJpeg(file)
    expect(original.lossless && isRebuilt(file, original)).toBe(false)
  })
  test('returns the length that it needs until the scan header is complete', () => {
    const file = withSegments(baseline, exif)
    let [length, calls] = [4, 0]
    for (; ; calls++) {
      const start = cleanJpegStart(file.subarray(0, length))
      if (!start || 'bytes' in start) break
      expect(start.neededLength).toBeGreaterThan(length)
      length = start.neededLength
    }
    expect(calls).toBeGreaterThan(5)
    expect(length).toBe(file.indexOf(Buffer.from([0xff, 0xda])) + 14)
    expect(cleanJpegStart(file.subarray(0, length))).toEqual(cleanJpegStart(file))
  })
  test('does not remove data after the picture', () => {
    const file = Buffer.concat([withSegments(baseline, exif), Buffer.from('more')])
    expect(cleaned(file)).toEqual(Buffer.concat([rebuilt(file), Buffer.from('more')]))
    const read = readJpeg(cleaned(file)!)
    expect(read.lossless && isRebuilt(cleaned(file)!, read)).toBe(false)
  })
  test.each([
    ['progressive', progressive],
    ['with several scans', flatJpeg({ components: 3, separateScans: true })],
    [
      'with an unsupported coding',
      changed(
        baseline,
        edited('c0', (bytes) => bytes.writeUInt8(12)),
      ),
    ],
    [
      'without a picture',
      changed(baseline, (parts) => parts.filter(({ name }) => !['c0', 'da', 'scan'].includes(name))),
    ],
    ['not a JPEG', Buffer.from('GIF89a and more')],
    ['one with an EXIF header that other readers may accept', withSegments(baseline, segment(0xe1, 'Exif\0\x01'))],
    [
      'one with a profile header that other readers may accept',
      withSegments(baseline, segment(0xe2, 'ICC_PROFILE\x01 and more')),
    ],
    ['one with broken EXIF', withSegments(baseline, segment(0xe1, 'Exif\0\0XX*\0'))],
    [
      'one whose orientation has an unusual type',
      withSegments(baseline, exifSegment(exifBlock({ main: [[0x0112, Buffer.from([6])]] }))),
    ],
  ])('changes nothing when the file is %s', (_, file) => {
    expect(cleanJpegStart(file)).toBeNull()
  })
})

describe('lossless JPEGs are rebuilt with the same pixels', () => {
  test.each([
    ['grey', flatJpeg()],
    ['colour', flatJpeg({ components: 3 })],
    ['with restart markers', flatJpeg({ restart: 8 })],
    ['with more than eight restart markers', flatJpeg({ across: 16, down: 16, restart: 16 })],
    ['colour with restart markers', flatJpeg({ components: 3, restart: 4 })],
    ['with a scan for each component', flatJpeg({ components: 3, separateScans: true, restart: 8 })],
  ])('%s', async (_, file) => {
    expect(reasonOf(file)).toBe('lossless')
    expect((await pixelsOf(rebuilt(file))).equals(await pixelsOf(file))).toBe(true)
    expect(partNames(rebuilt(file)).filter((name) => name === 'scan')).toEqual(
      partNames(file).filter((name) => name === 'scan'),
    )
  })
  test('fill bytes before a marker are removed', () => {
    const file = flatJpeg()
    const filled = Buffer.concat([file.subarray(0, 2), Buffer.from([0xff, 0xff, 0xff]), file.subarray(2)])
    expect(rebuilt(filled).equals(rebuilt(file))).toBe(true)
  })
  test('unused tables are removed', () => {
    const unused = Buffer.from([2, ...Buffer.alloc(64, 7)])
    expect(rebuilt(changed(flatJpeg(), withPartBefore('c0', 'db', unused))).equals(rebuilt(flatJpeg()))).toBe(true)
  })
})
