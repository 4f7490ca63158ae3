import { describe, expect, test } from 'vitest'
import { mailboxKey, parseEmailAddress } from './email-address.ts'

describe('parseEmailAddress', () => {
  test.each([
    [' lotte@example.com ', 'lotte@example.com'],
    ['lotte@b\u00fccher.example', 'lotte@xn--bcher-kva.example'],
    ['Lotte@Example.COM', 'Lotte@example.com'],
    ['lotte@example', undefined],
    ['lotte@1.2.3.4', undefined],
    ['lotte@example.com/path', undefined],
    ['lotte@user:pass@example.com', undefined],
    ['lotte@example.com\r\nBcc: x@y.zz', undefined],
    ['lotte@example.com, x@y.zz', undefined],
    ['\u00e4@example.com', undefined],
    ['', undefined],
  ])('parses %j as %j', (typed, email) => expect(parseEmailAddress(typed)).toBe(email))
})

describe('mailboxKey', () => {
  test.each([
    ['Anna+Party@Example.com', 'anna@example.com'],
    ['anna+a+b@example.com', 'anna@example.com'],
    ['+lead@example.com', '+lead@example.com'],
    ['+a+b@example.com', '+a@example.com'],
    ['++lead@example.com', '++lead@example.com'],
    ['anna@example.com', 'anna@example.com'],
  ])('of %j is %j', (email, key) => expect(mailboxKey(email)).toBe(key))
})
