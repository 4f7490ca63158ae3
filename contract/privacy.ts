import { Integer, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

const Nullable = <T extends Parameters<typeof Union>[0][number]>(schema: T) => Union([schema, Null()])

/** The archive of everything that an account holds: account, photos, requests, consents. Made by a job. */
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
  summary: 'Have an archive of everything made; a letter brings the link.',
  reply: Archive,
})
export const exportState = endpoint({
  method: 'GET',
  path: '/user/export',
  access: 'user',
  summary: 'The last archive that was asked for.',
  reply: Archive,
})
/** The link of the letter; works for seven days, as often as one likes. */
export const downloadExport = endpoint({
  method: 'GET',
  path: '/export/:secret',
  access: 'public',
  summary: 'An archive, by the link of its letter.',
  params: Object({ secret: String({ maxLength: 128 }) }),
  reply: 'bytes',
})
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/user',
  access: 'user',
  rate: 'auth',
  summary: 'Delete the account and everything in it, for good.',
  body: Object({ password: String({ maxLength: 1024, pattern: '^[^\\0]*$' }) }, { additionalProperties: false }),
  status: 204,
  reply: Null(),
})
