import { describe, expect, test } from 'vitest'
import { canonicalTimeZone } from './languages.ts'
import {
  apiKeyNameMessages,
  apiKeyNameProblem,
  brandNameProblem,
  brokenRules,
  emailProblem,
  isEmail,
  normalizeEmail,
  normalizeName,
  passwordMessages,
  passwordScore,
} from './form-rules.ts'
import { planIds, plans, tierOf } from './plans.ts'

describe('time zones', () => {
  test.each([
    ['Europe/Brussels', 'Europe/Brussels'],
    ['europe/brussels', 'Europe/Brussels'],
    ['America/Argentina/Buenos_Aires', expect.stringMatching(/^America\//)],
    ['UTC', 'UTC'],
    ['', undefined],
    ['Europe/Nowhere', undefined],
    ['+01:00', undefined],
    ['Europe/Brussels; drop table users', undefined],
    [`Europe/${'x'.repeat(80)}`, undefined],
  ])('the time zone %j is %s', (name, canonical) => {
    expect(canonicalTimeZone(name)).toEqual(canonical)
  })
})

describe('emails', () => {
  test.each(['anna@example.com', 'a.b+c@sub.example.co.uk', "o'neil@example.com", 'x@y.zz'])('%s is valid', (email) =>
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
  ])('%j is invalid', (email) => expect(isEmail(email)).toBe(false))
  test.each([
    ['lotte@b\u00fccher.example', null],
    ['lotte@\u4f8b\u3048.jp', null],
    ['\u00e4@example.com', 'characters'],
    ['lotte@b\u00fccher', 'ending'],
    ['lotte@b\u00fc/cher.example', 'form'],
    ['lotte@b\u00fccher.example, x@y.zz', 'several'],
    [`${'a'.repeat(250)}@b.com`, 'long'],
  ])('emailProblem(%j) is %j', (text, problem) => expect(emailProblem(text)).toBe(problem))
  test('addresses are compared without regard to case', () =>
    expect(normalizeEmail(' Anna@Example.COM ')).toBe('anna@example.com'))
  test('addresses are checked in linear time', () => {
    const before = process.cpuUsage()
    expect(isEmail('a.'.repeat(500_000))).toBe(false)
    const { user, system } = process.cpuUsage(before)
    expect(user + system, 'CPU time in microseconds').toBeLessThan(1_000_000)
  })
})

describe('names', () => {
  test.each([
    ['Studio Sofie', null],
    ['Anna & Ben’s Photo Booth, est. 2019', null],
    ['写真館 東京 📸', null],
    ['👩‍👩‍👧 family photos', null],
    ['@studio_sofie', null],
    ['J. Smith', null],
    ['x'.repeat(60), null],
    ['📸'.repeat(60), null],
    ['', 'missing'],
    ['x'.repeat(61), 'long'],
    ['📸'.repeat(61), 'long'],
    ['Studio\nSofie', 'characters'],
    ['Studio\tSofie', 'characters'],
    ['Studio\0', 'characters'],
    ['Studio \u202Eeifos', 'characters'],
    ['Stu\u200Bdio', 'characters'],
    ['Studio\u2028Sofie', 'characters'],
    ['https://sofie.example', 'link'],
    ['Sofie, www.sofie.example', 'link'],
    ['sofie.be', 'link'],
    ['sofie．be', 'link'],
    ['Write to sofie@example.com', 'link'],
    ['ftp://1.2.3.4', 'link'],
  ])('the problem of the brand name %j is %s', (name, problem) => {
    expect(brandNameProblem(normalizeName(name))).toBe(problem)
  })

  test('a name is normalized before it is checked and stored', () => {
    expect(normalizeName('  Studio   Sofie\u0301 \n')).toBe('Studio Sofi\u00e9')
  })

  test('an API key has a name, which may contain a link: only its owner sees it', () => {
    expect(apiKeyNameProblem(normalizeName('Booth, hall 2'))).toBeNull()
    expect(apiKeyNameProblem(normalizeName('booth.example'))).toBeNull()
    expect(apiKeyNameProblem(normalizeName('x'.repeat(60)))).toBeNull()
    expect(apiKeyNameProblem(normalizeName('x'.repeat(61)))).toBe('long')
    expect(apiKeyNameProblem(normalizeName('a\0b'))).toBe('characters')
    expect(apiKeyNameProblem(normalizeName('  '))).toBe('missing')
    expect(apiKeyNameMessages.missing).toBe('Please enter a name for your API key')
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
  ])('%j is rejected with: %s', (password, message) => {
    expect(passwordMessages[brokenRules(password)[0] ?? 'length']).toBe(message)
  })
  test.each('!@#$%^&*(),.?":{}|<>'.split(''))('%s is a special character', (character) => {
    expect(brokenRules(`Abcdef1${character}`)).toEqual([])
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

describe('plans', () => {
  test('plans have the prices and limits of the specification', () => {
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
