import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { csvHeading, csvLine } from '../../lib/csv.ts'

/** The first line of the exported table of requests. */
export const requestCsvHeading = csvHeading([
  'Requester',
  'Photo',
  'Photo ID',
  'Requested (UTC)',
  'State',
  'Sent (UTC)',
  'Reason',
])

export const requestCsvLine = (request: PhotoRequest): string =>
  csvLine([
    request.requester_email,
    request.photo.filename,
    request.photo.id,
    request.requested_at,
    request.state,
    request.sent_at ?? '',
    request.failure ?? '',
  ])
