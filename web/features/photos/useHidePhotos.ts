import { changePhoto, type Photo } from '@keepsnap/contract/photos.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../lib/app-services.tsx'
import { forEachConcurrently } from '../../lib/for-each-concurrently.ts'
import { useText } from '../../lib/i18n.tsx'
import { gallery } from '../../messages/en/gallery.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { updatePhoto } from './photo-cache.ts'

type PhotoId = Pick<Photo, 'id'>
interface VisibilityChange {
  photos: readonly PhotoId[]
  hidden: boolean
}
const maxConcurrentChanges = 3

/** Hides photos from guests, or shows them again. A toast says so and can undo it. */
export function useHidePhotos(): {
  setHidden: (photos: readonly PhotoId[], hidden: boolean) => Promise<void>
  busy: boolean
} {
  const text = useText({ gallery }).visibility
  const toast = useToast()
  const { mutateAsync, isPending } = useChangeVisibility()
  const change = async (request: VisibilityChange, isUndo: boolean): Promise<void> => {
    const { hidden } = request
    const changed = await mutateAsync(request)
    const undo = (): void => void change({ photos: changed, hidden: !hidden }, true)
    if (changed.length > 0)
      toast({
        text: (hidden ? text.hidden : text.shown)(changed.length),
        // Each change has an Undo of its own.
        id: changed.map(({ id }) => id).join(' '),
        ...(!isUndo && { action: { label: text.undo, run: undo } }),
      })
    const failures = request.photos.length - changed.length
    if (failures > 0) toast({ text: (hidden ? text.hideFailed : text.showFailed)(failures), tone: 'bad' })
  }
  return { setHidden: (photos, hidden) => change({ photos, hidden }, false), busy: isPending }
}

/** Resolves with the photos that could be changed. */
function useChangeVisibility() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn({ photos, hidden }: VisibilityChange): Promise<PhotoId[]> {
      const changed: PhotoId[] = []
      await forEachConcurrently(photos, maxConcurrentChanges, async ({ id }) => {
        const photo = await api.call(changePhoto, { params: { id }, body: { hidden } }).catch(() => null)
        if (!photo) return
        updatePhoto(queryClient, photo)
        changed.push(photo)
      })
      return changed
    },
  })
}
