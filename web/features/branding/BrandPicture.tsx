import type { User } from '@keepsnap/contract/accounts.ts'
import { ImagePlus, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/parts.tsx'
import { usePassingNote } from '../../lib/passing-note.ts'
import { settingMessage } from '../../lib/setting-message.ts'
import { branding } from '../../messages/en/branding.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { SavedNote } from '../../ui/SavedNote.tsx'
import { brandAddress, isGoneFromStorage, useDeleteBrand, useUploadBrand, type BrandPart } from './queries.ts'

/** How long the note stays that a file was gone already; spec section 9. */
const goneMs = 4_000
const accepted = { logo: 'image/png,image/jpeg,image/svg+xml', background: 'image/*' }

/** One picture of the brand: as it is, as it would be, and the way from one to the other. */
export function BrandPicture({ part, user }: { part: BrandPart; user: User }) {
  const words = useText({ branding })
  const text = words[part]
  const media = useMediaUrl()
  const picker = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File | null>(null)
  const upload = useUploadBrand(part)
  // Not of its button, which may be gone before the answer is here.
  const remove = useDeleteBrand(part)
  const address = brandAddress(user, part)
  const [note, say] = usePassingNote()

  const send = (): void => {
    if (!chosen) return
    upload.mutate(chosen, {
      onSuccess: () => {
        setChosen(null)
        say({ tone: 'ok', text: text.uploaded })
        // The button that was pressed is disabled now.
        picker.current?.focus()
      },
      onError: (error) => say({ tone: 'bad', text: settingMessage(error, text.uploadFailed) }),
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
        {address !== null && <Delete part={part} remove={remove} onSaid={say} />}
      </div>
      <SavedNote note={note} />
    </fieldset>
  )
}

interface DeleteProps {
  part: BrandPart
  remove: ReturnType<typeof useDeleteBrand>
  onSaid: ReturnType<typeof usePassingNote>[1]
}

function Delete({ part, remove, onSaid: say }: DeleteProps) {
  const text = useText({ branding })[part]
  const [asking, setAsking] = useState(false)
  const gone = (): void => say({ tone: 'ok', text: text.gone }, goneMs)
  const confirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: ({ partial_success }) => (partial_success ? gone() : say({ tone: 'ok', text: text.deleted })),
      onError: (error) =>
        isGoneFromStorage(error) ? gone() : say({ tone: 'bad', text: settingMessage(error, text.deleteFailed) }),
      onSettled: () => setAsking(false),
    })
  return (
    <>
      <Button className="look__delete" tone="ghost" icon aria-label={text.delete} onClick={() => setAsking(true)}>
        <Trash2 className="i" />
      </Button>
      <Confirm
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
