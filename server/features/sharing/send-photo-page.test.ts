import { expect, test } from 'vitest'
import type { HttpRequest } from '../../http/http-types.ts'
import { isReload } from './send-photo-page.ts'

const request = (headers: HttpRequest['headers']) =>
  // `isReload` reads nothing else.
  ({ url: '/d/abc', headers }) as HttpRequest

test.each<[string, HttpRequest, boolean]>([
  ['a guest scans the code', request({}), false],
  ['a guest comes from another page', request({ referer: 'https://photos.test/request-photo/1' }), false],
  ['the waiting page reloads itself', request({ referer: 'https://photos.test/d/abc' }), true],
  ['a guest presses the reload button', request({ 'cache-control': 'max-age=0' }), true],
])('when %s, the page knows whether it is a reload', (_, req, expected) => {
  expect(isReload(req)).toBe(expected)
})
