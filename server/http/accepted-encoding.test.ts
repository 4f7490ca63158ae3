import { expect, test } from 'vitest'
import { isCodingAccepted, isGzipAccepted } from './accepted-encoding.ts'

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP', true],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, br', false],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['identity', false],
  ['gzipped', false],
  ['gzip;q=wrong', false],
])('Accept-Encoding %s: gzip %s', (header, accepted) => {
  expect(isGzipAccepted(header)).toBe(accepted)
})

test.each<[string, boolean]>([
  ['gzip, deflate, br, zstd', true],
  ['br;q=0, gzip', false],
  ['br;q=0, *', false],
  ['x-brotli, gzip', false],
])('Accept-Encoding %s: Brotli %s', (header, accepted) => {
  expect(isCodingAccepted(header, 'br')).toBe(accepted)
})
