import { encodeQrCode, qrCodeSvg } from '@keepsnap/server/lib/qr-codes.ts'
import { expect, test } from 'vitest'
import { modulesOfSvg } from './qr-code-svg.ts'

const text = 'https://keepsnap.example/d/QUiDlcdnyH2RTAmc6OQEKk'
const svg = qrCodeSvg(encodeQrCode(text))

test('a code of the server is read module by module', () => {
  const withQuietZone = encodeQrCode(text)
  expect(modulesOfSvg(svg)).toEqual(withQuietZone.slice(4, -4).map((row) => row.slice(4, -4)))
})

test.each([
  ['nothing', ''],
  ['a page', '<!doctype html><p>Sign in</p>'],
  ['a script', svg.replace('<path', '<script>alert(1)</script><path')],
  ['more after it', `${svg}<svg/>`],
  ['another shape', svg.replace('v1H', 'v2H')],
  ['a module in the quiet zone', svg.replace(/d="M\d+ \d+h7v1H\d+z/, 'd="M3 4h7v1H3z')],
  ['a module outside', svg.replace(/d="M\d+ \d+h7v1H\d+z/, 'd="M900 4h7v1H900z')],
  ['an empty run', svg.replace(/d="M4 4h7v1H4z/, 'd="M4 4h0v1H4z')],
  ['one that is too large', svg.replaceAll(/\b(viewBox="0 0 )\d+ \d+/g, '$1900 900')],
])('refuses %s', (_, other) => {
  expect(other).not.toBe(svg)
  expect(() => modulesOfSvg(other)).toThrow()
})
