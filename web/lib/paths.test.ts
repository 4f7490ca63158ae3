import { describe, expect, test } from 'vitest'
import { loginPath, internalPath, paths, returnPath } from './paths.ts'

const origin = 'https://photos.example'
const locationOf = (path: string) => {
  const { pathname, search, hash } = new URL(path, origin)
  return { pathname, search, hash }
}

describe('the path to return to after signing in', () => {
  test.each([
    '/latest',
    '/gallery?photo=4',
    '/upload#queue',
    '/',
    '/gallery?a=b%20c&d=%C3%A9',
    '/pricing?plan=pro_yearly',
    '/subscription/success?session_id=cs_test_a1b2C3',
    '/subscription/cancel',
  ])('is %s, a page of the app', (path) => {
    expect(internalPath(path, origin)).toBe(path)
    const login = loginPath(locationOf(path))
    expect(returnPath(new URL(login, origin).search, origin)).toBe(path)
  })

  test('is left out when it is the home page', () => {
    expect(loginPath(locationOf('/'))).toBe(paths.login)
  })

  test('is the home page when none was requested', () => {
    expect(returnPath('', origin)).toBe('/')
    expect(returnPath('?other=/latest', origin)).toBe('/')
  })

  // docs/security.md T19
  const attacks = [
    '//evil.example',
    '///evil.example',
    '////evil.example/latest',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '/\\/evil.example/latest',
    '/latest\\..\\..\\evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https://evil.example',
    'https://evil.example/latest',
    'http:evil.example/latest',
    'HTTPS://EVIL.EXAMPLE/latest',
    '/%2f%2fevil.example',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/%5C%5Cevil.example',
    '/%252f%252fevil.example',
    '/%09/evil.example',
    '/%0a/evil.example',
    '/%0d%0aLocation:https://evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    ' /latest',
    '/latest\u0000',
    '/latest\u2028',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//latest',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://photos.example/0',
    'file:///etc/passwd',
    'https://photos.example@evil.example/latest',
    'https://photos.example:pass@evil.example',
    'https://photos.example.evil.example/latest',
    'https://evilphotos.example/latest',
    'https://photos.example%2eevil.example/latest',
    'https://ph\u043etos.example/latest',
    'https://photos.example:8443/latest',
    'http://photos.example/latest',
    '//photos.example@evil.example',
    '/@evil.example',
    '/.evil.example',
    '/..//evil.example',
    '/./\\evil.example',
    '/latest/..//evil.example',
    '/latest/%2e%2e//evil.example',
    '/\uff0fevil.example',
    '/\u2215evil.example',
    '//\u3002evil.example',
    'evil.example',
    'latest',
    '?x=/latest',
    '#/latest',
    '/wp-admin',
    '/latest/',
    '/LATEST',
    '',
    `/gallery?${'a'.repeat(3000)}`,
  ]

  test('is tested with at least fifty attacks', () => {
    expect(new Set(attacks).size).toBeGreaterThanOrEqual(50)
  })

  test.each(attacks)('is never %j', (text) => {
    expect(internalPath(text, origin)).toBeNull()
    expect(returnPath(`?${new URLSearchParams({ return: text })}`, origin)).toBe('/')
  })
})
