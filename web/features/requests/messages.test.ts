import { describe, expect, test } from 'vitest'
import { ApiError, NetworkFailure } from '../../lib/answers.ts'
import { createFormat } from '../../lib/format.ts'
import { requests as text } from '../../messages/en/requests.ts'
import { sampleRequest } from '../../test/requests.ts'
import { addressParts, reasonsOf, requestMessage, summaryOf } from './messages.ts'

const format = createFormat('en-US')

describe('the line under the heading says', () => {
  test.each([
    [{ total: 0, sent: 0, failed: 0 }, null],
    [{ total: 1, sent: 1, failed: 0 }, '1 request, 1 sent'],
    [{ total: 61, sent: 61, failed: 0 }, '61 requests, 61 sent'],
    [{ total: 61, sent: 58, failed: 1 }, '61 requests, 58 sent, 1 failed, 2 on the way'],
    [{ total: 12_000, sent: 11_000, failed: 1000 }, '12,000 requests, 11,000 sent, 1000 failed'],
    [{ total: 1, sent: 2, failed: 0 }, '1 request, 2 sent'],
  ])('%o: %s', (counts, sentence) => {
    expect(summaryOf(counts, text, format)).toBe(sentence)
  })
})

describe('below its state a request says', () => {
  const due_at = '2026-11-14T22:10:00.000Z'
  const when = format.dateTime(due_at)
  test.each([
    ['nothing when it was sent', { state: 'sent', failure: 'Old trouble' }, null, null],
    ['why it failed', { state: 'failed', failure: 'Mailbox is full', due_at }, null, 'Mailbox is full'],
    ['nothing while it is about to go', { state: 'queued', due_at }, null, null],
    ['when it is tried again, and why', { state: 'queued', due_at, failure: 'Busy' }, `Next try ${when}`, 'Busy'],
    ['when it goes', { state: 'waiting', due_at }, `Goes out by itself ${when}`, null],
    ['why it waits', { state: 'waiting', failure: 'Too many' }, null, 'Too many'],
  ] as const)('%s', (_, facts, ours, theirs) => {
    expect(reasonsOf(sampleRequest(1, facts), text, format)).toEqual({ ours, theirs })
  })
})

describe('a failure says', () => {
  test.each([
    [new ApiError(409, { detail: 'This address is blocked.' }), 'This address is blocked.'],
    [new ApiError(500, { detail: 'stack' }), text.errors.resend],
    [new ApiError(404, null), text.errors.resend],
    [new NetworkFailure('timeout'), text.errors.resend],
  ])('%s', (error, sentence) => {
    expect(requestMessage(error, text.errors.resend)).toBe(sentence)
  })
})

test.each([
  ['lotte@example.com', ['lotte', '@example.com']],
  ['"odd@name"@example.com', ['"odd@name"', '@example.com']],
  ['nothing', ['nothing', '']],
])('%s may break at its last @ only', (address, parts) => {
  expect(addressParts(address)).toEqual(parts)
})
