import type { Client, Photo } from '../client.ts'
import type { StartedUpload, State } from './state-file.ts'

/** For how long the server knows an idempotency key, less an hour for the doubt about when it began. In ms. */
const keyIsKnownMs = 23 * 60 * 60 * 1000
/** The clock of the server, as the command knows it, can be a little late. */
const toleranceMs = 60_000
/** The server replaces characters that names of files cannot have everywhere. */
const plainName = (name: string): string => name.normalize('NFC').replace(/[^\p{L}\p{N}.]+/gu, '_')
const pageSize = 50
/** Searches at most 5,000 photos: other uploads may have been accepted in the meantime. */
const maxPages = 100

/** Whether this content was begun so recently that its idempotency key prevents a second photo. */
export const isKeyKnown = (started: StartedUpload | null, hash: string, serverTime: number): boolean =>
  started?.hash === hash && serverTime - Date.parse(started.at) < keyIsKnownMs

/**
 * The photo of an upload that was interrupted so long ago that its idempotency key has expired: with it, the server would
 * accept the content a second time. Found by its name among the photos since then. Undefined if it was not accepted, and
 * for uploads that were not interrupted.
 */
export async function findInterrupted(
  {
    client,
    state,
    serverTime,
    signal,
  }: { client: Client; state: Pick<State, 'started'>; serverTime: () => number; signal: AbortSignal },
  { hash, name }: { hash: string; name: string },
): Promise<Photo | undefined> {
  const started = state.started()
  if (started?.hash !== hash || isKeyKnown(started, hash, serverTime())) return undefined
  const since = Date.parse(started.at) - toleranceMs
  for (let page = 0; page < maxPages; page++) {
    const { photos } = await client.listPhotos({ skip: page * pageSize, limit: pageSize }, { signal })
    const found = photos.find(
      (photo) => plainName(photo.filename) === plainName(name) && Date.parse(photo.created_at) >= since,
    )
    if (found) return found
    const last = photos.at(-1)
    if (!last || Date.parse(last.created_at) < since) return undefined
  }
  return undefined
}
