import { deletePhoto, retryPhoto } from '@keepsnap/contract/photos.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { cachedPhoto, removePhoto, updatePhoto } from './photo-cache.ts'
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
    onSuccess: (_, id) => removePhoto(queryClient, id),
  })
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
