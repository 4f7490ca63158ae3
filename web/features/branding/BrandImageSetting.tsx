import type { User } from '@keepsnap/contract/accounts.ts'
import { ImagePlus, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
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

/** The logo or the background: shows, uploads and deletes it. */
export function BrandImageSetting({ kind, user }: { kind: BrandImage; user: User }) {
  const allText = useText({ branding })
  const text = allText[kind]
  const media = useMediaUrl()
  const picker = useRef<HTMLInputElement>(null)
  const [chosenFile, setChosenFile] = useState<File | null>(null)
  const uploadImage = useUploadBrandImage(kind)
  // Not in DeleteButton, which may be unmounted before the response arrives.
  const deleteImage = useDeleteBrandImage(kind)
  const url = brandImageUrl(user, kind)
  const [message, showMessage] = useTemporaryMessage()

  const uploadChosen = (): void => {
    if (!chosenFile) return
    uploadImage.mutate(chosenFile, {
      onSuccess: () => {
        setChosenFile(null)
        showMessage({ tone: 'ok', text: text.uploaded })
        // The upload button is disabled now.
        picker.current?.focus()
      },
      onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, text.uploadFailed) }),
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
        <label className="btn btn--quiet picture__choose">
          <ImagePlus className="icon" />
          {allText.choose}
          <input
            ref={picker}
            type="file"
            aria-label={text.choose}
            accept={acceptedTypes[kind]}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) setChosenFile(file)
              // Otherwise choosing the same file again would cause no `change` event.
              target.value = ''
            }}
          />
        </label>
        <Button aria-label={text.upload} disabled={!chosenFile} busy={uploadImage.isPending} onClick={uploadChosen}>
          {!uploadImage.isPending && <Upload className="icon" />}
          {allText.upload}
        </Button>
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
  const text = useText({ branding })[kind]
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
      <Button
        className="brand-image__delete"
        tone="ghost"
        icon
        aria-label={text.delete}
        onClick={() => setConfirmOpen(true)}
      >
        <Trash2 className="icon" />
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
