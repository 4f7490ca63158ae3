import type { ServerMessage } from '@keepsnap/contract/live.ts'

/** Messages may be named by `type` instead of `action`. */
const actionOfType: Record<string, ServerMessage['action']> = {
  photo_added: 'new_photo',
  photo_deleted: 'photo_deleted',
  plan_updated: 'plan_updated',
}
const actionsWithPhoto = new Set(['latest_photo', 'new_photo', 'photo_update'])
const actionsWithoutData = [
  'ping',
  'pong',
  'identified',
  'test',
  'user_update',
  'plan_updated',
  'api_keys_changed',
  'test_code_opened',
  'error',
]
const knownActions = new Set([
  ...actionsWithoutData,
  'photo_deleted',
  'photo_request',
  'photo_reported',
  'photo_hold',
  ...actionsWithPhoto,
])

const hasId = (value: unknown): boolean => typeof value === 'object' && value !== null && 'id' in value

const isHold = (value: unknown): boolean => typeof value === 'object' && value !== null && 'photo_id' in value

/** A message of the server; null when the text is not a valid one. */
export function parseMessage(text: string): ServerMessage | null {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof message !== 'object' || message === null) return null
  const { action, type, photo, request, id, photo_id, hold } = message as Record<string, unknown> // each field is checked below
  const name = typeof action === 'string' ? action : typeof type === 'string' ? actionOfType[type] : undefined
  if (name === undefined || !knownActions.has(name)) return null
  if (actionsWithPhoto.has(name) && !hasId(photo)) return null
  if (name === 'photo_request' && !hasId(request)) return null
  if (name === 'photo_reported' && typeof photo_id !== 'string') return null
  if (name === 'photo_hold' && hold !== null && !isHold(hold)) return null
  if (name === 'photo_deleted' && typeof id !== 'string') return null
  return { ...message, action: name } as ServerMessage // the fields of this action were checked above
}
