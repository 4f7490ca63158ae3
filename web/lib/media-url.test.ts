import { expect, test } from 'vitest'
import { mediaUrl } from './media-url.ts'

const page = 'http://localhost:3000'

test.each([
  ['http://192.168.1.20:3000/t/abc', 'http://localhost:3000/t/abc'],
  ['https://photos.example/media/abc?s=x%2By', 'http://localhost:3000/media/abc?s=x%2By'],
  ['/qr/d/abc.svg', 'http://localhost:3000/qr/d/abc.svg'],
  ['http://localhost:3000/t/abc', 'http://localhost:3000/t/abc'],
])('%s loads from the origin of this page', (address, expected) => {
  expect(mediaUrl(address, page)).toBe(expected)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'http://[',
  'blob:http://localhost:3000/1',
])('%s is rejected', (address) => {
  expect(mediaUrl(address, page)).toBeNull()
})
