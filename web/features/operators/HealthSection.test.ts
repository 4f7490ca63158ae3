import type { OperatorHealth } from '@keepsnap/contract/operators.ts'
import { expect, test } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { operator } from '../../messages/en/operators.ts'
import { healthInTrouble, sampleHealth } from '../../test/operators.ts'
import { type HealthLine, healthLines } from './HealthSection.tsx'
import { durationOf, formatTimeOrDate, noonOf, storeSizeOf } from './times.ts'

const lines = (health: OperatorHealth) =>
  healthLines(health, { text: operator.health, format: createFormat('en-GB') }).map(
    ({ part, tone, word }) => `${part}: ${tone}, ${word}`,
  )
const line = (part: HealthLine['part'], fields: Partial<OperatorHealth>) =>
  lines({ ...sampleHealth, ...fields }).find((one) => one.startsWith(part))
const sentence = (part: HealthLine['part'], health: OperatorHealth) =>
  healthLines(health, { text: operator.health, format: createFormat('en-GB') }).find((one) => one.part === part)
    ?.sentence

test('each healthy part has a one-word status', () => {
  expect(lines({ ...sampleHealth, billing: { ...sampleHealth.billing, past_due: 0 } })).toEqual([
    'queues: ok, Keeping up',
    'email: ok, Delivering',
    'billing: ok, In sync',
    'integrity: ok, Complete',
    'backup: ok, Recent',
    'operator: ok, Named',
    'availability: ok, 99.97%',
  ])
})

test('a part that needs attention is red', () => {
  expect(lines(healthInTrouble)).toEqual([
    'queues: bad, Stuck',
    'email: bad, Stopped',
    'billing: bad, 2 differences',
    'integrity: bad, 2 files missing',
    'backup: bad, Too old',
    'removals: bad, Paused',
    'operator: warn, Sample values',
    // Not rounded to the target.
    'availability: bad, 99.89%',
  ])
})

test('sentences contain the counts', () => {
  expect(sentence('queues', sampleHealth)).toBe(
    '4 waiting, oldest 0.8 s, 3 running. 96 photos in the last hour, median 1.1 s, slowest 2.4 s',
  )
  expect(sentence('email', sampleHealth)).toBe('218 sent today, 3 failed, none waiting')
  expect(sentence('email', healthInTrouble)).toMatch(/61 waiting since .*failure: 535 5\.7\.8 Authentication/)
  expect(sentence('integrity', healthInTrouble)).toMatch(
    /^2 files that are needed are not stored\. 424,960 files stored, last compared: .*1 orphaned file was removed$/,
  )
  expect(sentence('backup', sampleHealth)).toMatch(/^Finished: .*\d\d:\d\d, it took 12 min$/)
  expect(sentence('removals', healthInTrouble)).toMatch(
    /^Nothing is removed after the end of plans since .*\. Photos that wait: 4,?210, of accounts whose plan has ended: 31\. The/,
  )
  expect(sentence('operator', healthInTrouble)).toMatch(/who runs this site\. Set OPERATOR_NAME and SUPPORT_EMAIL on/)
  const processing = { photos: 0, median_seconds: null, slowest_seconds: null }
  expect(sentence('queues', { ...sampleHealth, processing, queues: [] })).toBe(
    'No job waits, 0 running. No photo processed in the last hour',
  )
})

const { email, billing } = sampleHealth
const backup = { finished_at: null, seconds: null }
const queue = { name: 'photos', waiting: 1, running: 0, failed: 0, oldest_waiting_seconds: 59 }
test.each([
  ['queues', { queues: [queue] }, 'queues: ok, Keeping up'],
  ['queues', { queues: [{ ...queue, oldest_waiting_seconds: 60 }] }, 'queues: warn, Behind'],
  ['queues', { queues: [{ ...queue, failed: 1 }] }, 'queues: warn, 1 failed job'],
  ['email', { email: { ...email, kind: 'off' } }, 'email: warn, Off'],
  ['email', { email: { ...email, kind: 'outbox' } }, 'email: ok, Outbox folder'],
  [
    'removals',
    { removals: { photos: 2, accounts: 1, stopped_at: null, stopped_because: null } },
    'removals: warn, Waiting for you',
  ],
  ['email', { email: { ...healthInTrouble.email, waiting: 4 } }, 'email: warn, Retrying some'],
  // One mailbox that is full is no reason for an alarm.
  ['email', { email: { ...email, waiting: 1, last_error: 'full' } }, 'email: warn, Retrying some'],
  ['email', { email: { ...email, waiting: 1, waiting_since: '2026-11-22T20:30:00.000Z' } }, 'email: warn, Behind'],
  ['email', { email: { ...email, waiting: 1, waiting_since: sampleHealth.as_of } }, 'email: ok, Delivering'],
  ['billing', { billing: { ...billing, payments: 'off' } }, 'billing: off, Off'],
  ['billing', { billing }, 'billing: warn, 1 past due'],
  ['billing', { billing: { ...billing, past_due: 0, compared_at: null } }, 'billing: off, Not compared yet'],
  ['billing', { billing: { ...billing, mismatches: 2, refused_because: 'a wrong key' } }, 'billing: bad, Not selling'],
  ['billing', { billing: { ...billing, past_due: 0, check_warning: 'disputes' } }, 'billing: warn, To correct'],
  [
    'integrity',
    { integrity: { checked_at: null, objects: null, missing: null, unknown: null } },
    'integrity: off, Not checked yet',
  ],
  ['backup', { backup: { ...backup, since: '2026-11-20T20:47:12.000Z' } }, 'backup: warn, Never'],
  ['backup', { backup: { ...backup, since: '2026-11-20T20:47:11.000Z' } }, 'backup: bad, Never'],
  ['backup', { backup: { ...sampleHealth.backup, damaged: 2 } }, 'backup: bad, Damaged'],
  ['operator', { operator: { sample_settings: ['OPERATOR_NAME'], is_public: false } }, 'operator: off, Sample values'],
  [
    'availability',
    { availability: { since: null, percent: null, target_percent: 99.9 } },
    'availability: off, Not measured yet',
  ],
] as const)('%s, %#', (part, fields, expected) => {
  expect(line(part, fields as Partial<OperatorHealth>)).toBe(expected) // the literals above
})

const format = createFormat('en-GB')

test.each([
  [0, '0 s'],
  [0.84, '0.8 s'],
  [9.96, '10 s'],
  [41.4, '41 s'],
  [119, '119 s'],
  [120, '2 min'],
  [3_599, '59 min'],
  [7_200, '2 h'],
  [172_800, '2 d'],
])('%d seconds are %s', (seconds, written) => {
  expect(durationOf(seconds, operator.health, format)).toBe(written)
})

test('a store has terabytes', () => {
  const sizeOf = (bytes: number) => storeSizeOf(bytes, operator.numbers, format)
  expect([sizeOf(0), sizeOf(1023 * 1024 ** 3), sizeOf(1.424 * 1024 ** 4)]).toEqual(['0 B', '1,023 GB', '1.42 TB'])
})

test('a time has its date unless it is today', () => {
  const now = new Date(2026, 10, 22, 21, 47).toISOString()
  expect(formatTimeOrDate(new Date(2026, 10, 22, 4, 10).toISOString(), now, format)).toBe('04:10')
  expect(formatTimeOrDate(new Date(2026, 10, 21, 4, 10).toISOString(), now, format)).toBe('21 Nov 2026, 04:10')
})

test('a day of the server is the same day for the reader', () => {
  expect(format.date(noonOf('2026-11-14'))).toBe('14 November 2026')
})
