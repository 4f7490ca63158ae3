import { Array, Boolean, Integer, Literal, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { adminLimits, limits } from './limits.ts'
import { Reason } from './operator.ts'
import { PhotoReport } from './reports.ts'

const ByPhotoId = Object({ id: String({ maxLength: 128 }) })
const Owner = Object({ id: String(), username: String() })

/** A photo whose processing failed; no picture of it is shown. Times are ISO 8601 in UTC. */
export const FailedPhoto = Object({
  id: String(),
  filename: String(),
  owner: Owner,
  created_at: String(),
  error_message: Union([String(), Null()]),
  /** Whether another attempt can help: the file is not at fault and still stored. */
  can_retry: Boolean(),
})
export type FailedPhoto = Static<typeof FailedPhoto>

/** A photo that guests reported, with its thumbnail. */
export const ReportedPhoto = Object({ owner: Owner, report: PhotoReport })
export type ReportedPhoto = Static<typeof ReportedPhoto>

const ListQuery = Object(
  {
    skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
    /** 50 if not given. */
    limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
  },
  { additionalProperties: false },
)
const pageFields = { total: Integer(), skip: Integer(), limit: Integer() }

export const listFailedPhotos = endpoint({
  method: 'GET',
  path: '/api/operator/failed-photos',
  access: 'operator',
  rate: 'operator',
  summary: 'List photos whose processing failed, newest first.',
  query: ListQuery,
  reply: Object({ photos: Array(FailedPhoto), ...pageFields }),
})
export const listReportedPhotos = endpoint({
  method: 'GET',
  path: '/api/operator/reports',
  access: 'operator',
  rate: 'operator',
  summary: 'List photos of all accounts that guests reported: those with open reports first, then the newest.',
  query: ListQuery,
  reply: Object({ photos: Array(ReportedPhoto), ...pageFields }),
})
/** 409 when the photo has not failed or its file is gone. */
export const retryFailedPhoto = endpoint({
  method: 'POST',
  path: '/api/operator/photos/:id/retry',
  access: 'operator',
  rate: 'operator',
  summary: 'Process a failed photo again.',
  params: ByPhotoId,
  body: Object({ reason: Reason }, { additionalProperties: false }),
  reply: Object({ retried: Boolean() }),
})
const Message = String({ maxLength: adminLimits.messageChars, pattern: '^[^\\0]*$' })
const Decision = Object(
  {
    reason: Reason,
    /** To the owner, by email and beside the photo; a sentence of ours without one. The reason is not shown to the owner. */
    message: Optional(Message),
  },
  { additionalProperties: false },
)

/** 404 for a photo that nobody has reported. Hiding again what an operator has hidden changes nothing and sends no email. */
export const hideReportedPhoto = endpoint({
  method: 'POST',
  path: '/api/operator/photos/:id/hide',
  access: 'operator',
  rate: 'operator',
  summary: 'Hide a reported photo from guests, and tell its owner. Only an operator can show it again.',
  params: ByPhotoId,
  body: Decision,
  reply: ReportedPhoto,
})
/** 404 for a photo that nobody has reported, 409 for one that no operator has hidden. */
export const showReportedPhoto = endpoint({
  method: 'POST',
  path: '/api/operator/photos/:id/show',
  access: 'operator',
  rate: 'operator',
  summary: 'Show a photo again that an operator has hidden, unless its owner had hidden it before, and tell its owner.',
  params: ByPhotoId,
  body: Decision,
  reply: ReportedPhoto,
})

/** 404 for a photo that nobody has reported. */
export const deleteReportedPhoto = endpoint({
  method: 'POST',
  path: '/api/operator/photos/:id/delete',
  access: 'operator',
  rate: 'operator',
  summary: 'Delete a reported photo for good, as its owner could.',
  params: ByPhotoId,
  body: Object({ reason: Reason }, { additionalProperties: false }),
  reply: Object({ deleted: Boolean() }),
})

/** A photo that was looked for; no picture of it is shown. Times are ISO 8601 in UTC. */
export const FoundPhoto = Object({
  id: String(),
  /** Null for a photo whose row is deleted. */
  filename: Union([String(), Null()]),
  owner: Union([Owner, Null()]),
  /** `removed`: after the end of a plan; its owner can restore it. */
  state: Union([
    Literal('receiving'),
    Literal('queued'),
    Literal('ready'),
    Literal('failed'),
    Literal('removed'),
    Literal('deleted'),
  ]),
  error_message: Union([String(), Null()]),
  uploaded_at: Union([String(), Null()]),
  /** When it was ready, or had failed. */
  processed_at: Union([String(), Null()]),
  /** When its owner or an operator hid it from guests. */
  hidden_at: Union([String(), Null()]),
  hidden_by_operator: Boolean(),
  deleted_at: Union([String(), Null()]),
  reports: Integer(),
})
export type FoundPhoto = Static<typeof FoundPhoto>

export const findPhoto = endpoint({
  method: 'GET',
  path: '/api/operator/photos',
  access: 'operator',
  rate: 'operator',
  summary: 'Find a photo by its id, a code, or a link to it or to one of its pictures.',
  query: Object(
    { text: String({ maxLength: adminLimits.linkChars, pattern: '^[^\\0]*$' }) },
    { additionalProperties: false },
  ),
  /** At most one; none when nothing is known about it. */
  reply: Object({ photos: Array(FoundPhoto) }),
})
