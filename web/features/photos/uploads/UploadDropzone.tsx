import { Camera, ImagePlus, Upload } from 'lucide-react'
import { type ChangeEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaQuery } from '../../../lib/media-query.ts'
import type { UserPlan } from '../../../lib/plan-status.ts'
import { upload } from '../../../messages/en/upload.ts'
import { Button } from '../../../ui/Button.tsx'
import { acceptedFileTypes } from './accepted-file-types.ts'
import type { PickedFile } from './uploads.ts'

interface Props {
  /** Undefined while the plan is not known. */
  plan: UserPlan | undefined
  onFiles: (files: readonly PickedFile[]) => void
  /** Something other than files was dropped, or the picker was closed without a selection. */
  onNothing: () => void
  /** The message about the last selection. */
  children?: ReactNode
}

/** What a Mac writes beside each file on other file systems: it has the name of a photo, but no picture. */
const appleDouble = /^\._/

/** Devices that probably have no camera for photos. */
const desktopScreen = '(pointer: fine) and (min-width: 60rem)'

/** Accepts photos that are dropped, picked, pasted or taken with the camera. */
export function UploadDropzone({ plan, onFiles, onNothing, children }: Props) {
  const text = useText({ upload }).drop
  const format = useFormat()
  const addFiles = (accepted: readonly File[], rejected: readonly File[]): void => {
    onFilesArrived()
    const files = [
      ...accepted.map((file) => ({ file, isImage: true })),
      ...rejected.map((file) => ({ file, isImage: false })),
    ].filter(({ file }) => !appleDouble.test(file.name))
    if (files.length > 0) onFiles(files)
    else onNothing()
  }
  const dropzone = useDropzone({
    accept: acceptedFileTypes,
    multiple: true,
    noKeyboard: true,
    noPaste: true,
    onDrop: (accepted, rejections) =>
      addFiles(
        accepted,
        rejections.map(({ file }) => file),
      ),
    onFileDialogOpen: () => onPickerOpened(),
  })
  const { isPreparing, onPickerOpened, onFilesArrived } = usePreparingFiles(dropzone.inputRef, onNothing)
  usePaste(useCallback((files) => onFiles(files.map((file) => ({ file, isImage: true }))), [onFiles]))
  const isDraggedOver = dropzone.isDragActive
  const isDesktop = useMediaQuery(desktopScreen)
  return (
    <section className="upload__dropzone" aria-label={text.label}>
      <div
        {...dropzone.getRootProps({ className: 'dropzone', tabIndex: -1, ...(isDraggedOver && { 'data-over': '' }) })}
      >
        <input {...dropzone.getInputProps({ 'aria-label': text.choose })} />
        <span className="dropzone__icon" aria-hidden="true">
          <Upload className="icon" />
        </span>
        <h2>{isDraggedOver ? text.over : text.heading}</h2>
        <p className="muted">{text.hint}</p>
        <div className="row upload__buttons">
          <Button tone="primary" large busy={isPreparing}>
            {!isPreparing && <ImagePlus className="icon" />}
            {text.choose}
          </Button>
          {!isDesktop && <CameraButton onFiles={(files) => addFiles(files, [])} />}
        </div>
        <output className="upload__preparing small">{isPreparing && text.preparing}</output>
        <p className="small muted">
          {text.formats}
          <br />
          <span className="tiny upload__limit">
            {plan && text.limit(plan.name, format.size(plan.features.max_file_size_mb * 1024 ** 2))}
          </span>
          <br />
          <span className="tiny">{text.hdr}</span>
        </p>
      </div>
      {children}
    </section>
  )
}

/** Opens the camera. */
function CameraButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const text = useText({ upload }).drop
  const cameraInput = useRef<HTMLInputElement>(null)
  const onPhotoTaken = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles(Array.from(target.files ?? []))
    // Otherwise choosing the same file again would cause no `change` event.
    target.value = ''
  }
  return (
    <>
      <input ref={cameraInput} type="file" accept="image/*" capture="environment" hidden onChange={onPhotoTaken} />
      <Button
        large
        onClick={(event) => {
          // The click must not reach the drop area, which opens the file picker.
          event.stopPropagation()
          cameraInput.current?.click()
        }}
      >
        <Camera className="icon" />
        {text.camera}
      </Button>
    </>
  )
}

/** Calls back with images that are pasted anywhere on the page. */
function usePaste(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const files = Array.from(event.clipboardData?.files ?? []).filter(({ type }) => type.startsWith('image/'))
      if (files.length === 0) return
      event.preventDefault()
      onFiles(files)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [onFiles])
}

/** Browsers deliver picked files at once or, on phones that convert them first, after a while. */
const preparingAfterMs = 400
const maxPreparingMs = 90_000

/**
 * Whether the device is preparing the picked files: the picker is closed, and neither files nor a cancellation have
 * arrived. `onCancel` is called after a cancellation.
 */
function usePreparingFiles(input: RefObject<HTMLInputElement | null>, onCancel: () => void) {
  const [pickerState, setPickerState] = useState<'idle' | 'picking' | 'preparing'>('idle')

  useEffect(() => {
    if (pickerState === 'idle') return
    let filePickerTimer: ReturnType<typeof setTimeout> | undefined
    const onFocus = (): void => {
      if (pickerState !== 'picking') return
      clearTimeout(filePickerTimer)
      filePickerTimer = setTimeout(() => setPickerState('preparing'), preparingAfterMs)
    }
    if (pickerState === 'preparing') filePickerTimer = setTimeout(() => setPickerState('idle'), maxPreparingMs)
    window.addEventListener('focus', onFocus)
    return () => {
      clearTimeout(filePickerTimer)
      window.removeEventListener('focus', onFocus)
    }
  }, [pickerState])

  useEffect(() => {
    const fileInput = input.current
    const cancelled = (): void => {
      setPickerState('idle')
      onCancel()
    }
    fileInput?.addEventListener('cancel', cancelled)
    return () => fileInput?.removeEventListener('cancel', cancelled)
  }, [input, onCancel])

  return {
    isPreparing: pickerState === 'preparing',
    onPickerOpened: () => setPickerState('picking'),
    onFilesArrived: () => setPickerState('idle'),
  }
}
