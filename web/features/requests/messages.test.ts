import { describe, expect, test } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { requests as text } from '../../messages/en/requests.ts'
import { sampleRequest } from '../../test/sample-requests.ts'
import { stateDetails, summaryOf } from './messages.ts'

const format = createFormat('en-US')

describe('the summary', () => {
  test.each([
    [{ total: 0, sent: 0, failed: 0 }, '0 requests'],
    [{ total: 1, sent: 1, failed: 0 }, '1 request, 1 sent'],
    [{ total: 61, sent: 61, failed: 0 }, '61 requests, 61 sent'],
    [{ total: 61, sent: 58, failed: 1 }, '61 requests, 58 sent, 1 failed, 2 pending'],
    [{ total: 12_000, sent: 11_000, failed: 1000 }, '12,000 requests, 11,000 sent, 1000 failed'],
    [{ total: 1, sent: 2, failed: 0 }, '1 request, 2 sent'],
  ])('of %o is: %s', (counts, sentence) => {
    expect(summaryOf(counts, text, format)).toBe(sentence)
  })
})

describe('the details of a request', () => {
  const due_at = '2026-11-14T22:10:00.000Z'
  const time = format.dateTime(due_at)
  test.each([
    ['are empty when its email was sent', { state: 'sent', failure: 'Old error' }, null, null],
    ['name the reason of a failure', { state: 'failed', failure: 'Mailbox is full', due_at }, null, 'Mailbox is full'],
    ['are empty before the first attempt', { state: 'queued', due_at }, null, null],
    [
      'name the time of the next attempt, and the reason',
      { state: 'queued', due_at, failure: 'Busy' },
      `Next attempt ${time}`,
      'Busy',
    ],
    ['name the scheduled time', { state: 'waiting', due_at }, `Scheduled for ${time}`, null],
    ['name the reason for waiting', { state: 'waiting', failure: 'Too many' }, null, 'Too many'],
  ] as const)('%s', (_, fields, next, reason) => {
    expect(stateDetails(sampleRequest(1, fields), text, format)).toEqual({ next, reason })
  })
})
