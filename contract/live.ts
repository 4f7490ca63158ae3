import { Object, String } from 'typebox'
import { endpoint } from './endpoint.ts'
import type { Photo } from './photos.ts'

/** What the server sends on /ws; spec section 7, product.md section 7. */
export type ServerMessage =
  | { action: 'ping' }
  | { action: 'pong' }
  | { action: 'identified' }
  | { action: 'test' }
  | { action: 'latest_photo'; photo: Photo }
  | { action: 'new_photo'; type: 'photo_added'; photo: Photo }
  | { action: 'photo_update'; photo: Photo }
  | { action: 'photo_deleted'; type: 'photo_deleted'; id: string }
  /** Plan, rights or settings of the person have changed: ask GET /user/me. */
  | { action: 'user_update' }
  | { action: 'error'; code: 'forbidden' | 'bad_message'; detail: string }

/** What a client sends. `user_id` is compared with the token's user, never trusted. */
export type ClientMessage =
  | { action: 'identify'; user_id: string }
  | { action: 'ping' }
  | { action: 'pong' }
  | { action: 'test' }

/** Close codes of our own. The server never closes with 1000 or 1001. */
export const closeCodes = {
  restart: 1012,
  overload: 1013,
  tooBig: 1009,
  revoked: 4401,
  forbidden: 4403,
  displaced: 4408,
} as const

/** Codes after which a client waits for its person instead of reconnecting by itself. */
export const finalCloseCodes: readonly number[] = [
  1000,
  1001,
  closeCodes.revoked,
  closeCodes.forbidden,
  closeCodes.displaced,
]

/** Where the live channel is; the token or ticket goes into the query parameter `token`. */
export const wsPath = '/ws'

export const liveTicket = endpoint({
  method: 'POST',
  path: '/ws/ticket',
  access: 'user',
  summary: 'A ticket that opens one live connection within 30 seconds.',
  status: 201,
  reply: Object({ ticket: String() }),
})
