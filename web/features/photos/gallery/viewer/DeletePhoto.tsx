import type { Photo } from '@keepsnap/contract/photos.ts'
import { useText } from '../../../../lib/i18n.tsx'
import { gallery } from '../../../../messages/en/gallery.ts'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import { Note } from '../../../../ui/Note.tsx'
import { useDeletePhoto } from '../../mutations.ts'

interface Props {
  photo: Photo
  open: boolean
  onDeleted: () => void
  onClose: () => void
}

/** Asks before deleting the photo, and shows a message when that fails. */
export function DeletePhoto({ photo, open, onDeleted, onClose }: Props) {
  const text = useText({ gallery })
  const { mutateAsync, isPending, isError, reset } = useDeletePhoto()
  // The live connection may report the deletion first: this component is then unmounted, and the callbacks of `mutate`
  // would never be called.
  const confirmDeletion = (): void => void mutateAsync(photo.id).then(onDeleted, onClose)
  return (
    <>
      {isError && (
        <div className="viewer__alert">
          <Note tone="bad">{text.errors.remove}</Note>
        </div>
      )}
      <ConfirmDialog
        open={open}
        title={text.confirmDelete.title}
        question={text.confirmDelete.question}
        confirm={text.confirmDelete.confirm}
        busy={isPending}
        onConfirm={confirmDeletion}
        onClose={() => {
          reset()
          onClose()
        }}
      />
    </>
  )
}
