import { describe, expect, test } from 'vitest'
import { all } from './all.ts'
import * as accounts from './accounts.ts'
import { emailKey, emailProblem, isEmail } from './emails.ts'
import * as healths from './health.ts'
import * as live from './live.ts'
import { brokenRules, passwordMessages, passwordScore } from './passwords.ts'
import * as photos from './photos.ts'
import { plans, planIds, tierOf } from './plans.ts'
import * as branding from './branding.ts'
import * as insights from './insights.ts'
import * as privacy from './privacy.ts'
import * as reports from './reports.ts'
import * as requests from './requests.ts'
import * as security from './security.ts'
import * as settings from './settings.ts'
import * as sharing from './sharing.ts'

describe('endpoints', () => {
  test('each is in the list of all, once', () => {
    const declared = [
      accounts,
      branding,
      healths,
      insights,
      live,
      photos,
      privacy,
      reports,
      requests,
      security,
      settings,
      sharing,
    ]
      .flatMap((part) => Object.values<unknown>(part))
      .filter((value) => typeof value === 'object' && value !== null && 'method' in value)
    expect(new Set(all)).toEqual(new Set(declared))
    const names = all.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('passwords', () => {
  test.each([
    ['', 'Password must be at least 8 characters long'],
    ['Aa1!', 'Password must be at least 8 characters long'],
    ['aaaaaa1!', 'Password must contain at least one uppercase letter'],
    ['AAAAAA1!', 'Password must contain at least one lowercase letter'],
    ['AAAAaaa!', 'Password must contain at least one number'],
    ['AAAAaaa1', 'Password must contain at least one special character'],
    ['AAAAaa1-', 'Password must contain at least one special character'],
  ])('%j is refused with: %s', (password, message) => {
    expect(passwordMessages[brokenRules(password)[0] ?? 'length']).toBe(message)
  })
  test.each('!@#$%^&*(),.?":{}|<>'.split(''))('%s is a special character', (sign) => {
    expect(brokenRules(`Abcdef1${sign}`)).toEqual([])
  })
  test.each([
    ['', 0],
    ['abc', 0],
    ['abcdefgh', 1],
    ['abcdefghijkl', 2],
    ['Abcdefgh', 2],
    ['Abcdefghijkl', 3],
    ['Abcdefg1!', 3],
    ['Abcdefghijk1!', 4],
    ['1!', 1],
  ])('%j scores %i', (password, score) => {
    expect(passwordScore(password)).toBe(score)
  })
})

describe('e-mail addresses', () => {
  test.each(['anna@example.com', 'a.b+c@sub.example.co.uk', "o'neil@example.com", 'x@y.zz'])('%s is one', (email) =>
    expect(isEmail(email)).toBe(true),
  )
  test.each([
    '',
    '@',
    'a@',
    '@b.com',
    'a@b',
    'a b@c.com',
    'a@b..com',
    '.a@b.com',
    'a.@b.com',
    'a@-b.com',
    'a@b-.com',
    'a@b.com\r\nBcc: x@y.zz',
    'a@b.com,c@d.com',
    '"a b"@c.com',
    'a@b.com;',
    'A <a@b.com>',
    'a@[127.0.0.1]',
    `${'a'.repeat(65)}@b.com`,
    `a@${'b'.repeat(64)}.com`,
    `${'a'.repeat(250)}@b.com`,
    'ä@b.com',
  ])('%j is none', (email) => expect(isEmail(email)).toBe(false))
  test.each([
    ['lotte@b\u00fccher.example', null],
    ['lotte@\u4f8b\u3048.jp', null],
    ['\u00e4@example.com', 'letters'],
    ['lotte@b\u00fccher', 'ending'],
    ['lotte@b\u00fc/cher.example', 'form'],
    ['lotte@b\u00fccher.example, x@y.zz', 'several'],
  ])('what a page says of %j before the server is asked: %j', (text, problem) =>
    expect(emailProblem(text)).toBe(problem),
  )
  test('case does not tell two addresses apart', () => expect(emailKey(' Anna@Example.COM ')).toBe('anna@example.com'))
  test('a megabyte of text is judged at once', () => {
    const began = performance.now()
    expect(isEmail('a.'.repeat(500_000))).toBe(false)
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

describe('plans', () => {
  test('are those of the spec', () => {
    const table = planIds.map((id) => [
      plans[id].price_cents,
      plans[id].features.max_photos,
      plans[id].features.storage_gb,
      plans[id].features.max_file_size_mb,
      plans[id].features.api_access,
      tierOf(id),
    ])
    expect(table).toEqual([
      [0, 10, 1, 50, false, 'free'],
      [1499, 100, 10, 100, false, 'pro'],
      [14_999, 1000, 50, 100, true, 'pro'],
    ])
  })
})
