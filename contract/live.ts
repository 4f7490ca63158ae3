import { Object, String } from 'typebox'
import { endpoint } from './endpoint.ts'
import type { PhotoHold } from './screen.ts'
import type { Photo } from './photos.ts'
import type { PhotoRequest } from './guests.ts'

/** Messages from the server on `/ws`. */
export type ServerMessage =
  | { action: 'ping' }
  | { action: 'pong' }
  | { action: 'identified' }
  | { action: 'test' }
  | { action: 'latest_photo'; photo: Photo }
  | { action: 'new_photo'; type: 'photo_added'; photo: Photo }
  | { action: 'photo_update'; photo: Photo }
  | { action: 'photo_deleted'; type: 'photo_deleted'; id: string }
  /** A call has changed many photos; a message about each of them came before. */
  | { action: 'photos_changed'; change: 'delete' | 'hide' | 'show'; ids: string[]; photo_count: number }
  /** The user's settings or rights changed: the client reloads the user, and photos with their URLs. */
  | { action: 'user_update' }
  /** The user's plan changed, or how it is paid: the client reloads everything. No `user_update` comes with it. */
  | { action: 'plan_updated'; type: 'plan_updated' }
  /** One of the user's API keys was created or deleted. */
  | { action: 'api_keys_changed' }
  /** A device has opened the user's test code. */
  | { action: 'test_code_opened' }
  /** The photo that all big screens hold changed; null: none. */
  | { action: 'photo_hold'; hold: PhotoHold | null }
  /** Another event, or none, is the current one; its latest photo follows, if it has one. */
  | { action: 'current_event' }
  /**
   * Events of the account were created, changed or deleted, and photos with them: `GET /photos/changes` has those. The latest photo
   * follows, if there is one.
   */
  | { action: 'events_changed' }
  /** More or fewer photos of guests wait for their review, or one was decided. */
  | { action: 'review_changed'; event_id: string; waiting_count: number }
  | { action: 'photo_request'; request: PhotoRequest }
  /** A guest reported one of the user's photos, or the user decided about a report. */
  | { action: 'photo_reported'; photo_id: string }
  | { action: 'error'; code: 'forbidden' | 'bad_message'; detail: string }

/** Messages from the client. The server compares `user_id` with the token's user and rejects others. */
export type ClientMessage =
  | { action: 'identify'; user_id: string }
  | { action: 'ping' }
  | { action: 'pong' }
  | { action: 'test' }

/** Close codes that the server uses. It never uses 1000 or 1001. */
export const closeCodes = {
  restart: 1012,
  overload: 1013,
  tooBig: 1009,
  revoked: 4401,
  forbidden: 4403,
  displaced: 4408,
} as const

/** Close codes after which the client does not reconnect on its own. */
export const finalCloseCodes: readonly number[] = [
  1000,
  1001,
  closeCodes.revoked,
  closeCodes.forbidden,
  closeCodes.displaced,
]

/** Path of the live channel; the query parameter `token` carries a session token or a ticket. */
export const wsPath = '/ws'

export const liveTicket = endpoint({
  method: 'POST',
  path: '/ws/ticket',
  access: 'user',
  summary: 'Get a ticket that opens one live connection within 30 seconds.',
  status: 201,
  reply: Object({ ticket: String() }),
})
