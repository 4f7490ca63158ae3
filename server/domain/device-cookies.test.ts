import { deviceCookie, deviceCookieDays } from '@keepsnap/contract/browser-storage.ts'
import { expect, test } from 'vitest'
import { singleKey } from '../lib/secret-keys.ts'
import { createDeviceCookies } from './device-cookies.ts'

const ann = { id: 'ann', password_hash: 'hash of ann' }
const [first, second] = ['first secret key', 'second secret key']
const cookies = createDeviceCookies(singleKey(first))
const header = (value: string): string => `language=nl; ${deviceCookie}=${value}; other=1`
const annsHeader = header(cookies.valueAfter(undefined, ann))

test('names a browser for the account that has signed in with it, and for no other', () => {
  const browser = cookies.browserOf(annsHeader, ann)
  expect(browser).toMatch(/^\w{22}$/)
  expect(cookies.browser(annsHeader)).toBe(browser)
  expect(cookies.browserOf(annsHeader, { ...ann, id: 'bob' })).toBeUndefined()
})

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
