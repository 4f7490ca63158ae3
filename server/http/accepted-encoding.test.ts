import { expect, test } from 'vitest'
import { isGzipAccepted } from './accepted-encoding.ts'

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
