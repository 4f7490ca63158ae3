import { changePhoto, type BulkOutcome, type Photo } from '@keepsnap/contract/photos.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { gallery } from '../../messages/en/gallery.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { useChangeManyPhotos } from './mutations.ts'
import { removePhotos, updatePhoto } from './photo-cache.ts'

type PhotoId = Pick<Photo, 'id'>
interface VisibilityChange {
  photos: readonly PhotoId[]
  hidden: boolean
}
type Outcomes = Map<string, BulkOutcome>

/** Hides photos from guests, or shows them again. A toast says so and can undo it. `progress`: of more than one photo. */
export function useHidePhotos(): {
  setHidden: (photos: readonly PhotoId[], hidden: boolean) => Promise<void>
  busy: boolean
  progress: { settled: number; total: number } | null
} {
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
    setHidden: (photos, hidden) => change({ photos, hidden }, false),
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
