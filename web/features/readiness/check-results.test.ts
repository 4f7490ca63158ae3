import type { TestEmail } from '@keepsnap/contract/readiness.ts'
import { expect, test } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { readiness } from '../../messages/en/readiness.ts'
import { complimentary, planStatusOf, samplePlanStatus, subscribed } from '../../test/sample-plan-status.ts'
import { emailResult, photosResult, planResult, storageResult } from './check-results.ts'

const localization = { text: readiness, format: createFormat('en-US') }
const gigabyte = 1024 ** 3
const now = Date.parse('2026-12-01T12:00:00.000Z')

test.each([
  [0, 'ok', '10 photos left until December 1, 2026.'],
  [7, 'ok', '3 photos left until December 1, 2026.'],
  [8, 'attention', 'Only 2 of 10 photos left until December 1, 2026. Upgrade for more.'],
  [10, 'attention', 'No photos left until December 1, 2026. New ones wait in the upload list.'],
  [12, 'attention', 'No photos left until December 1, 2026. New ones wait in the upload list.'],
])('with %d photos used, the photos are %s', (photos, state, sentence) => {
  expect(photosResult(samplePlanStatus(photos), localization)).toMatchObject({ state, sentence })
})

test.each([
  [0.5, 'ok', '512 MB left.'],
  [0.9, 'attention', 'Only 102.4 MB of 1 GB left. Delete photos, or choose a larger plan.'],
  [1.2, 'attention', 'Full. New photos wait in the upload list until you delete others.'],
])('with %d GB used, the storage is %s', (used, state, sentence) => {
  const status = planStatusOf('free', { photos: 0, storageBytes: used * gigabyte })
  expect(storageResult(status, localization)).toMatchObject({ state, sentence })
})

test.each([
  ['free', samplePlanStatus(0), 'ok', 'Free, with no end date.'],
  ['paid', subscribed('pro_monthly'), 'ok', 'Pro Monthly, renews on December 22, 2026.'],
  [
    'cancelled',
    subscribed('pro_yearly', { cancel_at_period_end: true }),
    'ok',
    'Pro Yearly, ends on December 22, 2026.',
  ],
  [
    'about to end',
    subscribed('pro_yearly', { cancel_at_period_end: true, current_period_end: '2026-12-04T12:00:00.000Z' }),
    'attention',
    'Pro Yearly ends on December 4, 2026. Then your plan becomes Free.',
  ],
  [
    'past due',
    subscribed('pro_monthly', { status: 'past_due', grace_until: '2026-12-29T12:00:00.000Z' }),
    'attention',
    'A payment is overdue. Pro Monthly continues until December 29, 2026.',
  ],
  ['complimentary', complimentary('pro_yearly', null), 'ok', 'Pro Yearly, with no end date.'],
  [
    'complimentary until a day',
    complimentary('pro_yearly', '2026-12-31T12:00:00.000Z'),
    'ok',
    'Pro Yearly, ends on December 31, 2026.',
  ],
  [
    'complimentary and better than the paid one',
    complimentary('pro_yearly', '2026-12-02T12:00:00.000Z', subscribed('pro_monthly')),
    'attention',
    'Pro Yearly ends on December 2, 2026. Then your plan becomes Pro Monthly.',
  ],
] as const)('a plan that is %s', (_, status, state, sentence) => {
  expect(planResult(status, now, localization)).toMatchObject({ state, sentence })
})

const email = (fields: Partial<TestEmail>): TestEmail => ({
  state: 'queued',
  asked_at: '2026-12-01T12:00:00.000Z',
  sent_at: null,
  reason: null,
  mail: 'smtp',
  ...fields,
})
const sentAt = '2026-12-01T12:00:05.000Z'
test.each([
  ['is being asked for', undefined, 'pending', /on its way/],
  ['waits', email({}), 'pending', /on its way/],
  [
    'waits for a reason',
    email({ reason: 'The mail server is busy.' }),
    'attention',
    /is delayed. The mail server is busy/,
  ],
  ['was accepted', email({ state: 'sent', sent_at: sentAt }), 'ok', /accepted the test email at .*me@example.com/],
  ['is a file', email({ state: 'sent', sent_at: sentAt, mail: 'outbox' }), 'attention', /outbox folder/],
  ['failed', email({ state: 'failed', reason: 'No such mailbox.' }), 'attention', /not accepted. No such mailbox/],
  ['failed for no known reason', email({ state: 'failed' }), 'attention', /Ask the person who runs this site/],
] as const)('a test email that %s', (_, given, state, sentence) => {
  const result = emailResult(given, 'me@example.com', localization)
  expect([result.state, result.sentence]).toEqual([state, expect.stringMatching(sentence)])
})
