import { expect, test } from 'vitest'
import { createUrls } from '../../domain/urls.ts'
import { roomReasons } from '../../ports/mail/outbox-space.ts'
import type { RequestedPhotoRow } from './queries.ts'
import { requestView } from './request-view.ts'
import { singleKey } from '../../lib/secret-keys.ts'

const urls = createUrls('http://photos.test', singleKey('a secret of the tests'))
const row: RequestedPhotoRow = {
  id: 'request',
  requester_email: 'guest@example.com',
  requested_at: new Date('2026-05-01T10:20:00Z'),
  photo_id: 'photo',
  filename: 'party.jpg',
  thumb_key: 'thumb/abc',
  hidden: false,
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
])('the owner sees that an email is %s', (_, changes, state) => {
  expect(view(changes).state).toBe(state)
})

test('the time at which an email is due is shown until it is sent, unless it waits for the owner', () => {
  expect(view().due_at).toBe('2026-05-01T11:20:00.000Z')
  expect(view({ awaits_verification: true }).due_at).toBeNull()
  expect(view({ state: 'sent', sent_at: new Date('2026-05-01T11:21:00Z') })).toMatchObject({
    due_at: null,
    sent_at: '2026-05-01T11:21:00.000Z',
  })
})

test('an email that waits for room in the outbox folder is waiting, and nobody knows until when', () => {
  for (const failure of roomReasons)
    expect(view({ failure }, true)).toMatchObject({ state: 'waiting', due_at: null, failure })
  const other = { state: 'queued', due_at: '2026-05-01T11:20:00.000Z' }
  expect(view({ failure: 'The mail server could not be reached.' }, true)).toMatchObject(other)
})

test('an email for a failed photo waits until its owner retries it, and says so', () => {
  const failure = expect.stringMatching(/^The photo could not be processed\. .* retried the photo/)
  const waiting = { state: 'waiting', due_at: null, failure }
  expect(view({ awaits_retry: true })).toMatchObject(waiting)
  expect(view({ awaits_retry: true, is_waiting: true, failure: 'The mailbox is full.' })).toMatchObject(waiting)
  for (const other of [{ state: 'failed' }, { state: 'sent' }, { awaits_verification: true }])
    expect(view({ awaits_retry: true, failure: 'The mailbox is full.', ...other }).failure).toBe('The mailbox is full.')
})

test('an email that was sent says so when it was only saved in the outbox folder', () => {
  expect(view({ state: 'sent' }, true).failure).toMatch(/outbox folder/)
  expect(view({ state: 'sent' }).failure).toBeNull()
  expect(view({ state: 'failed', failure: 'The mailbox is full.' }, true).failure).toBe('The mailbox is full.')
})

test('the thumbnail of a hidden photo has a signature, and a photo without one has no URL', () => {
  expect(view().photo.thumbnail_url).toBe('http://photos.test/t/abc')
  expect(view({ hidden: true }).photo.thumbnail_url).toMatch(/^http:\/\/photos\.test\/t\/abc\?s=./)
  expect(view({ thumb_key: null }).photo.thumbnail_url).toBeNull()
})
