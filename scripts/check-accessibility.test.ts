import { expect, test } from 'vitest'
import { ruleProblem, titlesIn } from './check-accessibility.ts'

test('a test counts under the title that its file has, unless it is skipped', () => {
  const text = `
    test('one', () => {})
    test.each([1])('two %s', () => {})
    test.concurrent.for([1])('three', { timeout: 1 }, () => {})
    test.skip('four', () => {})
    test.skipIf(process.platform === 'x')('five', () => {})
    describe('six', () => {})`
  expect(titlesIn('some.test.ts', text)).toEqual(['one', 'two %s', 'three'])
})

test('a rule of axe counts for its criteria, if the tests run it', () => {
  expect(ruleProblem('1.4.3', 'color-contrast')).toBeNull()
  expect(ruleProblem('2.5.8', 'target-size')).toBeNull()
  expect(ruleProblem('1.4.3', 'colour-contrast')).toBe('1.4.3: axe has no rule colour-contrast')
  expect(ruleProblem('1.4.11', 'color-contrast')).toBe('1.4.11: the rule color-contrast is about something else')
  expect(ruleProblem('1.3.4', 'css-orientation-lock')).toBe('1.3.4: the tests do not run the rule css-orientation-lock')
  expect(ruleProblem('1.4.6', 'color-contrast-enhanced')).toBe(
    '1.4.6: the tests do not run the rule color-contrast-enhanced',
  )
})
