import { Integer, Object, String } from 'typebox'
import { endpoint } from './endpoint.ts'

/** What will be removed because a larger plan has ended: the oldest photos, until the others fit into the storage. */
export const PhotosToRemove = Object({
  photos: Integer(),
  bytes: Integer(),
  /** Not before this time, ISO 8601 in UTC. */
  at: String(),
})

/** What was removed for that reason and can be put back. */
export const RemovedPhotos = Object({
  photos: Integer(),
  bytes: Integer(),
  /** Until when, ISO 8601 in UTC. */
  until: String(),
})

export const restoreRemovedPhotos = endpoint({
  method: 'POST',
  path: '/user/removed-photos/restore',
  access: 'user',
  summary:
    'Put back photos that were removed after a larger plan ended, newest first, as many as fit into your storage.',
  rate: 'account',
  ignoreBody: true,
  /** `remaining`: photos that still do not fit. */
  reply: Object({ restored: Integer(), remaining: Integer() }),
})
