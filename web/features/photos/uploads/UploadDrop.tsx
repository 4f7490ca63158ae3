import { Camera, ImagePlus, Upload } from 'lucide-react'
import { useCallback, useEffect, useRef, type ChangeEvent, type ReactNode } from 'react'
import { useDropzone } from 'react-dropzone'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { upload } from '../../../messages/en/upload.ts'
import { Button } from '../../../ui/Button.tsx'
import { acceptedImages } from './accept.ts'
import { mostBytesOf, type Tier } from './queue.ts'
import { usePreparing } from './usePreparing.ts'

export interface PickedFile {
  file: File
  isImage: boolean
}

interface Props {
  tier: Tier
  onFiles: (files: readonly PickedFile[]) => void
  /** Something was dropped that holds no file, or the picker was closed without a choice. */
  onNothing: () => void
  /** What there is to say about the last choice. */
  children?: ReactNode
}

/** Takes photos: dropped, picked, pasted, or from the camera. */
export function UploadDrop({ tier, onFiles, onNothing, children }: Props) {
  const text = useText({ upload }).drop
  const format = useFormat()
  const take = (accepted: readonly File[], refused: readonly File[]): void => {
    arrived()
    const files = [
      ...accepted.map((file) => ({ file, isImage: true })),
      ...refused.map((file) => ({ file, isImage: false })),
    ]
    if (files.length > 0) onFiles(files)
    else onNothing()
  }
  const zone = useDropzone({
    accept: acceptedImages,
    multiple: true,
    noKeyboard: true,
    noPaste: true,
    onDrop: (accepted, refused) =>
      take(
        accepted,
        refused.map(({ file }) => file),
      ),
    onFileDialogOpen: () => opened(),
  })
  const { isPreparing, opened, arrived } = usePreparing(zone.inputRef, onNothing)
  usePaste(useCallback((files) => onFiles(files.map((file) => ({ file, isImage: true }))), [onFiles]))
  const isOver = zone.isDragActive
  return (
    <section className="up__drop" aria-label={text.label}>
      <div {...zone.getRootProps({ className: 'drop', tabIndex: -1, ...(isOver && { 'data-over': '' }) })}>
        <input {...zone.getInputProps({ 'aria-label': text.choose })} />
        <span className="drop__mark" aria-hidden="true">
          <Upload className="i" />
        </span>
        <h2>{isOver ? text.over : text.heading}</h2>
        <p className="muted">{text.hint}</p>
        <div className="row up__btns">
          <Button tone="primary" large busy={isPreparing}>
            {!isPreparing && <ImagePlus className="i" />}
            {text.choose}
          </Button>
          <CameraButton onFiles={(files) => take(files, [])} />
        </div>
        <output className="up__preparing small">{isPreparing && text.preparing}</output>
        <p className="small muted">
          {text.formats}
          <br />
          <span className="tiny">{text.limit(text.planNames[tier], format.size(mostBytesOf(tier)))}</span>
        </p>
      </div>
      {children}
    </section>
  )
}

/** Opens the camera; shown where there is one to be expected. */
function CameraButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const text = useText({ upload }).drop
  const input = useRef<HTMLInputElement>(null)
  const took = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles(Array.from(target.files ?? []))
    // The same photo may be taken off the list and chosen again.
    target.value = ''
  }
  return (
    <>
      <input ref={input} type="file" accept="image/*" capture="environment" hidden onChange={took} />
      <Button
        large
        className="up__cam"
        onClick={(event) => {
          // The area around it would open the other picker.
          event.stopPropagation()
          input.current?.click()
        }}
      >
        <Camera className="i" />
        {text.camera}
      </Button>
    </>
  )
}

/** Pictures that are pasted anywhere on the page. */
function usePaste(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    const pasted = (event: ClipboardEvent): void => {
      const files = Array.from(event.clipboardData?.files ?? []).filter(({ type }) => type.startsWith('image/'))
      if (files.length === 0) return
      event.preventDefault()
      onFiles(files)
    }
    document.addEventListener('paste', pasted)
    return () => document.removeEventListener('paste', pasted)
  }, [onFiles])
}
