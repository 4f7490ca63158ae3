import type { ServerMessage } from '@keepsnap/contract/live.ts'

/** Spec section 7 has handlers keyed by `type` too; both keys name the same message. */
const actionOfType: Record<string, ServerMessage['action']> = {
  photo_added: 'new_photo',
  photo_deleted: 'photo_deleted',
}
const withPhoto = new Set(['latest_photo', 'new_photo', 'photo_update'])
const known = new Set(['ping', 'pong', 'identified', 'test', 'photo_deleted', 'user_update', 'error', ...withPhoto])

/** A message of the server, or null for anything that is none. */
export function parseMessage(text: string): ServerMessage | null {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof message !== 'object' || message === null) return null
  const { action, type, photo, id } = message as Record<string, unknown> // each field is looked at below
  const named = typeof action === 'string' ? action : typeof type === 'string' ? actionOfType[type] : undefined
  if (named === undefined || !known.has(named)) return null
  if (withPhoto.has(named) && !(typeof photo === 'object' && photo !== null && 'id' in photo)) return null
  if (named === 'photo_deleted' && typeof id !== 'string') return null
  return { ...message, action: named } as ServerMessage // what the contract promises for this action
}
