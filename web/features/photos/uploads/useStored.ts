import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/answers.ts'
import { useApi } from '../../../lib/parts.tsx'
import { stateOf } from '../codes.ts'
import { photoQuery } from '../queries.ts'

/** What has become of a stored file. `gone`: its photo was deleted. `lost`: asking failed, and is not repeated. */
export interface Stored {
  photo: Photo | null
  state: 'processing' | 'ready' | 'failed' | 'gone' | 'lost'
}

/** Unfinished photos that are asked for at one time; the live channel tells of the others as well. */
const mostPolled = 3
const freshMs = 60_000

/** The photos of stored files, by id; asked for every two seconds until they are finished, spec section 4. */
export function useStored(ids: readonly string[]): ReadonlyMap<string, Stored> {
  const api = useApi()
  const queries = useQueryClient()
  const isUnfinished = (photo: Photo | undefined): boolean => !photo || stateOf(photo) === 'processing'
  const unfinished = ids.filter((id) => isUnfinished(queries.getQueryData(photoQuery(api, id).queryKey)))
  const polled = new Set(unfinished.slice(0, mostPolled))
  return useQueries({
    queries: ids.map((id) => ({
      ...photoQuery(api, id),
      staleTime: freshMs,
      retry: false,
      refetchInterval: ({ state: { data, status } }: { state: { data: Photo | undefined; status: string } }) =>
        polled.has(id) && status !== 'error' && isUnfinished(data) && limits.uploadStatusPollMs,
    })),
    combine: (answers) =>
      new Map(
        answers.map(({ data, error }, at): [string, Stored] => [
          ids[at] ?? '',
          { photo: data ?? null, state: fate(data, error) },
        ]),
      ),
  })
}

function fate(photo: Photo | undefined, error: Error | null): Stored['state'] {
  if (error instanceof ApiError && error.status === 404) return 'gone'
  if (photo && stateOf(photo) !== 'processing') return stateOf(photo)
  return error ? 'lost' : 'processing'
}
