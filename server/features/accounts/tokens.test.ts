import { describe, expect, test } from 'vitest'
import { deviceCookie, deviceCookieDays } from '@keepsnap/contract/site.ts'
import { singleKey } from '../../lib/cryptography.ts'
import { newId } from '../../lib/ids.ts'
import { createDeviceCookies, createTestCodes, createTokens } from './tokens.ts'

describe('tokens', () => {
  const tokens = createTokens(singleKey('a secret key of the tests'))
  const mailbox = 'ann@example.com'

  test('tokens never change: links in emails that were sent before keep working', () => {
    expect(tokens.grant('request-1')).toBe('1eK4E9uXMcxH68RizJJGprC2Hh-CbwJvqFpDHXJE_yo')
    expect(tokens.account('reset', 'link-1')).toBe('IGPx3yb62GH0KGdI3SE6B-BOKVuuTZHIBS-iJRNTEKg')
    expect(tokens.account('verify', 'link-1')).toBe('DCHwwnxckv8ZCPx-qKqCaGxBj0vNxMOaZ-x1ur1p3dU')
    expect(tokens.account('archive', 'link-1')).toBe('50JrpDRzZw64XN9WIZYLwmP4pJM8Z6uhEHIfk3gWcxQ')
    expect(tokens.unsubscribe(mailbox)).toBe('rDxnyyZCY9RDFv4M37BvOezlHZX6ND2ATg3CtMGV-B2k')
    expect(tokens.mailboxHashes(mailbox)[0]?.toString('hex')).toBe(
      '8ee5bfacfeebd4dd1ecf278e1b990fb7edf83219e2cf18859f46bd831b3347f2',
    )
  })

  test('an unsubscribe token identifies the mailbox it was issued for, and other tokens identify none', () => {
    const token = tokens.unsubscribe(mailbox)
    expect(tokens.mailboxHashFromToken(token)).toEqual(tokens.mailboxHashes(mailbox)[0])
    const other = tokens.unsubscribe('ben@example.com')
    const foreign = createTokens(singleKey('another secret key of the tests')).unsubscribe(mailbox)
    for (const invalid of ['', 'x', token.slice(1), `${token}A`, token.slice(0, 22) + other.slice(22), foreign])
      expect(tokens.mailboxHashFromToken(invalid)).toBeUndefined()
  })

  test('a client’s pseudonym contains no part of its address and differs between clients', () => {
    const pseudonym = tokens.clientPseudonym('203.0.113.7')
    expect(pseudonym).toMatch(/^[\w-]{22}$/)
    expect(tokens.clientPseudonym('203.0.113.7')).toBe(pseudonym)
    expect(tokens.clientPseudonym('203.0.113.8')).not.toBe(pseudonym)
  })
})

describe('device cookies', () => {
  const ann = { id: 'ann', password_hash: 'hash of ann' }
  const [first, second] = ['first secret key', 'second secret key']
  const cookies = createDeviceCookies(singleKey(first))
  const header = (value: string): string => `language=nl; ${deviceCookie}=${value}; other=1`
  const annsHeader = header(cookies.valueAfter(undefined, ann))

  test('ends with a new password, and after a year without a sign-in', () => {
    expect(cookies.browserOf(annsHeader, { ...ann, password_hash: 'new hash' })).toBeUndefined()
    const at = (days: number) => createDeviceCookies(singleKey(first), () => Date.now() + days * 86_400_000)
    expect(at(deviceCookieDays - 1).browser(annsHeader)).toBeDefined()
    expect(at(deviceCookieDays + 1).browser(annsHeader)).toBeUndefined()
  })

  test('stays the same browser at the next sign-in, and keeps its last four accounts', () => {
    const again = header(cookies.valueAfter(annsHeader, ann))
    expect(cookies.browserOf(again, ann)).toBe(cookies.browserOf(annsHeader, ann))
    const others = ['1', '2', '3', '4'].map((id) => ({ ...ann, id }))
    let all = annsHeader
    for (const other of others.slice(0, 3)) all = header(cookies.valueAfter(all, other))
    for (const one of [ann, ...others.slice(0, 3)]) expect(cookies.browserOf(all, one)).toBeDefined()
    all = header(cookies.valueAfter(all, others[3]!))
    expect(cookies.browserOf(all, ann)).toBeUndefined()
  })

  test('holds neither the id of the account nor anything of its password', () => {
    expect(annsHeader).not.toMatch(/ann|hash/)
  })

  test('is accepted after its key was replaced, as long as that key is', () => {
    const both = createDeviceCookies({ current: second, accepted: [first], formerUnsubscribeKeys: [] })
    expect(both.browserOf(annsHeader, ann)).toBe(cookies.browserOf(annsHeader, ann))
    expect(createDeviceCookies(singleKey(second)).browser(annsHeader)).toBeUndefined()
  })

  test.each([
    undefined,
    '',
    deviceCookie,
    `${deviceCookie}=`,
    annsHeader.replace(/\.(.)/, (_, digit) => `.${9 - Number(digit)}`),
    annsHeader.replace(/(\w)(?=; other)/, (last) => (last === 'A' ? 'B' : 'A')),
    header('a'.repeat(10_000)),
    header('~'.repeat(10_000)),
  ])('a forged or damaged cookie is none: %s', (text) => {
    expect(cookies.browser(text)).toBeUndefined()
    expect(cookies.browserOf(text, ann)).toBeUndefined()
  })
})

describe('test codes', () => {
  const codes = createTestCodes(singleKey('a secret key of the tests'))

  test('a token contains owner and expiry; altered and foreign tokens are rejected', () => {
    const userId = newId()
    const token = codes.token(userId, 1_800_000_000)
    expect(codes.read(token)).toEqual({ userId, expiresAt: 1_800_000_000 })
    const foreign = createTestCodes(singleKey('another secret key')).token(userId, 1_800_000_000)
    for (const invalid of ['', 'x', `${token}A`, token.replace('.18', '.19'), token.replace(userId, newId()), foreign])
      expect(codes.read(invalid)).toBeUndefined()
  })
})
