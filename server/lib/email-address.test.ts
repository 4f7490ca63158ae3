import { describe, expect, test } from 'vitest'
import { mailboxKey, mailboxKeys, parseEmailAddress } from './email-address.ts'

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
    ['An.Na+party@gmail.com', 'anna@gmail.com'],
    ['an.na@googlemail.com', 'anna@gmail.com'],
    ['an.na@example.com', 'an.na@example.com'],
    ['an.na@protonmail.com', 'an.na@proton.me'],
    ['anna@me.com', 'anna@icloud.com'],
    ['anna@hotmail.com', 'anna@hotmail.com'],
  ])('of %j is %j', (email, key) => expect(mailboxKey(email)).toBe(key))
})

test.each([
  ['anna@example.com', ['anna@example.com']],
  ['Anna+party@example.com', ['anna@example.com', 'anna+party@example.com']],
  ['an.na+x@googlemail.com', ['anna@gmail.com', 'an.na@googlemail.com', 'an.na+x@googlemail.com']],
  ['+lead@example.com', ['+lead@example.com', '@example.com']],
])('something about %s may be stored under %j', (email, keys) => expect(mailboxKeys(email)).toEqual(keys))
