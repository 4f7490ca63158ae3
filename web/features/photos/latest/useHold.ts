import { holdPhoto, releaseHold } from '@keepsnap/contract/holds.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApi } from '../../../lib/app-services.tsx'
import { useText } from '../../../lib/i18n.tsx'
import { errorMessage } from '../../../lib/error-message.ts'
import { latest } from '../../../messages/en/latest.ts'
import { useToast } from '../../../ui/Toasts.tsx'
import { photoStateOf } from '../photo-state.ts'
import { photoQuery } from '../queries.ts'
import { endHold, holdQuery, setHold } from './hold-cache.ts'

/** The photo that all of the owner's screens hold. */
export interface Hold {
  /** Null when no photo is held, or guests may not see it. */
  photo: Photo | null
  /** Milliseconds. */
  endsAt: number | null
  /** Holds a photo on all screens. */
  hold: (photo: Photo) => void
  release: () => void
  busy: boolean
}

/** `pollMs`: the polling interval while the live connection is down. `recent`: photos that are known already. */
export function useHold(pollMs: number | false, recent: readonly Photo[]): Hold {
  const api = useApi()
  const queryClient = useQueryClient()
  const text = useText({ latest }).hold
  const toast = useToast()
  const { data: held = null } = useQuery({
    ...holdQuery(api),
    refetchInterval: pollMs,
    refetchIntervalInBackground: true,
  })
  const known = recent.find(({ id }) => id === held?.photoId)
  // Also while it is known: later, newer photos take its place among the recent ones.
  const { data: fetched } = useQuery({ ...photoQuery(api, held?.photoId ?? ''), enabled: held !== null })
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
  const photo = known ?? fetched
  return {
    photo: held && photo && photoStateOf(photo) === 'ready' && !photo.hidden ? photo : null,
    endsAt,
    hold: (next) => mutate(next),
    release: () => mutate(null),
    busy: isPending,
  }
}
