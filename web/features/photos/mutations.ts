import { deletePhoto, retryPhoto } from '@keepsnap/contract/photos.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { currentUserQuery, setPhotoCount } from '../../lib/current-user.ts'
import { changeManyPhotos, type BulkAction, type BulkEnd, type BulkResults } from './bulk.ts'
import { cachedPhoto, removePhoto, removePhotos, setCachedPhotosHidden, updatePhoto } from './photo-cache.ts'
import { photoStateOf } from './photo-state.ts'

/** Deletes one photo; it disappears from the pages once the server has deleted it. */
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
      removePhoto(queryClient, id)
      // The number of photos; the live connection may be down.
      void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
    },
  })
}

export interface ManyChanges {
  action: BulkAction
  ids: readonly string[]
  stop?: AbortSignal
  /** After each call. The pages show its results already. */
  onResults: (results: BulkResults) => void
  onWaiting?: (isWaiting: boolean) => void
}

/** Returns a function that deletes, hides or shows any number of photos; see `changeManyPhotos`. */
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
          if (action !== 'delete')
            setCachedPhotosHidden(queryClient, new Set(changed.map(({ id }) => id)), action === 'hide')
          if (photoCount === null) void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
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
