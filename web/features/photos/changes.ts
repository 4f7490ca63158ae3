import { deletePhoto, retryPhoto } from '@keepsnap/contract/photos.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/answers.ts'
import { useApi } from '../../lib/parts.tsx'
import { forgetPhoto, updatePhoto } from './photo-cache.ts'

/** Deletes one photo; it leaves the pages once the server has let go of it. */
export function useDeletePhoto() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    async mutationFn(id: string) {
      try {
        await api.call(deletePhoto, { params: { id } })
      } catch (error) {
        // Somebody else deleted it: that is what was wanted.
        if (!(error instanceof ApiError && error.status === 404)) throw error
      }
    },
    onSuccess: (_, id) => forgetPhoto(queries, id),
  })
}

/** Has a failed photo processed again. */
export function useRetryPhoto() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.call(retryPhoto, { params: { id } }),
    onSuccess: (photo) => updatePhoto(queries, photo),
  })
}
