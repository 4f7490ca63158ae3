import type { Input, Reply } from '@keepsnap/contract/endpoint.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { changePhotos, getPhoto, type Photo } from '@keepsnap/contract/photos.ts'
import { ApiError, isTransient, NetworkError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { forEachConcurrently } from '../../lib/for-each-concurrently.ts'

export type BulkAction = Input<typeof changePhotos>['body']['action']
type Answer = Reply<typeof changePhotos>
export type BulkResults = Answer['results']

/** How long a call should take: Stop waits for the one that is running. */
const targetCallMs = 300
const firstCallPhotos = 10
const retryMs = 2_000
const maxFailures = 3
const maxConcurrentReads = 4

interface Bulk {
  action: BulkAction
  ids: readonly string[]
  /** Once aborted, no further call begins. Without it, the work ends after a few failures. */
  stop?: AbortSignal
  /** After each call, with the photos that the account has then, where the server has said it. */
  onResults: (results: BulkResults, photoCount: number | null) => void
  /** Called with true while the server does not answer and is asked again. */
  onWaiting?: (isWaiting: boolean) => void
}

/** `unknown`: photos of a call without an answer, whose state could not be read either. `error`: why the rest was not done. */
export interface BulkEnd {
  unknown: readonly string[]
  error: unknown
}

/** Changes any number of photos, in calls one after another, as large as the server is fast. */
export async function changeManyPhotos(api: Api, bulk: Bulk): Promise<BulkEnd> {
  const { action, ids, stop, onResults } = bulk
  let size = firstCallPhotos
  for (let done = 0; done < ids.length;) {
    if (stop?.aborted) break
    const part = ids.slice(done, done + size)
    const startedAt = performance.now()
    const { answer, isCut, error } = await callUntilAnswered(
      () => api.call(changePhotos, { body: { action, ids: part } }),
      bulk,
    )
    if (!answer) return { unknown: isCut ? await readStates(api, part, bulk) : [], error }
    onResults(answer.results, answer.photo_count)
    done += part.length
    const growth = Math.min(2, targetCallMs / Math.max(1, performance.now() - startedAt))
    size = Math.min(limits.bulkMax, Math.max(1, Math.round(size * growth)))
  }
  return { unknown: [], error: null }
}

interface Attempt {
  answer: Answer | null
  /** The server may have got a call that has no answer. */
  isCut: boolean
  error: unknown
}

/** Repeats a call without an answer. What the server did the first time it then reports as `not found` or `unchanged`. */
async function callUntilAnswered(call: () => Promise<Answer>, { stop, onWaiting }: Bulk): Promise<Attempt> {
  let isCut = false
  for (let failures = 1; ; failures += 1) {
    try {
      const answer = await call()
      if (failures > 1) onWaiting?.(false)
      return { answer: isCut ? { ...answer, results: answer.results.map(asDone) } : answer, isCut, error: null }
    } catch (error) {
      isCut ||= isTransient(error)
      const isTooMany = error instanceof ApiError && error.status === 429
      const isLost = error instanceof NetworkError && stop !== undefined
      if (!isTooMany && !isTransient(error)) return { answer: null, isCut, error }
      if (failures > maxFailures && !isLost) return { answer: null, isCut, error }
      onWaiting?.(true)
      const retryAfterMs = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1_000 : retryMs
      await waitUntilStopped(retryAfterMs, stop)
      if (stop?.aborted) return { answer: null, isCut, error: null }
    }
  }
}

const asDone = ({ id, outcome }: BulkResults[number]): BulkResults[number] => ({
  id,
  outcome: outcome === 'not found' || outcome === 'unchanged' ? 'done' : outcome,
})

const waitUntilStopped = (ms: number, stop: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (stop?.aborted) return resolve()
    setTimeout(resolve, ms)
    stop?.addEventListener('abort', () => resolve(), { once: true })
  })

/** Reads what became of the photos of a call without an answer. Returns those of which it could not be read. */
async function readStates(api: Api, ids: readonly string[], { action, onResults }: Bulk): Promise<string[]> {
  const unknown: string[] = []
  const done: string[] = []
  await forEachConcurrently(ids, maxConcurrentReads, async (id) => {
    try {
      const photo = await api.call(getPhoto, { params: { id } }).catch(nullIfMissing)
      if (action === 'delete' ? photo === null : photo?.hidden === (action === 'hide')) done.push(id)
    } catch {
      unknown.push(id)
    }
  })
  onResults(
    done.map((id) => ({ id, outcome: 'done' })),
    null,
  )
  return unknown
}

function nullIfMissing(error: unknown): Photo | null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
