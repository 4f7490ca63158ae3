import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { adobeRgbProfile, sanitizeProfile } from './icc.ts'

const embedded = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#888' } })
  .withIccProfile('p3')
  .png()
  .toBuffer()
const p3 = (await sharp(embedded).metadata()).icc!

const changed = (change: (profile: Buffer) => void): Buffer => {
  const copy = Buffer.from(p3)
  change(copy)
  return copy
}

test('sanitizing a sanitized profile changes nothing', () => {
  const sanitized = sanitizeProfile(p3, 3)!
  expect(sanitizeProfile(sanitized, 3)).toEqual(sanitized)
  expect(sanitizeProfile(adobeRgbProfile(), 3)).toEqual(adobeRgbProfile())
})

test('contains only what defines colours, without makers and names, which may identify a device', () => {
  const [maker, name] = ['hand', Buffer.from('sP3C', 'utf16le').swap16()]
  expect([p3.includes(maker), p3.includes(name)]).toEqual([true, true])
  const sanitized = Buffer.from(sanitizeProfile(p3, 3)!)
  expect([sanitized.includes(maker), sanitized.includes(name)]).toEqual([false, false])
  const tags = Array.from({ length: sanitized.readUInt32BE(128) }, (_, i) =>
    sanitized.toString('latin1', 132 + i * 12, 136 + i * 12),
  )
  expect(tags.toSorted()).toEqual(['bTRC', 'bXYZ', 'chad', 'cprt', 'desc', 'gTRC', 'gXYZ', 'rTRC', 'rXYZ', 'wtpt'])
})

describe('does not support', () => {
  test.each([
    ['a profile for another number of components', p3, 1],
    ['a truncated profile', p3.subarray(0, 200), 3],
    ['another signature', changed((copy) => copy.write('xxxx', 36)), 3],
    ['version 5', changed((copy) => copy.writeUInt8(5, 8)), 3],
    ['a missing curve', changed((copy) => copy.write('XXXX', copy.indexOf('rTRC'))), 3],
    ['a lookup table', changed((copy) => copy.write('A2B0', copy.indexOf('cprt'))), 3],
    ['a tag outside of the profile', changed((copy) => copy.writeUInt32BE(0xffff_0000, 132 + 4)), 3],
  ] as const)('%s', (_, profile, components) => {
    expect(sanitizeProfile(profile, components)).toBeNull()
  })
})
