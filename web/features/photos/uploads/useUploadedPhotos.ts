import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api-errors.ts'
import { useApi } from '../../../lib/app-services.tsx'
import { photoStateOf } from '../photo-state.ts'
import { photoQuery } from '../queries.ts'

/** The photo of an uploaded file. `unknown`: the request for it failed, and is not repeated. */
export interface UploadedPhotoStatus {
  photo: Photo | null
  state: 'processing' | 'ready' | 'failed' | 'deleted' | 'unknown'
}

/** Unfinished photos that are polled at one time; the live connection reports changes of the others too. */
const maxPolledPhotos = 3
const photoStaleTimeMs = 60_000

/** The photos of uploaded files, by id; polled every two seconds until they are finished. */
export function useUploadedPhotos(ids: readonly string[]): ReadonlyMap<string, UploadedPhotoStatus> {
  const api = useApi()
  const queryClient = useQueryClient()
  const isUnfinished = (photo: Photo | undefined): boolean => !photo || photoStateOf(photo) === 'processing'
  const unfinishedIds = ids.filter((id) => isUnfinished(queryClient.getQueryData(photoQuery(api, id).queryKey)))
  const polledIds = new Set(unfinishedIds.slice(0, maxPolledPhotos))
  return useQueries({
    queries: ids.map((id) => ({
      ...photoQuery(api, id),
      staleTime: photoStaleTimeMs,
      retry: false,
      refetchInterval: ({ state: { data, status } }: { state: { data: Photo | undefined; status: string } }) =>
        polledIds.has(id) && status !== 'error' && isUnfinished(data) && limits.uploadStatusPollMs,
    })),
    combine: (results) =>
      new Map(
        results.map(({ data, error }, index): [string, UploadedPhotoStatus] => [
          ids[index] ?? '',
          { photo: data ?? null, state: uploadedState(data, error) },
        ]),
      ),
  })
}

function uploadedState(photo: Photo | undefined, error: Error | null): UploadedPhotoStatus['state'] {
  if (error instanceof ApiError && error.status === 404) return 'deleted'
  if (photo && photoStateOf(photo) !== 'processing') return photoStateOf(photo)
  return error ? 'unknown' : 'processing'
}
