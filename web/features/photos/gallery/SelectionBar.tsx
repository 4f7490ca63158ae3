import type { Photo } from '@keepsnap/contract/photos.ts'
import { Eye, EyeOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { Button } from '../../../ui/Button.tsx'
import { isHiddenByOperator } from '../hidden-by-operator.ts'
import { useHidePhotos } from '../useHidePhotos.ts'
import { DownloadSelected } from './DownloadPhotos.tsx'
import { DeleteSelected } from './DeleteSelected.tsx'

interface Props {
  /** The selected photos. */
  photos: readonly Photo[]
  /** These photos do not exist any more. */
  onGone: (ids: readonly string[]) => void
  onDone: () => void
}

/** Downloads, hides or deletes the selected photos. */
export function SelectionBar({ photos, onGone, onDone }: Props) {
  const text = useText({ gallery })
  const format = useFormat()
  const [deleteOpen, setDeleteOpen] = useState(false)
  const count = photos.length
  return (
    <section className="selection-bar" aria-label={text.select.label}>
      <div className="selection-bar__tools">
        <output className="selection-bar__count tabular-numbers">
          {count > 0 ? text.select.count(count, format.count(count)) : text.select.hint}
        </output>
        <DownloadSelected photos={photos} />
        <HideButton photos={photos} />
        <Button tone="danger" disabled={count === 0} onClick={() => setDeleteOpen(true)}>
          <Trash2 className="icon" />
          {text.select.remove}
        </Button>
        <Button onClick={onDone}>{text.select.stop}</Button>
      </div>
      <DeleteSelected
        ids={photos.map(({ id }) => id)}
        open={deleteOpen}
        onGone={onGone}
        onClose={() => setDeleteOpen(false)}
      />
    </section>
  )
}

/** Hides what is visible; when all selected photos are hidden already, shows them again, but for those that an operator hid. */
function HideButton({ photos }: Pick<Props, 'photos'>) {
  const text = useText({ gallery }).select
  const format = useFormat()
  const { setHidden, busy, progress } = useHidePhotos()
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
      {progress
        ? text.progress(format.count(progress.settled), format.count(progress.total))
        : shows
          ? text.show
          : text.hide}
    </Button>
  )
}
