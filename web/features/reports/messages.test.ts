import { expect, test } from 'vitest'
import { ApiError, NetworkFailure } from '../../lib/answers.ts'
import { reports } from '../../messages/en/reports.ts'
import { sampleReport } from '../../test/requests.ts'
import { choicesOf, decideMessage, standingOf } from './messages.ts'

test.each([
  [{ open: true, hidden: false }, 'open', ['hide', 'keep']],
  [{ open: false, hidden: true }, 'hide', ['show']],
  [{ open: true, hidden: true }, 'hide', ['show']],
  [{ open: false, hidden: false }, 'keep', ['hide']],
])('a reported photo with %o stands as %s, and offers %o', (facts, standing, choices) => {
  const report = sampleReport(1, facts)
  expect([standingOf(report), choicesOf(report)]).toEqual([standing, choices])
})

test.each([
  [new ApiError(404, { detail: 'This photo is gone.' }), 'This photo is gone.'],
  [new ApiError(503, { detail: 'x' }), reports.errors.decide],
  [new NetworkFailure('timeout'), reports.errors.decide],
])('a decision that could not be saved says for %s: %s', (error, sentence) => {
  expect(decideMessage(error, reports.errors.decide)).toBe(sentence)
})
