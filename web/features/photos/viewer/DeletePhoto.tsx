import type { Photo } from '@keepsnap/contract/photos.ts'
import { useText } from '../../../lib/i18n.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Note } from '../../../ui/Note.tsx'
import { useDeletePhoto } from '../changes.ts'

interface Props {
  photo: Photo
  open: boolean
  onDeleted: () => void
  onClose: () => void
}

/** Asks before the photo is deleted, and says so when it could not be. */
export function DeletePhoto({ photo, open, onDeleted, onClose }: Props) {
  const text = useText({ gallery })
  const { mutateAsync, isPending, isError, reset } = useDeletePhoto()
  // The live channel may tell first; then this is gone with its photo, and callbacks of `mutate` are never called.
  const remove = (): void => void mutateAsync(photo.id).then(onDeleted, onClose)
  return (
    <>
      {isError && (
        <div className="viewer__alert">
          <Note tone="bad">{text.errors.remove}</Note>
        </div>
      )}
      <Confirm
        open={open}
        title={text.sure.title}
        question={text.sure.question}
        confirm={text.sure.confirm}
        busy={isPending}
        onConfirm={remove}
        onClose={() => {
          reset()
          onClose()
        }}
      />
    </>
  )
}
