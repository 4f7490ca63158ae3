import { expect, test } from 'vitest'
import { brokenRules, passwordMessages, passwordScore } from './passwords.ts'

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
