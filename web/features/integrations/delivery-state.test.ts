import { expect, test } from 'vitest'
import type { WebhookAttempt } from '@keepsnap/contract/integrations.ts'
import { displayStateOf, isRedirect, isReplayable, readableBody } from './DeliveryLog.tsx'

const attempt: WebhookAttempt = {
  at: '2026-11-14T20:00:00.000Z',
  status: 500,
  duration_ms: 12,
  error: null,
  response: '',
}

test('a delivery that waits after a failed attempt looks different from one that was not attempted', () => {
  expect(displayStateOf({ state: 'waiting', attempts: [] })).toBe('waiting')
  expect(displayStateOf({ state: 'waiting', attempts: [attempt] })).toBe('retrying')
  expect(displayStateOf({ state: 'failed', attempts: [attempt] })).toBe('failed')
  expect(displayStateOf({ state: 'cancelled', attempts: [] })).toBe('cancelled')
})

test('finished deliveries can be replayed, tests and waiting ones cannot', () => {
  for (const state of ['delivered', 'failed', 'cancelled'] as const)
    expect(isReplayable({ state, type: 'photo.ready' })).toBe(true)
  expect(isReplayable({ state: 'waiting', type: 'photo.ready' })).toBe(false)
  expect(isReplayable({ state: 'failed', type: 'webhook.test' })).toBe(false)
})

test('redirects are answers from 300 to 399', () => {
  expect([null, 204, 301, 399, 400].map((status) => isRedirect({ status }))).toEqual([false, false, true, true, false])
})

test('a body is indented; one that is not JSON stays as it is', () => {
  expect(readableBody('{"type":"photo.ready"}')).toBe('{\n  "type": "photo.ready"\n}')
  expect(readableBody('{"type"')).toBe('{"type"')
})
