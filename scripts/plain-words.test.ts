import { expect, test } from 'vitest'
import { privateTermsIn } from './plain-words.ts'

const found = (text: string): string[] => privateTermsIn(text).map(({ text: term }) => term)

test.each([
  ['the letter goes out', 'letter'],
  ['const letterId = 1', 'letter'],
  ['queuedLetters', 'Letters'],
  ['send-letters', 'letters'],
  ['an e-mail address', 'e-mail'],
  ['createTurns(3)', 'createTurns'],
  ['behind walls', 'walls'],
  ['headStarts', 'headStarts'],
  ['see spec section 8', 'spec section'],
  ['runs after sweepLinks', 'sweepLinks'],
])('finds the term in %j', (text, term) => {
  expect(found(text)).toEqual([term])
})

test.each([
  'at least one uppercase letter',
  'letter-spacing: 0',
  'style.letterSpacing',
  'a newsletter',
  'the first letter of the username',
  'each letter of the alphabet',
  'letters and digits',
  'a firewall',
  'the wall clock and wall time',
  'a photo wall',
  'the pictures take turns',
  'sweep 3s linear',
])('allows %j', (text) => {
  expect(found(text)).toEqual([])
})

test('reports a term once, with every line on which it stands', () => {
  expect(privateTermsIn('a door\nno\nDoors')).toMatchObject([{ text: 'door', lines: [1, 3] }])
})
