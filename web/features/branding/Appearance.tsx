import { ImageOff, ImagePlus, Trash2, Upload, X } from 'lucide-react'
import { type ReactNode, type RefObject, useCallback, useId, useRef, useState } from 'react'
import type { User } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { SaveStatus, type ShowMessage, useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { logoGround, photoExtensions, photoMimeTypes } from '../../lib/images.ts'
import { branding } from '../../messages/en/branding.ts'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import type { UserPlan } from '../plans/plan-status.ts'
import { usage } from '../../messages/en/plans.ts'
import bouquet from '../../pictures/bouquet-640.webp'
import { Upsell } from '../../ui/Upsell.tsx'
import {
  type BrandImage,
  brandImageUrl,
  isMissingFromStorage,
  useDeleteBrandImage,
  useUploadBrandImage,
} from './queries.ts'

/** Logo and background; for plans that do not include them, an upgrade prompt. */
export function Appearance({ user, plan }: { user: User; plan: UserPlan }) {
  const text = useText({ branding }).upsell
  const { yourPlan } = useText({ usage })
  if (plan.features.custom_branding) {
    return (
      <div className="brand-images">
        <BrandImageSetting kind="logo" user={user} />
        <BrandImageSetting kind="background" user={user} />
      </div>
    )
  }
  const art = (
    <div className="upsell__art" aria-hidden="true">
      <img src={bouquet} alt="" loading="lazy" width="640" height="800" />
      <span className="sample-logo">
        <b>{text.sample}</b>
        <span>{text.sampleRest}</span>
      </span>
    </div>
  )
  return <Upsell art={art} heading={text.heading} lead={text.lead} note={yourPlan(plan.name)} action={text.action} />
}

interface Props {
  /** A URL or the image itself; null if there is none. */
  source: string | Blob | null
  alt: string
  /** Shown if there is no image. */
  none: ReactNode
  /** Shown if the image cannot be loaded. */
  broken: string
}

/** An image, or a text if it is missing or cannot be loaded. */
export function Picture({ source, alt, none, broken }: Props) {
  const [failedSource, setFailedSource] = useState<Props['source']>(null)
  const setSource = useCallback(
    (image: HTMLImageElement) => {
      const url = source instanceof Blob ? URL.createObjectURL(source) : null
      if (url !== null) image.src = url
      // Always a function: without one, React would call this callback with null.
      return () => {
        if (url !== null) URL.revokeObjectURL(url)
      }
    },
    [source],
  )
  if (source === null) return <span className="picture__none small">{none}</span>
  if (failedSource === source) {
    return (
      <span className="picture__none small">
        <ImageOff className="icon" />
        <span>{broken}</span>
      </span>
    )
  }
  return (
    <img
      ref={setSource}
      {...(typeof source === 'string' && { src: source })}
      alt={alt}
      onError={() => setFailedSource(source)}
    />
  )
}

/** How long the message about a missing file is shown. */
const fileGoneMessageMs = 4_000

const acceptedTypes = {
  logo: 'image/png,image/jpeg,image/svg+xml',
  background: [...photoMimeTypes, ...photoExtensions].join(','),
}

/** The logo or the background: shows it, previews a chosen file until that is uploaded or cancelled, and deletes it. */
function BrandImageSetting({ kind, user }: { kind: BrandImage; user: User }) {
  const allText = useText({ branding })
  const text = allText[kind]
  const { cancel: cancelLabel } = useText({ states })
  const media = useMediaUrl()
  const hintId = useId()
  const fileInput = useRef<HTMLInputElement>(null)
  const [chosenFile, setChosenFile] = useState<File | null>(null)
  const uploadImage = useUploadBrandImage(kind)
  // Not in DeleteButton, which may be unmounted before the response arrives.
  const deleteImage = useDeleteBrandImage(kind)
  const url = brandImageUrl(user, kind)
  const [message, showMessage] = useTemporaryMessage()

  const uploadFile = (file: File, button: HTMLElement): void =>
    uploadImage.mutate(file, {
      onSuccess: () => {
        // The button is disabled from now on, and would lose the focus.
        if (document.activeElement === button) fileInput.current?.focus({ preventScroll: true })
        setChosenFile(null)
        showMessage({ tone: 'ok', text: text.uploaded })
      },
      onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, text.uploadFailed) }),
    })
  const cancel = (): void => {
    fileInput.current?.focus({ preventScroll: true })
    setChosenFile(null)
  }
  return (
    <fieldset className="brand-image" tabIndex={-1}>
      <legend className="label">{text.label}</legend>
      <div
        className={`picture brand-image__${kind}`}
        {...(kind === 'logo' && !chosenFile && url !== null && logoGround(user.logo_grounds))}
      >
        <Picture
          source={chosenFile ?? (url && media(url))}
          alt={text.alt}
          none={text.none}
          broken={chosenFile ? allText.noPreview : allText.broken}
        />
      </div>
      <p className="tiny muted" id={hintId}>
        {chosenFile ? (
          <>
            <span>{text.chosen}</span> <span translate="no">{chosenFile.name}</span>
          </>
        ) : (
          text.hint
        )}
      </p>
      <div className="brand-image__actions">
        <FileChooser
          kind={kind}
          input={fileInput}
          describedBy={hintId}
          onFile={uploadImage.isPending ? null : setChosenFile}
        />
        <Button
          aria-label={url === null ? text.upload : text.replace}
          disabled={chosenFile === null}
          busy={uploadImage.isPending}
          onClick={({ currentTarget }) => chosenFile && uploadFile(chosenFile, currentTarget)}
        >
          {!uploadImage.isPending && <Upload className="icon" />}
          {url === null ? allText.upload : allText.replace}
        </Button>
        {chosenFile && (
          <Button tone="ghost" disabled={uploadImage.isPending} onClick={cancel}>
            <X className="icon" />
            {cancelLabel}
          </Button>
        )}
        {!chosenFile && url !== null && (
          <DeleteButton kind={kind} deleteImage={deleteImage} showMessage={showMessage} />
        )}
      </div>
      <SaveStatus message={message} />
    </fieldset>
  )
}

interface FileChooserProps {
  kind: BrandImage
  input: RefObject<HTMLInputElement | null>
  describedBy: string
  /** Null while no file can be chosen. */
  onFile: ((file: File) => void) | null
}

function FileChooser({ kind, input, describedBy, onFile }: FileChooserProps) {
  const allText = useText({ branding })
  return (
    <label className="btn btn--quiet picture__choose">
      <ImagePlus className="icon" />
      {allText.choose}
      <input
        ref={input}
        type="file"
        aria-label={allText[kind].choose}
        aria-describedby={describedBy}
        accept={acceptedTypes[kind]}
        // Not disabled, so that it keeps the focus.
        onClick={(event) => !onFile && event.preventDefault()}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onFile?.(file)
          // Otherwise choosing the same file again would cause no `change` event.
          target.value = ''
        }}
      />
    </label>
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
        {allText.delete}
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
