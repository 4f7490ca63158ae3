import type { User } from '@keepsnap/contract/accounts.ts'
import { ImagePlus, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useTemporaryMessage } from '../../lib/temporary-message.ts'
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

/** How long the note stays that a file was gone already; spec section 9. */
const goneMs = 4_000
const accepted = { logo: 'image/png,image/jpeg,image/svg+xml', background: 'image/*' }

/** One picture of the brand: as it is, as it would be, and the way from one to the other. */
export function BrandImageSetting({ part, user }: { part: BrandImage; user: User }) {
  const words = useText({ branding })
  const text = words[part]
  const media = useMediaUrl()
  const picker = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File | null>(null)
  const upload = useUploadBrandImage(part)
  // Not of its button, which may be gone before the answer is here.
  const remove = useDeleteBrandImage(part)
  const address = brandImageUrl(user, part)
  const [note, say] = useTemporaryMessage()

  const send = (): void => {
    if (!chosen) return
    upload.mutate(chosen, {
      onSuccess: () => {
        setChosen(null)
        say({ tone: 'ok', text: text.uploaded })
        // The button that was pressed is disabled now.
        picker.current?.focus()
      },
      onError: (error) => say({ tone: 'bad', text: errorMessage(error, text.uploadFailed) }),
    })
  }
  return (
    <fieldset className="look" tabIndex={-1}>
      <legend className="label">{text.label}</legend>
      <div className={`picture look__${part}`}>
        <Picture source={chosen ?? (address && media(address))} alt={text.alt} none={text.none} broken={words.broken} />
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
          {words.choose}
          <input
            ref={picker}
            type="file"
            aria-label={text.choose}
            accept={accepted[part]}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) setChosen(file)
              // The same file may be chosen again.
              target.value = ''
            }}
          />
        </label>
        <Button aria-label={text.upload} disabled={!chosen} busy={upload.isPending} onClick={send}>
          {!upload.isPending && <Upload className="i" />}
          {words.upload}
        </Button>
        {address !== null && <DeleteButton part={part} remove={remove} onSaid={say} />}
      </div>
      <SaveStatus message={note} />
    </fieldset>
  )
}

interface DeleteProps {
  part: BrandImage
  remove: ReturnType<typeof useDeleteBrandImage>
  onSaid: ReturnType<typeof useTemporaryMessage>[1]
}

function DeleteButton({ part, remove, onSaid: say }: DeleteProps) {
  const text = useText({ branding })[part]
  const [asking, setAsking] = useState(false)
  const gone = (): void => say({ tone: 'ok', text: text.fileGone }, goneMs)
  const confirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: ({ partial_success }) => (partial_success ? gone() : say({ tone: 'ok', text: text.deleted })),
      onError: (error) =>
        isMissingFromStorage(error) ? gone() : say({ tone: 'bad', text: errorMessage(error, text.deleteFailed) }),
      onSettled: () => setAsking(false),
    })
  return (
    <>
      <Button className="look__delete" tone="ghost" icon aria-label={text.delete} onClick={() => setAsking(true)}>
        <Trash2 className="i" />
      </Button>
      <ConfirmDialog
        open={asking}
        title={text.delete}
        question={text.question}
        confirm={text.delete}
        busy={remove.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
