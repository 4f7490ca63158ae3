import { describe, expect, test } from 'vitest'
import { createUrls } from '../../domain/urls.ts'
import { singleKey } from '../../lib/secret-keys.ts'
import { roomReasons } from '../../ports/mail/outbox-space.ts'
import type { RequestedPhotoRow } from './queries.ts'
import { requestView } from './request-view.ts'

const urls = createUrls('http://photos.test', singleKey('a secret of the tests'))
describe('the owner', () => {
  const row: RequestedPhotoRow = {
    id: 'request',
    requester_email: 'guest@example.com',
    requested_at: new Date('2026-05-01T10:20:00Z'),
    photo_id: 'photo',
    filename: 'party.jpg',
    thumb_key: 'thumb/abc',
    hidden_at: null,
    operator_decision: null,
    email_id: 'email',
    state: 'queued',
    is_waiting: false,
    awaits_verification: false,
    awaits_retry: false,
    due_at: new Date('2026-05-01T11:20:00Z'),
    sent_at: null,
    failure: null,
  }
  const view = (changes: Partial<RequestedPhotoRow> = {}, outbox = false) =>
    requestView(urls, { outbox })({ ...row, ...changes })
  test.each<[string, Partial<RequestedPhotoRow>, string]>([
    ['queued', {}, 'queued'],
    ['waiting', { is_waiting: true }, 'waiting'],
    ['sent', { state: 'sent', is_waiting: true }, 'sent'],
    ['failed', { state: 'failed', is_waiting: true }, 'failed'],
  ])('sees that an email is %s', (_, changes, state) => {
    expect(view(changes).state).toBe(state)
  })

  test('sees the time at which an email is due until it is sent, unless it waits for the owner', () => {
    expect(view().due_at).toBe('2026-05-01T11:20:00.000Z')
    expect(view({ awaits_verification: true }).due_at).toBeNull()
    expect(view({ state: 'sent', sent_at: new Date('2026-05-01T11:21:00Z') })).toMatchObject({
      due_at: null,
      sent_at: '2026-05-01T11:21:00.000Z',
    })
  })

  test('sees that an email waits for room in the outbox folder, without a time', () => {
    for (const failure of roomReasons)
      expect(view({ failure }, true)).toMatchObject({ state: 'waiting', due_at: null, failure })
    const other = { state: 'queued', due_at: '2026-05-01T11:20:00.000Z' }
    expect(view({ failure: 'The mail server could not be reached.' }, true)).toMatchObject(other)
  })

  test('sees that an email for a failed photo waits until it is retried', () => {
    const failure = expect.stringMatching(/^The photo could not be processed\. .* retried the photo/)
    const waiting = { state: 'waiting', due_at: null, failure }
    expect(view({ awaits_retry: true })).toMatchObject(waiting)
    expect(view({ awaits_retry: true, is_waiting: true, failure: 'The mailbox is full.' })).toMatchObject(waiting)
    for (const other of [{ state: 'failed' }, { state: 'sent' }, { awaits_verification: true }])
      expect(view({ awaits_retry: true, failure: 'The mailbox is full.', ...other }).failure).toBe(
        'The mailbox is full.',
      )
  })

  test('sees when an email was only saved in the outbox folder', () => {
    expect(view({ state: 'sent' }, true).failure).toMatch(/outbox folder/)
    expect(view({ state: 'sent' }).failure).toBeNull()
    expect(view({ state: 'failed', failure: 'The mailbox is full.' }, true).failure).toBe('The mailbox is full.')
  })

  test('sees a hidden photo by a signature, and no picture of a photo without a thumbnail', () => {
    expect(view().photo.thumbnail_url).toBe('http://photos.test/t/abc')
    expect(view({ hidden_at: new Date() }).photo.thumbnail_url).toMatch(/^http:\/\/photos\.test\/t\/abc\?s=./)
    expect(view({ hidden_at: new Date(), operator_decision: 'hide' }).photo.thumbnail_url).toBeNull()
    expect(view({ thumb_key: null }).photo.thumbnail_url).toBeNull()
  })
})
