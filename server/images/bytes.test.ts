import { describe, expect, test } from 'vitest'
import { be16, be32, concatBytes, hasText, latin1At, latin1Bytes, le16, le32, packNumbers } from './bytes.ts'

const bytes = Uint8Array.of(0x12, 0x34, 0x56, 0xff)

test('numbers are read in both byte orders, without a sign', () => {
  expect([be16(bytes, 1), le16(bytes, 1)]).toEqual([0x3456, 0x5634])
  expect([be32(bytes, 0), le32(bytes, 0)]).toEqual([0x123456ff, 0xff563412])
})

describe('outside of the array', () => {
  test.each([-1, 3, 4, 1e9])('a number at %i is NaN, which fails every comparison', (offset) => {
    for (const read of [be16, le16, be32, le32]) expect(read(bytes, offset)).toBeNaN()
  })
  test('text is shorter than requested', () => {
    expect(latin1At(bytes, 2, 100)).toBe('V\xff')
    expect(latin1At(bytes, 9, 4)).toBe('')
    expect(latin1At(bytes, Number.NaN, 4)).toBe('')
  })
  test('no text is found', () => {
    expect(hasText(latin1Bytes('RIFF'), 0, 'RIFF')).toBe(true)
    expect(hasText(latin1Bytes('RIF'), 0, 'RIFF')).toBe(false)
    expect(hasText(latin1Bytes('RIFF'), -1, 'R')).toBe(false)
  })
})

test('numbers are packed in big-endian order, each with its width', () => {
  expect([...packNumbers([0x1234, 2], [0xff_ff_ff_fe, 4], [7, 1])]).toEqual([0x12, 0x34, 0xff, 0xff, 0xff, 0xfe, 7])
})

test('parts are copied one after the other', () => {
  expect(Buffer.from(concatBytes([latin1Bytes('ab'), latin1Bytes(''), latin1Bytes('c')])).toString()).toBe('abc')
})
