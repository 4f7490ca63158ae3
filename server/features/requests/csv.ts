import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { csvHeading, csvLine } from '../../domain/csv.ts'

/** The first line of the table of requests. */
export const csvHead = csvHeading([
  'Requester',
  'Photo',
  'Photo ID',
  'Requested (UTC)',
  'State',
  'Sent (UTC)',
  'Reason',
])

export const csvRow = (request: PhotoRequest): string =>
  csvLine([
    request.requester_email,
    request.photo.filename,
    request.photo.id,
    request.requested_at,
    request.state,
    request.sent_at ?? '',
    request.failure ?? '',
  ])
