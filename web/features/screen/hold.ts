import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getHold, holdPhoto, type PhotoHold, releaseHold } from '@keepsnap/contract/screen.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { Api } from '../../lib/api.ts'
import { refetchQueries } from '../../lib/refetch-query.ts'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { latest } from '../../messages/en/screen.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { isNewer, photoStateOf } from '../photos/photo-state.ts'
import { photoQuery, recentPhotoCount } from '../photos/photo-cache.ts'

/** The held photo. `endsAt`: milliseconds, by the clock of this device. */
interface HeldPhoto {
  photoId: string
  endsAt: number
}

const holdKey = ['hold'] as const

const heldPhotoOf = (hold: PhotoHold | null): HeldPhoto | null =>
  hold && { photoId: hold.photo_id, endsAt: Date.now() + hold.remaining_ms }

const holdQuery = (api: Api) =>
  queryOptions({
    queryKey: holdKey,
    queryFn: async ({ signal }) => heldPhotoOf((await api.call(getHold, {}, { signal })).hold),
  })

function setHold(queryClient: QueryClient, hold: PhotoHold | null): void {
  queryClient.setQueryData<HeldPhoto | null>(holdKey, heldPhotoOf(hold))
  // A request that is in flight may return what was held before.
  if (queryClient.isFetching({ queryKey: holdKey }) > 0) refetchHold(queryClient)
}

/** No photo is held from now on. */
const endHold = (queryClient: QueryClient): void => setHold(queryClient, null)

/** Fetches the hold again: messages that were sent while disconnected are not repeated. */
export const refetchHold = (queryClient: QueryClient): void => refetchQueries(queryClient, holdKey)

/** Applies a message of the live connection. A photo that is deleted or hidden is held no longer. */
export function applyHoldMessage(queryClient: QueryClient, message: ServerMessage): void {
  if (message.action === 'photo_hold') setHold(queryClient, message.hold)
  const heldId = queryClient.getQueryData<HeldPhoto | null>(holdKey)?.photoId
  if (heldId === undefined) return
  const isGone =
    (message.action === 'photo_deleted' && message.id === heldId) ||
    (message.action === 'photo_update' && message.photo.hidden && message.photo.id === heldId)
  if (isGone) endHold(queryClient)
}

export type Hold = ReturnType<typeof useHold>

/**
 * The photo that all of the owner's screens hold. `pollMs`: the polling interval while the live connection is down. `recent`: photos
 * that are known already.
 */
export function useHold(pollMs: number | false, recent: readonly Photo[]) {
  const api = useApi()
  const queryClient = useQueryClient()
  const text = useText({ latest }).hold
  const toast = useToast()
  const { data: held = null } = useQuery({
    ...holdQuery(api),
    refetchInterval: pollMs,
    refetchIntervalInBackground: true,
  })
  const photo = useHeldPhoto(held?.photoId ?? null, recent)
  const { mutate, isPending } = useMutation({
    mutationFn: (photo: Photo | null) =>
      photo ? api.call(holdPhoto, { body: { photo_id: photo.id } }) : api.call(releaseHold, {}),
    onMutate: () => queryClient.cancelQueries(holdQuery(api)),
    onSuccess: ({ hold }) => setHold(queryClient, hold),
    onError: (error, photo) =>
      toast({ text: errorMessage(error, photo ? text.failed : text.releaseFailed), tone: 'bad' }),
  })
  const endsAt = held?.endsAt ?? null
  useEffect(() => {
    if (endsAt === null) return
    const endTimer = setTimeout(() => endHold(queryClient), Math.max(0, endsAt - Date.now()))
    return () => clearTimeout(endTimer)
  }, [endsAt, queryClient])
  return {
    /** Null when no photo is held, or guests may not see it. */
    photo: held && photo && photoStateOf(photo) === 'ready' && !photo.hidden ? photo : null,
    /** Milliseconds. */
    endsAt,
    /** Holds a photo on all screens. */
    hold: (next: Photo): void => mutate(next),
    release: (): void => mutate(null),
    busy: isPending,
  }
}

/** The photo with this id: from the recent ones, or fetched. Until that has succeeded, as it was among the recent ones. */
function useHeldPhoto(id: string | null, recent: readonly Photo[]): Photo | undefined {
  const known = recent.find((photo) => photo.id === id)
  const [lastKnown, setLastKnown] = useState<Photo | undefined>()
  if (known && known !== lastKnown) setLastKnown(known)
  const { data, error } = useQuery({ ...photoQuery(useApi(), id ?? ''), enabled: id !== null && !known })
  const isDeleted = error instanceof ApiError && error.status === 404
  if (known || isDeleted) return known
  return data ?? (lastKnown?.id === id && isDisplaced(lastKnown, recent) ? lastKnown : undefined)
}

/** Whether newer photos have taken its place among the recent ones; otherwise it was deleted. */
function isDisplaced(photo: Photo, recent: readonly Photo[]): boolean {
  const oldest = recent.at(-1)
  return oldest !== undefined && recent.length >= recentPhotoCount && isNewer(oldest, photo)
}
