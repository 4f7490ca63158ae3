import { Array, Boolean, Literal, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

const Nullable = <T extends Parameters<typeof Union>[0][number]>(schema: T) => Union([schema, Null()])
const ById = Object({ id: String({ maxLength: 128 }) })
const Note = String({ maxLength: limits.reportNoteChars, pattern: '^[^\\0]*$' })

/** Why a guest reports a photo. */
export const reportReasons = ['me', 'child', 'hurtful', 'illegal', 'other'] as const
/** One of the above. */
export type ReportReason = (typeof reportReasons)[number]
const Reason = Union([Literal('me'), Literal('child'), Literal('hurtful'), Literal('illegal'), Literal('other')])

/** A photo that guests reported, as its owner sees it: one entry a photo, newest report first. */
export const PhotoReport = Object({
  photo: Object({ id: String(), filename: String(), thumbnail_url: Nullable(String()) }),
  /** Gone from every guest path until the owner shows it again. */
  hidden: Boolean(),
  /** Whether the owner has still to decide about a report. */
  open: Boolean(),
  reports: Array(Object({ reason: Reason, note: Nullable(String()), reported_at: String() })),
  /** The last decision, and when it was taken. */
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
  params: ById,
  body: Object({ reason: Reason, note: Optional(Note) }, { additionalProperties: false }),
  reply: Object({ detail: String() }),
})
/** The same, from a form without JavaScript; answers with a page. */
export const reportForm = endpoint({
  method: 'POST',
  path: '/report-photo/:id',
  access: 'public',
  rate: 'reports',
  summary: 'Report a photo to its owner, without JavaScript.',
  params: ById,
  form: true,
  body: Object({ reason: Optional(String({ maxLength: 64 })), note: Optional(Note) }),
  reply: 'bytes',
})
export const listReports = endpoint({
  method: 'GET',
  path: '/user/reports',
  access: 'user',
  summary: 'Photos of yours that guests reported, newest report first.',
  reply: Object({ reports: Array(PhotoReport) }),
})
export const decideReport = endpoint({
  method: 'POST',
  path: '/photos/:id/decision',
  access: 'user',
  summary: 'Hide a photo from guests, or keep it shown; closes its reports.',
  params: ById,
  body: Object({ decision: Union([Literal('hide'), Literal('keep')]) }, { additionalProperties: false }),
  reply: PhotoReport,
})
