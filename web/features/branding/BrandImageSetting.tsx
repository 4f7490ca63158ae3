import type { User } from '@keepsnap/contract/accounts.ts'
import { ImagePlus, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useTemporaryMessage, type ShowMessage } from '../../lib/temporary-message.ts'
import { errorMessage } from '../../lib/error-message.ts'
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
const accepted = { logo: 'image/png,image/jpeg,image/svg+xml', background: 'image/*' }

/** The logo or the background: shows, uploads and deletes it. */
export function BrandImageSetting({ kind, user }: { kind: BrandImage; user: User }) {
  const allText = useText({ branding })
  const text = allText[kind]
  const media = useMediaUrl()
  const picker = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File | null>(null)
  const upload = useUploadBrandImage(kind)
  // Not in DeleteButton, which may be unmounted before the response arrives.
  const remove = useDeleteBrandImage(kind)
  const url = brandImageUrl(user, kind)
  const [message, showMessage] = useTemporaryMessage()

  const send = (): void => {
    if (!chosen) return
    upload.mutate(chosen, {
      onSuccess: () => {
        setChosen(null)
        showMessage({ tone: 'ok', text: text.uploaded })
        // The upload button is disabled now.
        picker.current?.focus()
      },
      onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, text.uploadFailed) }),
    })
  }
  return (
    <fieldset className="look" tabIndex={-1}>
      <legend className="label">{text.label}</legend>
      <div className={`picture look__${kind}`}>
        <Picture source={chosen ?? (url && media(url))} alt={text.alt} none={text.none} broken={allText.broken} />
      </div>
      <p className="tiny muted">
        {chosen ? (
          <>
            {text.chosen} <span translate="no">{chosen.name}</span>
          </>
        ) : (
          text.hint
        )}
      </p>
      <div className="row">
        <label className="btn btn--quiet picture__choose">
          <ImagePlus className="i" />
          {allText.choose}
          <input
            ref={picker}
            type="file"
            aria-label={text.choose}
            accept={accepted[kind]}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) setChosen(file)
              // Otherwise choosing the same file again would cause no `change` event.
              target.value = ''
            }}
          />
        </label>
        <Button aria-label={text.upload} disabled={!chosen} busy={upload.isPending} onClick={send}>
          {!upload.isPending && <Upload className="i" />}
          {allText.upload}
        </Button>
        {url !== null && <DeleteButton kind={kind} remove={remove} showMessage={showMessage} />}
      </div>
      <SaveStatus message={message} />
    </fieldset>
  )
}

interface DeleteProps {
  kind: BrandImage
  remove: ReturnType<typeof useDeleteBrandImage>
  showMessage: ShowMessage
}

function DeleteButton({ kind, remove, showMessage }: DeleteProps) {
  const text = useText({ branding })[kind]
  const [confirmOpen, setConfirmOpen] = useState(false)
  const showFileGone = (): void => showMessage({ tone: 'ok', text: text.fileGone }, fileGoneMessageMs)
  const confirm = (): void =>
    remove.mutate(undefined, {
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
      <Button className="look__delete" tone="ghost" icon aria-label={text.delete} onClick={() => setConfirmOpen(true)}>
        <Trash2 className="i" />
      </Button>
      <ConfirmDialog
        open={confirmOpen}
        title={text.delete}
        question={text.question}
        confirm={text.delete}
        busy={remove.isPending}
        onConfirm={confirm}
        onClose={() => setConfirmOpen(false)}
      />
    </>
  )
}
