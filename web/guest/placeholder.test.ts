import { expect, test } from 'vitest'
import { createPlaceholderRenderer } from './placeholder.ts'

const thumbhash = '1QcSHQRnh493V4dIh4eXh1h4kJUI'
const render = createPlaceholderRenderer()
const svgOf = (photo: Parameters<typeof render>[0]): string =>
  decodeURIComponent(render(photo).replace('data:image/svg+xml,', ''))

test.each([
  [1000, 1500, 'width="2731" height="4096"'],
  [20, 20, 'width="4096" height="4096"'],
  [null, null, 'width="4096" height="2731"'],
] as const)('has the aspect ratio of %s by %s', (width, height, size) => {
  expect(svgOf({ width, height, thumbhash })).toContain(size)
})

test('draws the ThumbHash as a PNG', () => {
  const [, base64 = ''] = /data:image\/png;base64,([^"]+)/.exec(svgOf({ width: 3, height: 2, thumbhash })) ?? []
  expect(Buffer.from(base64, 'base64').subarray(1, 4).toString()).toBe('PNG')
})

test('is empty without a ThumbHash', () => {
  expect(svgOf({ width: 3, height: 2, thumbhash: null })).not.toContain('<image')
})

test.each(['', 'AAAA', 'no hash'])('is an image for the invalid ThumbHash %j', (invalid) => {
  expect(svgOf({ width: 3, height: 2, thumbhash: invalid })).toMatch(/^<svg .*<\/svg>$/)
})

test('stays the same after more photos than the cache holds', () => {
  const first = svgOf({ width: 1, height: 1, thumbhash })
  for (let height = 2; height < 300; height++) svgOf({ width: 1, height, thumbhash })
  expect(svgOf({ width: 1, height: 1, thumbhash })).toBe(first)
})
