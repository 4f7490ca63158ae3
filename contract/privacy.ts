import { Integer, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

/* @__NO_SIDE_EFFECTS__ */
const Nullable = <T extends Parameters<typeof Union>[0][number]>(schema: T) => Union([schema, Null()])

/**
 * The state of a data export: a zip file with the account, photos, requests and consents, created by a job. Times are
 * ISO 8601 in UTC.
 */
export const Archive = Object({
  state: Union([Literal('none'), Literal('queued'), Literal('ready'), Literal('failed')]),
  requested_at: Nullable(String()),
  ready_at: Nullable(String()),
  expires_at: Nullable(String()),
  size_bytes: Nullable(Integer()),
})
export type Archive = Static<typeof Archive>

export const requestExport = endpoint({
  method: 'POST',
  path: '/user/export',
  access: 'user',
  summary: 'Export all your data. An email with the download link follows.',
  reply: Archive,
})
export const exportState = endpoint({
  method: 'GET',
  path: '/user/export',
  access: 'user',
  summary: 'Get the state of your latest data export.',
  reply: Archive,
})
/** The link in the email. It works for seven days, any number of times. */
export const downloadExport = endpoint({
  method: 'GET',
  path: '/export/:secret',
  access: 'public',
  summary: 'Download a data export with the link from its email.',
  params: Object({ secret: String({ maxLength: 128 }) }),
  reply: 'bytes',
})
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/user',
  access: 'user',
  rate: 'account',
  summary: 'Delete the account and everything in it permanently.',
  body: Object({ password: String({ maxLength: 1024, pattern: '^[^\\0]*$' }) }, { additionalProperties: false }),
  status: 204,
  reply: Null(),
})
