import { expect, test } from 'vitest'
import { sampleReport } from '../../test/samples.ts'
import { actionsOf, reportStatusOf } from './open-reports.ts'

test.each([
  [{ open: true, hidden: false }, 'open', ['hide', 'keep']],
  [{ open: false, hidden: true }, 'hide', ['show']],
  [{ open: true, hidden: true }, 'hide', ['show']],
  [{ open: false, hidden: false }, 'keep', ['hide']],
  [{ open: false, hidden: true, hidden_by_operator: true }, 'operator', []],
  [{ open: true, hidden: true, hidden_by_operator: true }, 'operator', []],
])('a reported photo with %o has the status %s and the actions %o', (fields, status, actions) => {
  const report = sampleReport(1, fields)
  expect([reportStatusOf(report), actionsOf(report)]).toEqual([status, actions])
})
