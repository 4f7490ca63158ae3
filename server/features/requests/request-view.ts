import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import type { Urls } from '../../domain/urls.ts'
import type { RequestRow } from './queries.ts'

const stateOf = ({ state, is_waiting }: RequestRow): PhotoRequest['state'] => {
  if (state === 'sent' || state === 'failed') return state
  return is_waiting ? 'waiting' : 'queued'
}

const savedToOutbox = 'Saved to the outbox folder: no mail server is configured.'

/** A request as the API returns it to the photo's owner. With `outbox`, emails are only saved to a folder. */
export const requestView =
  (urls: Urls, { outbox }: { outbox: boolean }) =>
  (row: RequestRow): PhotoRequest => ({
    id: row.id,
    requester_email: row.requester_email,
    requested_at: row.requested_at.toISOString(),
    photo: {
      id: row.photo_id,
      filename: row.filename,
      thumbnail_url: row.thumb_key === null ? null : urls.thumbnail(row.thumb_key, row.hidden),
    },
    state: stateOf(row),
    due_at: row.state === 'queued' && !row.awaits_verification ? row.due_at.toISOString() : null,
    sent_at: row.sent_at?.toISOString() ?? null,
    failure: outbox && row.state === 'sent' ? savedToOutbox : row.failure,
  })
