import { Array, Boolean, Literal, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

/* @__NO_SIDE_EFFECTS__ */
const Nullable = <T extends Parameters<typeof Union>[0][number]>(schema: T) => Union([schema, Null()])
const ByPhotoId = Object({ id: String({ maxLength: 128 }) })
const ReportNote = String({ maxLength: limits.reportNoteChars, pattern: '^[^\\0]*$' })

/** Why a guest reports a photo. */
export const reportReasons = ['me', 'child', 'hurtful', 'illegal', 'other'] as const
/** One of `reportReasons`. */
export type ReportReason = (typeof reportReasons)[number]
const ReasonOfReport = Union([
  Literal('me'),
  Literal('child'),
  Literal('hurtful'),
  Literal('illegal'),
  Literal('other'),
])

/** A photo that guests reported, as its owner sees it. Times are ISO 8601 in UTC. */
export const PhotoReport = Object({
  photo: Object({ id: String(), filename: String(), thumbnail_url: Nullable(String()) }),
  /** Whether guests are denied access until it is shown again. */
  hidden: Boolean(),
  /** Whether an operator has hidden it, so that its owner cannot show it. */
  hidden_by_operator: Boolean(),
  /** Whether a report still needs the owner's decision. */
  open: Boolean(),
  reports: Array(Object({ reason: ReasonOfReport, note: Nullable(String()), reported_at: String() })),
  /** The owner's last decision and its time; null if there is none. */
  decision: Nullable(Union([Literal('hide'), Literal('keep')])),
  decided_at: Nullable(String()),
})
export type PhotoReport = Static<typeof PhotoReport>

export const reportPhoto = endpoint({
  method: 'POST',
  path: '/photos/:id/report',
  access: 'public',
  rate: 'reports',
  summary: 'Report a photo to its owner.',
  params: ByPhotoId,
  body: Object({ reason: ReasonOfReport, note: Optional(ReportNote) }, { additionalProperties: false }),
  reply: Object({ detail: String() }),
})
/** The same call as a form post, for browsers without JavaScript; the reply is a page. */
export const reportForm = endpoint({
  method: 'POST',
  path: '/report-photo/:id',
  access: 'public',
  rate: 'reports',
  summary: 'Report a photo to its owner with a form.',
  params: ByPhotoId,
  form: true,
  body: Object({ reason: Optional(String({ maxLength: 64 })), note: Optional(ReportNote) }),
  reply: 'bytes',
})
export const listReports = endpoint({
  method: 'GET',
  path: '/user/reports',
  access: 'user',
  summary: 'List your photos that guests reported, newest report first.',
  reply: Object({ reports: Array(PhotoReport) }),
})
export const decideReport = endpoint({
  method: 'POST',
  path: '/photos/:id/decision',
  access: 'user',
  summary: 'Hide a photo from guests or keep it visible. Closes its reports.',
  params: ByPhotoId,
  body: Object({ decision: Union([Literal('hide'), Literal('keep')]) }, { additionalProperties: false }),
  reply: PhotoReport,
})
/** Does nothing when that decision was taken back already or is not the last one. */
export const undoDecision = endpoint({
  method: 'DELETE',
  path: '/photos/:id/decision',
  access: 'user',
  summary: 'Take back a decision to hide a photo: it is shown again, and its reports are open as before.',
  params: ByPhotoId,
  query: Object(
    {
      /** Time of the decision, as in the photo's report. */
      decided_at: String({ maxLength: 24, pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
    },
    { additionalProperties: false },
  ),
  reply: PhotoReport,
})
