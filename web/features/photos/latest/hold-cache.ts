import { getHold, type PhotoHold } from '@keepsnap/contract/holds.ts'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Api } from '../../../lib/api.ts'
import { refetchQueries } from '../../../lib/refetch-query.ts'

/** The held photo. `endsAt`: milliseconds, by the clock of this device. */
export interface HeldPhoto {
  photoId: string
  endsAt: number
}

const holdKey = ['hold'] as const

const heldPhotoOf = (hold: PhotoHold | null): HeldPhoto | null =>
  hold && { photoId: hold.photo_id, endsAt: Date.now() + hold.remaining_ms }

export const holdQuery = (api: Api) =>
  queryOptions({
    queryKey: holdKey,
    queryFn: async ({ signal }) => heldPhotoOf((await api.call(getHold, {}, { signal })).hold),
  })

export function setHold(queryClient: QueryClient, hold: PhotoHold | null): void {
  queryClient.setQueryData<HeldPhoto | null>(holdKey, heldPhotoOf(hold))
  // A request that is in flight may return what was held before.
  if (queryClient.isFetching({ queryKey: holdKey }) > 0) refetchHold(queryClient)
}

/** No photo is held from now on. */
export const endHold = (queryClient: QueryClient): void => setHold(queryClient, null)

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
