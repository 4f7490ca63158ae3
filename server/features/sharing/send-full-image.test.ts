import { expect, test } from 'vitest'
import type { HttpRequest } from '../../http/http-types.ts'
import { startsDownload } from './send-full-image.ts'

const request = (headers: HttpRequest['headers'], method = 'GET') =>
  // `startsDownload` reads nothing else.
  ({ method, headers }) as HttpRequest

test.each<[string, HttpRequest, boolean]>([
  ['of the whole file', request({}), true],
  ['of the file from its first byte', request({ range: 'bytes=0-' }), true],
  ['of a later part, which continues a download', request({ range: 'bytes=1000-' }), false],
  ['of the headers', request({}, 'HEAD'), false],
  ['that revalidates a file in a cache', request({ 'if-none-match': '"abc"' }), false],
])('a request %s counts as a download or not', (_, req, isDownload) => {
  expect(startsDownload(req)).toBe(isDownload)
})
