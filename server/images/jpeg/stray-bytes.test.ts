import { expect, test } from 'vitest'
import { flatJpeg } from '../test/flat-jpeg.ts'
import { withoutStrayBytes } from './jpeg.ts'

const file = flatJpeg()
/** Where the second segment begins. */
const second = 4 + file.readUInt16BE(4)
const scan = file.indexOf(Buffer.from([0xff, 0xda]))
const withBytes = (at: number, ...bytes: number[]): Buffer =>
  Buffer.concat([file.subarray(0, at), Buffer.from(bytes), file.subarray(at)])

test.each([
  ['between two segments', withBytes(second, 0, 0, 7)],
  ['before the first segment', withBytes(2, 1)],
  ['before the scan', withBytes(scan, 9, 9)],
  ['that look like the start of a marker', withBytes(second, 3, 0xff, 0)],
  ['at two places', Buffer.concat([withBytes(second, 5).subarray(0, -2), Buffer.from([0xff, 0xd9])])],
])('stray bytes are removed: %s', (_, stray) => {
  expect(Buffer.from(withoutStrayBytes(stray)!)).toEqual(file)
})
test('a file without stray bytes, also with fill bytes, has nothing to remove', () => {
  expect(withoutStrayBytes(file)).toBeNull()
})
test.each([
  ['without a scan', withBytes(second, 0).subarray(0, scan)],
  ['with a second start', withBytes(second, 0, 0xff, 0xd8)],
  ['that ends in a segment', withBytes(second, 0).subarray(0, second + 6)],
])('a file %s is left as it is', (_, broken) => {
  expect(withoutStrayBytes(broken)).toBeNull()
})
