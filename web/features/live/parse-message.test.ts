import { describe, expect, test } from 'vitest'
import { parseMessage } from './socket.ts'

const photo = { id: 'p1' }
const parsed = (message: unknown) => parseMessage(JSON.stringify(message))

describe('a message of the server', () => {
  test.each([
    { action: 'photo_update', photo },
    { action: 'photo_request', request: { id: 'r1' } },
    { action: 'photo_reported', photo_id: 'p1' },
    { action: 'photo_deleted', type: 'photo_deleted', id: 'p1' },
    { action: 'photos_changed', change: 'delete', ids: ['p1'], photo_count: 4 },
    { action: 'photo_hold', hold: { photo_id: 'p1', remaining_ms: 5 } },
    { action: 'photo_hold', hold: null },
    { action: 'photos_changed', change: 'delete', ids: ['p1'], photo_count: 5 },
    { action: 'user_update' },
    { action: 'plan_updated', type: 'plan_updated' },
    { action: 'api_keys_changed' },
    { action: 'ping' },
  ])('named by its action is accepted: $action', (message) => {
    expect(parsed(message)).toEqual(message)
  })

  test('may be named by its type', () => {
    expect(parsed({ type: 'photo_added', photo })).toEqual({ action: 'new_photo', type: 'photo_added', photo })
    expect(parsed({ type: 'plan_updated' })).toEqual({ action: 'plan_updated', type: 'plan_updated' })
    expect(parsed({ type: 'photo_deleted', id: 'p1' })).toMatchObject({ action: 'photo_deleted', id: 'p1' })
  })

  test.each([
    '{',
    '[]',
    'null',
    '{"action":"new_photo"}',
    '{"action":"new_photo","photo":null}',
    '{"action":"dance"}',
    '{"type":"dance"}',
    '{"action":"photo_deleted"}',
    '{"action":"photos_changed","ids":[]}',
    '{"action":"photo_hold","hold":"p1"}',
    '{"action":"photo_request","request":"r1"}',
    '{"action":"photo_reported","photo_id":1}',
    '{"action":"photos_changed"}',
  ])('is ignored when it is unknown or incomplete: %s', (text) => {
    expect(parseMessage(text)).toBeNull()
  })
})
