import { expect, test } from 'vitest'
import { apiKeyNameMessages, apiKeyNameProblem, brandNameProblem, normalizeName } from './names.ts'

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
