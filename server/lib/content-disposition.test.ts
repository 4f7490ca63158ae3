import { expect, test } from 'vitest'
import { contentDisposition } from './content-disposition.ts'

test.each([
  'photo.jpg',
  'Foto’s – mariée №1.jpg',
  '"quoted".jpg',
  'semi;colon.jpg',
  '%0d%0aX: y.jpg',
  "a(b)*c'd.jpg",
  '👩‍🚀.png',
  'ｆｕｌｌｗｉｄｔｈ.jpg',
  '~',
])('%j becomes one header that a browser can decode', (filename) => {
  const header = contentDisposition('attachment', filename)
  expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/)
  const [, encoded] = /filename\*=UTF-8''(.+)$/.exec(header) ?? []
  const [, ascii] = /filename="([^"]*)"/.exec(header) ?? []
  expect(encoded === undefined ? ascii : decodeURIComponent(encoded)).toBe(filename)
})

test('line breaks and lone surrogates do not reach the header', () => {
  expect(contentDisposition('inline', 'a\r\nSet-Cookie: x=1\ud800.jpg')).toMatch(
    /^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.%-]+$/,
  )
})
