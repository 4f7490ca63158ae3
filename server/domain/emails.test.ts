import { describe, expect, test } from 'vitest'
import { mailboxKey, plainEmail } from './emails.ts'

describe('an address that somebody typed', () => {
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
  ])('%j goes on the envelope as %j', (typed, email) => expect(plainEmail(typed)).toBe(email))
})

describe('a mailbox', () => {
  test.each([
    ['Anna+Party@Example.com', 'anna@example.com'],
    ['anna+a+b@example.com', 'anna@example.com'],
    ['+lead@example.com', '+lead@example.com'],
    ['+a+b@example.com', '+a@example.com'],
    ['++lead@example.com', '++lead@example.com'],
    ['anna@example.com', 'anna@example.com'],
  ])('of %j is %j', (email, key) => expect(mailboxKey(email)).toBe(key))
})
