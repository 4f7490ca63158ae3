import type { User } from '@keepsnap/contract/accounts.ts'
import { ImagePlus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useTemporaryMessage, type ShowMessage } from '../../lib/temporary-message.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { logoGround } from '../../lib/logo-ground.ts'
import { branding } from '../../messages/en/branding.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import {
  brandImageUrl,
  isMissingFromStorage,
  useDeleteBrandImage,
  useUploadBrandImage,
  type BrandImage,
} from './queries.ts'

/** How long the message about a missing file is shown; docs/behaviour.md section 9. */
const fileGoneMessageMs = 4_000
const acceptedTypes = { logo: 'image/png,image/jpeg,image/svg+xml', background: 'image/*' }

/** The logo or the background: shows it, uploads a chosen file at once, and deletes it. */
export function BrandImageSetting({ kind, user }: { kind: BrandImage; user: User }) {
  const allText = useText({ branding })
  const text = allText[kind]
  const media = useMediaUrl()
  const [chosenFile, setChosenFile] = useState<File | null>(null)
  const uploadImage = useUploadBrandImage(kind)
  // Not in DeleteButton, which may be unmounted before the response arrives.
  const deleteImage = useDeleteBrandImage(kind)
  const url = brandImageUrl(user, kind)
  const [message, showMessage] = useTemporaryMessage()

  const uploadFile = (file: File): void => {
    setChosenFile(file)
    uploadImage.mutate(file, {
      onSuccess: () => showMessage({ tone: 'ok', text: text.uploaded }),
      onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, text.uploadFailed) }),
      onSettled: () => setChosenFile(null),
    })
  }
  return (
    <fieldset className="brand-image" tabIndex={-1}>
      <legend className="label">{text.label}</legend>
      <div
        className={`picture brand-image__${kind}`}
        {...(kind === 'logo' && !chosenFile && url !== null && logoGround(user.logo_grounds))}
      >
        <Picture source={chosenFile ?? (url && media(url))} alt={text.alt} none={text.none} broken={allText.broken} />
      </div>
      <p className="tiny muted">
        {chosenFile ? (
          <>
            {text.chosen} <span translate="no">{chosenFile.name}</span>
          </>
        ) : (
          text.hint
        )}
      </p>
      <div className="row">
        <label className="btn btn--quiet picture__choose" aria-busy={uploadImage.isPending}>
          {uploadImage.isPending ? <span className="spin" aria-hidden="true" /> : <ImagePlus className="icon" />}
          {url === null ? allText.upload : allText.replace}
          <input
            type="file"
            aria-label={url === null ? text.upload : text.replace}
            accept={acceptedTypes[kind]}
            // One at a time. Not disabled, so that it keeps the focus.
            onClick={(event) => uploadImage.isPending && event.preventDefault()}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) uploadFile(file)
              // Otherwise choosing the same file again would cause no `change` event.
              target.value = ''
            }}
          />
        </label>
        {url !== null && <DeleteButton kind={kind} deleteImage={deleteImage} showMessage={showMessage} />}
      </div>
      <SaveStatus message={message} />
    </fieldset>
  )
}

interface DeleteButtonProps {
  kind: BrandImage
  deleteImage: ReturnType<typeof useDeleteBrandImage>
  showMessage: ShowMessage
}

function DeleteButton({ kind, deleteImage, showMessage }: DeleteButtonProps) {
  const allText = useText({ branding })
  const text = allText[kind]
  const deleteLabel = allText.delete
  const [confirmOpen, setConfirmOpen] = useState(false)
  const showFileGone = (): void => showMessage({ tone: 'ok', text: text.fileGone }, fileGoneMessageMs)
  const confirmDeletion = (): void =>
    deleteImage.mutate(undefined, {
      onSuccess: ({ partial_success }) =>
        partial_success ? showFileGone() : showMessage({ tone: 'ok', text: text.deleted }),
      onError: (error) =>
        isMissingFromStorage(error)
          ? showFileGone()
          : showMessage({ tone: 'bad', text: errorMessage(error, text.deleteFailed) }),
      onSettled: () => setConfirmOpen(false),
    })
  return (
    <>
      <Button tone="ghost" aria-label={text.delete} onClick={() => setConfirmOpen(true)}>
        <Trash2 className="icon" />
        {deleteLabel}
      </Button>
      <ConfirmDialog
        open={confirmOpen}
        title={text.delete}
        question={text.question}
        confirm={text.delete}
        busy={deleteImage.isPending}
        onConfirm={confirmDeletion}
        onClose={() => setConfirmOpen(false)}
      />
    </>
  )
}
