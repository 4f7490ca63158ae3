import { expect, test } from 'vitest'
import { findSkipsWithoutReason } from './test-skips.ts'

const problemsIn = (text: string): string[] => findSkipsWithoutReason({ path: 'a.test.ts', text })

test.each([
  "test.runIf(process.platform === 'linux')('works', () => {})",
  "describe.skipIf(!isRoot)('works', () => {})",
  "test.skip('works', () => {})",
  "test.each([1, 2]).skip('works', () => {})",
  "test.todo('works')",
  "test('works', ({ skip }) => skip(!isRoot))",
  "test('works', (context) => context.skip())",
  "const maybe = isRoot ? describe : () => {}\nmaybe('works', () => {})",
  'const maybe = isRoot ? test : other',
])('a skip without a reason is found: %s', (text) => {
  expect(problemsIn(text)).toEqual([expect.stringMatching(/^a\.test\.ts:1: .*; use skip\(condition, 'reason'\)/)])
})

test.each([
  "test('works', ({ skip }) => skip(!isRoot, 'needs root'))",
  "test('works', ({ skip }) => skip('is not ready'))",
  'beforeEach((context) => context.skip(!has(it), `needs ${it}`))',
  'const rest = page(list, query.skip, query.limit)',
  "const title = isRoot ? 'test' : 'describe'",
])('other code is fine: %s', (text) => expect(problemsIn(text)).toEqual([]))
