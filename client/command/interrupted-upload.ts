import { KeepsnapError } from '../errors.ts'
import { uploadTimeout, type Client } from '../client.ts'
import type { Photo } from '../api.ts'
import type { StartedUpload, State } from './state-file.ts'

/** For how long the server knows an idempotency key, less an hour for the doubt about when it began. In ms. */
const keyIsKnownMs = 23 * 60 * 60 * 1000
/** The clock of the server, as the command knows it, can be a little late or early. */
const toleranceMs = 60_000
/** The server replaces characters that names of files cannot have everywhere. */
const plainName = (name: string): string => name.normalize('NFC').replace(/[^\p{L}\p{N}.]+/gu, '_')
/** Other uploads may have been accepted in the meantime. */
const maxSearched = 5_000

/** With these codes the server refuses an upload after it has looked for the idempotency key: it has no photo of it. */
const codesAfterKeyLookup: ReadonlySet<string | null> = new Set([
  'quota_photos',
  'quota_storage',
  'too_large',
  'not_an_image',
  'processing_limit',
])

/** Whether this content was begun so recently that its idempotency key prevents a second photo. */
export const isKeyKnown = (started: StartedUpload | null, hash: string, serverTime: number): boolean =>
  started?.hash === hash && serverTime - Date.parse(started.at) < keyIsKnownMs

/**
 * Whether an attempt has certainly created no photo. 408: a proxy does not know; `conflict`: an earlier attempt may be in
 * progress; `not_found`: also the answer for a photo that was accepted and deleted at once.
 */
function isRefused(error: unknown): error is KeepsnapError {
  if (!(error instanceof KeepsnapError) || error.status < 400 || error.status >= 500) return false
  return error.status !== 408 && error.status !== 409 && error.code !== 'not_found'
}

/**
 * Sends a content with a record of the attempt in the state file, from before it begins. After a refusal, the record is
 * what it was before: attempts that were certainly not accepted neither begin an upload nor make it last longer.
 */
export async function recordAttempt<Result>(
  { state, serverTime }: { state: Pick<State, 'started' | 'start'>; serverTime: () => number },
  { hash, name }: { hash: string; name: string },
  send: () => Promise<Result>,
): Promise<Result> {
  const started = state.started()
  const now = serverTime()
  const lastAt = new Date(now).toISOString()
  const isContinued = isKeyKnown(started, hash, now)
  await state.start({ hash, name, at: isContinued && started ? started.at : lastAt, lastAt })
  try {
    return await send()
  } catch (error) {
    const isNothingAccepted = started?.hash === hash && (!isContinued || hasLookedUpKey(error))
    if (isRefused(error)) await state.start(isNothingAccepted ? null : started)
    throw error
  }
}

const hasLookedUpKey = (error: unknown): boolean =>
  error instanceof KeepsnapError && codesAfterKeyLookup.has(error.code)

/**
 * The photo of an upload that was interrupted so long ago that its idempotency key has expired: with it, the server would
 * accept the content a second time. Found by its name among the photos of the time of its attempts, without those of other
 * files: cameras and booths reuse names, and a photo of another one must not keep this one from being sent. Undefined if it
 * was not accepted, and for uploads that were not interrupted.
 */
export async function findInterrupted(
  {
    client,
    state,
    serverTime,
    signal,
  }: {
    client: Client
    state: Pick<State, 'started' | 'hasPhoto'>
    serverTime: () => number
    signal: AbortSignal
  },
  { hash, name, size }: { hash: string; name: string; size: number },
): Promise<Photo | undefined> {
  const started = state.started()
  if (started?.hash !== hash || isKeyKnown(started, hash, serverTime())) return undefined
  const since = Date.parse(started.at) - toleranceMs
  // Earlier versions did not store the last attempt, which began while the key was known.
  const lastAt = started.lastAt === undefined ? Date.parse(started.at) + keyIsKnownMs : Date.parse(started.lastAt)
  const until = lastAt + uploadTimeout(size) * 1000 + toleranceMs
  const isOfUpload = ({ id, filename, created_at }: Photo): boolean =>
    plainName(filename) === plainName(name) &&
    Date.parse(created_at) >= since &&
    Date.parse(created_at) <= until &&
    !state.hasPhoto(id)
  let searched = 0
  for await (const photo of client.allPhotos({ signal })) {
    if (isOfUpload(photo)) return photo
    searched += 1
    if (Date.parse(photo.created_at) < since || searched >= maxSearched) return undefined
  }
  return undefined
}
