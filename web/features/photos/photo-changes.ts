import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Input, Reply } from '@keepsnap/contract/endpoint.ts'
import { movePhotos } from '@keepsnap/contract/events.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import {
  type BulkOutcome,
  changePhoto,
  changePhotos,
  deletePhoto,
  getPhoto,
  type Photo,
  retryPhoto,
} from '@keepsnap/contract/photos.ts'
import { ApiError, isTransient, NetworkError } from '../../lib/api-errors.ts'
import type { Api } from '../../lib/api.ts'
import { currentUserQuery, setPhotoCount, useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { gallery } from '../../messages/en/photos.ts'
import { useToast } from '../../ui/Toasts.tsx'
import {
  cachedPhoto,
  photoDaysKey,
  removePhotos,
  setCachedPhotosEvent,
  setCachedPhotosHidden,
  updatePhoto,
} from './photo-cache.ts'
import { photoStateOf } from './photo-state.ts'

export type BulkAction = Input<typeof changePhotos>['body']['action']
/** To an event; null: out of theirs. */
interface Move {
  moveTo: string | null
}
type BulkResults = Reply<typeof changePhotos>['results']
interface Answer {
  results: BulkResults
  /** The photos that the account has then; null where it cannot have changed. */
  photo_count: number | null
}

/** How long a call should take: Stop waits for the one that is running. */
const targetCallMs = 300
const firstCallPhotos = 10
const retryMs = 2_000
const maxFailures = 3
const maxConcurrentReads = 4

interface Bulk {
  action: BulkAction | Move
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

/** Changes or moves any number of photos, in calls one after another, as large as the server is fast. */
export async function changeManyPhotos(api: Api, bulk: Bulk): Promise<BulkEnd> {
  const { action, ids, stop, onResults } = bulk
  let size = firstCallPhotos
  for (let done = 0; done < ids.length;) {
    if (stop?.aborted) break
    const part = ids.slice(done, done + size)
    const startedAt = performance.now()
    const { answer, isCut, error } = await callUntilAnswered(() => callFor(api, action, part), bulk)
    if (!answer) return { unknown: isCut ? await readStates(api, part, bulk) : [], error }
    onResults(answer.results, answer.photo_count)
    done += part.length
    const growth = Math.min(2, targetCallMs / Math.max(1, performance.now() - startedAt))
    size = Math.min(limits.bulkMax, Math.max(1, Math.round(size * growth)))
  }
  return { unknown: [], error: null }
}

async function callFor(api: Api, action: Bulk['action'], ids: string[]): Promise<Answer> {
  if (typeof action === 'string') return api.call(changePhotos, { body: { action, ids } })
  const { results } = await api.call(movePhotos, { body: { ids, event_id: action.moveTo } })
  return { results, photo_count: null }
}

/**
 * Repeats a call without an answer. What the server did the first time it then reports as `not found` or `unchanged`. `isCut`: the
 * server may have got a call that has no answer.
 */
async function callUntilAnswered(call: () => Promise<Answer>, { stop, onWaiting }: Bulk) {
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
  const remaining = ids.values()
  const readRemaining = async (): Promise<void> => {
    for (const id of remaining) {
      try {
        const photo = await api.call(getPhoto, { params: { id } }).catch(nullIfMissing)
        if (isDone(action, photo)) done.push(id)
      } catch {
        unknown.push(id)
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrentReads }, readRemaining))
  onResults(
    done.map((id) => ({ id, outcome: 'done' })),
    null,
  )
  return unknown
}

function isDone(action: Bulk['action'], photo: Photo | null): boolean {
  if (typeof action !== 'string') return (photo?.event_id ?? null) === action.moveTo && photo !== null
  return action === 'delete' ? photo === null : photo?.hidden === (action === 'hide')
}

function nullIfMissing(error: unknown): Photo | null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

export function useDeletePhoto() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(id: string) {
      try {
        await api.call(deletePhoto, { params: { id } })
      } catch (error) {
        // Already deleted, for example on another device.
        if (!(error instanceof ApiError && error.status === 404)) throw error
      }
    },
    onSuccess(_, id) {
      removePhotos(queryClient, [id])
      // The number of photos; the live connection may be down.
      void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
    },
  })
}

type ManyChanges = Omit<Bulk, 'onResults'> & {
  /** After each call. The pages show its results already. */
  onResults: (results: BulkResults) => void
}

/** Returns a function that deletes, hides, shows or moves any number of photos; see `changeManyPhotos`. */
export function useChangeManyPhotos(): (changes: ManyChanges) => Promise<BulkEnd> {
  const api = useApi()
  const queryClient = useQueryClient()
  return useCallback(
    ({ action, onResults, ...bulk }) =>
      changeManyPhotos(api, {
        ...bulk,
        action,
        onResults(results, photoCount) {
          const isGone = (outcome: string): boolean =>
            outcome === 'not found' || (action === 'delete' && outcome === 'done')
          const gone = results.filter(({ outcome }) => isGone(outcome))
          const changed = results.filter(({ outcome }) => outcome === 'done' || outcome === 'unchanged')
          if (gone.length > 0) removePhotos(queryClient, new Set(gone.map(({ id }) => id)))
          const changedIds = new Set(changed.map(({ id }) => id))
          if (typeof action !== 'string') setCachedPhotosEvent(queryClient, changedIds, action.moveTo)
          else if (action !== 'delete') setCachedPhotosHidden(queryClient, changedIds, action === 'hide')
          if (typeof action !== 'string') void queryClient.invalidateQueries({ queryKey: photoDaysKey })
          else if (photoCount === null) void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
          else setPhotoCount(queryClient, api, photoCount)
          onResults(results)
        },
      }),
    [api, queryClient],
  )
}

/** Asks the server to process a failed photo again. */
export function useRetryProcessing() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.call(retryPhoto, { params: { id } }),
    onSuccess(photo) {
      // The live connection may have delivered something newer, or that the photo was deleted.
      const currentPhoto = cachedPhoto(queryClient, photo.id)
      if (currentPhoto && photoStateOf(currentPhoto) === 'failed') updatePhoto(queryClient, photo)
    },
  })
}

type PhotoId = Pick<Photo, 'id'>
interface VisibilityChange {
  photos: readonly PhotoId[]
  hidden: boolean
}
type Outcomes = Map<string, BulkOutcome>

/** Hides photos from guests, or shows them again. A toast says so and can undo it. `progress`: of more than one photo. */
export function useHidePhotos() {
  const text = useText({ gallery }).visibility
  const format = useFormat()
  const toast = useToast()
  const [settled, setSettled] = useState(0)
  const { mutateAsync, isPending, variables } = useChangeVisibility(setSettled)
  const change = async (request: VisibilityChange, isUndo: boolean): Promise<void> => {
    const { hidden, photos } = request
    const outcomes = await mutateAsync(request)
    const idsWith = (outcome: BulkOutcome): string[] =>
      Array.from(outcomes.keys()).filter((id) => outcomes.get(id) === outcome)
    const done = idsWith('done')
    const asAsked = done.length + idsWith('unchanged').length
    const refused = idsWith('refused').length
    const missing = idsWith('not found').length
    const undo = (): void => void change({ photos: done.map((id) => ({ id })), hidden: !hidden }, true)
    if (asAsked > 0)
      toast({
        text: (hidden ? text.hidden : text.shown)(asAsked, format.count(asAsked)),
        // Each change has an Undo of its own.
        ...(done.length > 0 && { id: done.join(' ') }),
        ...(done.length > 0 && !isUndo && { action: { label: text.undo, run: undo } }),
      })
    if (refused > 0) toast({ text: text.refused(refused, format.count(refused)), tone: 'bad' })
    if (missing > 0) toast({ text: text.missing(missing, format.count(missing)), tone: 'bad' })
    const failures = photos.length - asAsked - refused - missing
    if (failures > 0) toast({ text: (hidden ? text.hideFailed : text.showFailed)(failures), tone: 'bad' })
  }
  const total = variables?.photos.length ?? 0
  return {
    setHidden: (photos: readonly PhotoId[], hidden: boolean): Promise<void> => change({ photos, hidden }, false),
    busy: isPending,
    progress: isPending && total > 1 ? { settled, total } : null,
  }
}

/** Resolves with what became of each photo; those that could not be changed are left out. */
function useChangeVisibility(onSettled: (photos: number) => void) {
  const api = useApi()
  const queryClient = useQueryClient()
  const changeMany = useChangeManyPhotos()
  const changeOne = async ({ id }: PhotoId, hidden: boolean, outcomes: Outcomes): Promise<void> => {
    try {
      updatePhoto(queryClient, await api.call(changePhoto, { params: { id }, body: { hidden } }))
      outcomes.set(id, 'done')
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) return
      removePhotos(queryClient, [id])
      outcomes.set(id, 'not found')
    }
  }
  return useMutation({
    async mutationFn({ photos, hidden }: VisibilityChange): Promise<Outcomes> {
      const outcomes: Outcomes = new Map()
      onSettled(0)
      const [first] = photos
      if (first && photos.length === 1) await changeOne(first, hidden, outcomes)
      else
        await changeMany({
          action: hidden ? 'hide' : 'show',
          ids: photos.map(({ id }) => id),
          onResults(results) {
            for (const { id, outcome } of results) outcomes.set(id, outcome)
            onSettled(outcomes.size)
          },
        })
      return outcomes
    },
  })
}
