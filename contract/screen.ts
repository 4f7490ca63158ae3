import { Integer, Object, String, type Static } from 'typebox'
import { endpoint, exact, nullable, text } from './endpoint.ts'

/** The photo that all big screens of a user show until it is released, or at the latest until the end. */
export const PhotoHold = Object({
  photo_id: String(),
  /** ISO 8601 in UTC. */
  until: String(),
  /** Until the end, in milliseconds, for screens whose clock is wrong. */
  remaining_ms: Integer(),
})
export type PhotoHold = Static<typeof PhotoHold>

const Reply = Object({ hold: nullable(PhotoHold) })

export const getHold = endpoint({
  method: 'GET',
  path: '/user/hold',
  access: 'user',
  summary: 'Get the photo that your big screens hold; null if none.',
  reply: Reply,
})
export const holdPhoto = endpoint({
  method: 'PUT',
  path: '/user/hold',
  access: 'user',
  summary: 'Hold a photo on all of your big screens for ten minutes.',
  body: exact({ photo_id: text(128) }),
  reply: Reply,
})
export const releaseHold = endpoint({
  method: 'DELETE',
  path: '/user/hold',
  access: 'user',
  summary: 'Release the photo that your big screens hold.',
  reply: Reply,
})
