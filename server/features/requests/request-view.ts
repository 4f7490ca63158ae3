import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { ownerThumbnailUrl } from '../../domain/hidden-photos.ts'
import type { Urls } from '../../domain/urls.ts'
import { roomReasons } from '../../ports/mail/outbox-space.ts'
import type { RequestedPhotoRow } from './queries.ts'

const requestStateOf = (
  { state, is_waiting }: RequestedPhotoRow,
  { isTimeUnknown }: { isTimeUnknown: boolean },
): PhotoRequest['state'] => {
  if (state === 'sent' || state === 'failed') return state
  return is_waiting || isTimeUnknown ? 'waiting' : 'queued'
}

const awaitsRetryOfPhoto =
  'The photo could not be processed. This email is sent when you have retried the photo and it is ready.'
const savedToOutbox = 'Saved to the outbox folder: no mail server is configured.'

/** A request as the API returns it to the photo's owner. With `outbox`, emails are only saved to a folder. */
export const requestView =
  (urls: Urls, { outbox }: { outbox: boolean }) =>
  (requestRow: RequestedPhotoRow): PhotoRequest => {
    // Nobody knows when there is room again in the outbox folder.
    const awaitsRoom = requestRow.failure !== null && roomReasons.includes(requestRow.failure)
    // Nor when the owner retries the photo.
    const awaitsRetry = requestRow.state === 'queued' && !requestRow.awaits_verification && requestRow.awaits_retry
    const isTimeUnknown = awaitsRoom || awaitsRetry
    const isScheduled = requestRow.state === 'queued' && !requestRow.awaits_verification && !isTimeUnknown
    const failure = awaitsRetry ? awaitsRetryOfPhoto : requestRow.failure
    return {
      id: requestRow.id,
      requester_email: requestRow.requester_email,
      requested_at: requestRow.requested_at.toISOString(),
      photo: {
        id: requestRow.photo_id,
        filename: requestRow.filename,
        thumbnail_url: ownerThumbnailUrl(urls, requestRow),
      },
      state: requestStateOf(requestRow, { isTimeUnknown }),
      due_at: isScheduled ? requestRow.due_at.toISOString() : null,
      sent_at: requestRow.sent_at?.toISOString() ?? null,
      failure: outbox && requestRow.state === 'sent' ? (failure ?? savedToOutbox) : failure,
    }
  }
