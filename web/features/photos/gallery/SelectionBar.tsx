import type { Photo } from '@keepsnap/contract/photos.ts'
import { Eye, EyeOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { forEachConcurrently } from '../../../lib/for-each-concurrently.ts'
import { gallery } from '../../../messages/en/gallery.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Note } from '../../../ui/Note.tsx'
import { useDeletePhoto } from '../mutations.ts'
import { isHiddenByOperator } from '../hidden-by-operator.ts'
import { useHidePhotos } from '../useHidePhotos.ts'
import { DownloadSelected } from './DownloadPhotos.tsx'

interface Props {
  /** The selected photos. */
  photos: readonly Photo[]
  onDone: () => void
}

/** Downloads, hides or deletes the selected photos. */
export function SelectionBar({ photos, onDone }: Props) {
  const text = useText({ gallery })
  const [confirmOpen, setConfirmOpen] = useState(false)
  const { deleteAll, busy, failed } = useDeleteAll()
  const count = photos.length
  const confirmDeletion = async (): Promise<void> => {
    await deleteAll(photos.map(({ id }) => id))
    setConfirmOpen(false)
  }
  return (
    <section className="selection-bar" aria-label={text.select.label}>
      {failed > 0 && <Note tone="bad">{text.errors.removeSome(failed)}</Note>}
      <div className="selection-bar__tools">
        <output className="selection-bar__count tabular-numbers">
          {count > 0 ? text.select.count(count) : text.select.hint}
        </output>
        <DownloadSelected photos={photos} />
        <HideButton photos={photos} />
        <Button tone="danger" disabled={count === 0} onClick={() => setConfirmOpen(true)}>
          <Trash2 className="icon" />
          {text.select.remove}
        </Button>
        <Button onClick={onDone}>{text.select.stop}</Button>
      </div>
      <ConfirmDialog
        open={confirmOpen}
        title={count === 1 ? text.confirmDelete.title : text.confirmDelete.titleMany(count)}
        question={count === 1 ? text.confirmDelete.question : text.confirmDelete.questionMany(count)}
        confirm={text.confirmDelete.confirm}
        busy={busy}
        onConfirm={() => void confirmDeletion()}
        onClose={() => setConfirmOpen(false)}
      />
    </section>
  )
}

/** Hides what is visible; when all selected photos are hidden already, shows them again, but for those that an operator hid. */
function HideButton({ photos }: Pick<Props, 'photos'>) {
  const text = useText({ gallery }).select
  const { setHidden, busy } = useHidePhotos()
  const visiblePhotos = photos.filter(({ hidden }) => !hidden)
  const hiddenPhotos = photos.filter((photo) => photo.hidden && !isHiddenByOperator(photo))
  const shows = hiddenPhotos.length > 0 && visiblePhotos.length === 0
  const Icon = shows ? Eye : EyeOff
  return (
    <Button
      tone="ghost"
      disabled={visiblePhotos.length === 0 && !shows}
      busy={busy}
      onClick={() => void setHidden(shows ? hiddenPhotos : visiblePhotos, !shows)}
    >
      {!busy && <Icon className="icon" />}
      {shows ? text.show : text.hide}
    </Button>
  )
}

const maxConcurrentDeletions = 3

/** Deletes photos, a few at a time. `failed`: the number of photos that could not be deleted. */
function useDeleteAll() {
  const { mutateAsync } = useDeletePhoto()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(0)
  const deleteAll = async (ids: readonly string[]): Promise<void> => {
    setBusy(true)
    let failedDeletions = 0
    await forEachConcurrently(ids, maxConcurrentDeletions, async (id) => {
      await mutateAsync(id).catch(() => {
        failedDeletions += 1
      })
    })
    setFailed(failedDeletions)
    setBusy(false)
  }
  return { deleteAll, busy, failed }
}
