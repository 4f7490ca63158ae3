import { Camera, ImagePlus, TriangleAlert, Upload, X } from 'lucide-react'
import {
  type ChangeEvent,
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useDropzone } from 'react-dropzone'
import { useNavigate } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventMenu } from '../../messages/en/events.ts'
import { upload } from '../../messages/en/photos.ts'
import { Button } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../lib/viewport.ts'
import { usePlanStatus, type UserPlan } from '../plans/plan-status.ts'
import { acceptedFileTypes } from '../../lib/images.ts'
import { EventField } from '../events/EventField.tsx'
import { hasEvents, isOpen, useChosenEvent, useEvent } from '../events/events.ts'
import { useHold } from '../screen/hold.ts'
import { useLatest } from '../screen/latest-photo.ts'
import { UsageOnUpload } from '../plans/Usage.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { paths } from '../../lib/paths.ts'
import { useCurrentUser, useSampleCodeUrl } from '../../lib/app-services.tsx'
import photo from '../../pictures/topper-720.webp'
import { Loading } from '../../ui/QueryView.tsx'
import { Note } from '../../ui/Note.tsx'
import { Print } from '../../ui/Print.tsx'
import type { UnsentFiles } from './upload-store.ts'
import type { PickedFile, Uploads } from './uploads.ts'
import { SingleUpload, UploadQueue } from './UploadQueue.tsx'
import { maxUploads, quotaOf, type UploadItem, useUploadedPhotos } from './upload-queue.ts'
import { useUploads, useUploadsState } from './uploads-context.ts'
import './upload.css'

/** Uploads a single photo, or many at once. */
export function UploadPage() {
  const text = useText({ upload })
  const uploads = useUploads()
  usePageTitle(text.title)
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p>{text.lead}</p>
        </div>
      </header>
      {uploads ? <UploadArea uploads={uploads} /> : <Loading />}
    </div>
  )
}

/** Says which files an earlier page did not send. */
function UnsentNote({ files: { names, total }, onDismiss }: { files: UnsentFiles; onDismiss: () => void }) {
  const text = useText({ upload }).unsent
  return (
    <div className="note note--warn upload__unsent">
      <TriangleAlert className="icon" />
      <div className="upload__unsent-text">
        <output>{text.message(names.length, total)}</output>
        <details>
          <summary>{text.names}</summary>
          <ul translate="no">
            {names.map((name, index) => (
              <li className="file-name" key={index}>
                {name}
              </li>
            ))}
          </ul>
        </details>
      </div>
      <Button tone="ghost" icon aria-label={text.dismiss} onClick={onDismiss}>
        <X className="icon" />
      </Button>
    </div>
  )
}

interface Props {
  /** Undefined while the plan is not known. */
  plan: UserPlan | undefined
  onFiles: (files: readonly PickedFile[]) => void
  /** Something other than files was dropped, or the picker was closed without a selection. */
  onNothing: () => void
  /** Where the photos go. */
  above: ReactNode
  /** The message about the last selection. */
  children?: ReactNode
}

/** What a Mac writes beside each file on other file systems: it has the name of a photo, but no picture. */
const appleDouble = /^\._/

/** Devices that probably have no camera for photos. */
const desktopScreen = '(pointer: fine) and (min-width: 60rem)'

/** Accepts photos that are dropped, picked, pasted or taken with the camera. */
function UploadDropzone({ plan, onFiles, onNothing, above, children }: Props) {
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
      {above}
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

/** Why the last selection was not added, or was added only in part. */
type SelectionProblem = 'no-file' | 'not-image' | 'queue-full'

function UploadArea({ uploads }: { uploads: Uploads }) {
  const { data: planStatus } = usePlanStatus()
  const uploadsState = useUploadsState(uploads)
  const uploaded = useUploadedPhotos(photoIdsOf(uploadsState.items))
  const singleUpload = uploadsState.items.find(({ id }) => id === uploadsState.singleUploadId)
  const singlePhoto = singleUpload?.state.status === 'uploaded' ? uploaded.get(singleUpload.state.photoId) : undefined
  const [selectionProblem, setSelectionProblem] = useState<SelectionProblem | null>(null)
  useShowLatestWhenReady(uploads, singlePhoto?.state === 'ready')

  const { user } = useCurrentUser()
  const [event, setEvent] = useState<string | null>(null)
  const target = hasEvents(user) ? (event ?? user?.current_event_id ?? 'none') : undefined

  const addFiles = useCallback(
    (files: readonly PickedFile[]) => {
      const [first] = files
      const isSingle = files.length === 1 && uploads.state().items.length === 0
      if (isSingle && first && !first.isImage) return setSelectionProblem('not-image')
      setSelectionProblem(uploads.add(files, target) > 0 ? 'queue-full' : null)
    },
    [uploads, target],
  )
  const onNothing = useCallback(() => setSelectionProblem('no-file'), [])

  const isEmpty = uploadsState.items.length === 0
  const waitingFor = uploadsState.items.map(quotaOf).find((quota) => quota !== null) ?? null
  const usageNote = <UsageOnUpload waitingFor={waitingFor} />
  if (singleUpload) {
    return (
      <>
        {usageNote}
        <SingleUpload item={singleUpload} uploaded={singlePhoto} uploads={uploads} />
      </>
    )
  }
  const { unsent } = uploadsState
  return (
    <>
      {usageNote}
      {unsent && <UnsentNote files={unsent} onDismiss={uploads.dismissUnsent} />}
      <div className="upload">
        <UploadDropzone
          plan={planStatus?.plan}
          onFiles={addFiles}
          onNothing={onNothing}
          above={target !== undefined && <UploadEvent target={target} onChange={setEvent} />}
        >
          {(isEmpty || selectionProblem !== 'no-file') && <SelectionNote problem={selectionProblem} />}
        </UploadDropzone>
        {isEmpty ? <SamplePrint /> : <Queue state={uploadsState} uploaded={uploaded} uploads={uploads} />}
      </div>
    </>
  )
}

/** Where the photos go that are chosen next: the current event, unless the user says otherwise for this page. */
function UploadEvent({ target, onChange }: { target: string; onChange: (event: string) => void }) {
  const text = useText({ eventMenu })
  const shown = useEvent(useChosenEvent())
  return (
    <div className="upload__event">
      <EventField
        label={text.upload}
        value={target === 'none' ? null : target}
        none={text.none}
        onChange={(id) => onChange(id ?? 'none')}
        below={
          shown &&
          isOpen(shown) &&
          shown.id !== target && (
            <>
              <p className="small">{text.uploadDiffers(shown.name)}</p>
              <Button onClick={() => onChange(shown.id)}>{text.uploadInstead(shown.name)}</Button>
            </>
          )
        }
      />
    </div>
  )
}

/** The queue, which knows the photo that the big screen shows: the held one, or the newest. */
function Queue(props: Omit<ComponentProps<typeof UploadQueue>, 'onScreenId'>) {
  const { photo: newest, recent } = useLatest(false)
  const { photo: held } = useHold(false, recent)
  return <UploadQueue {...props} onScreenId={(held ?? newest)?.id ?? null} />
}

function SelectionNote({ problem }: { problem: SelectionProblem | null }) {
  const text = useText({ upload })
  if (problem === null) return null
  const refusal = problem === 'not-image' ? text.errors.notImage : text.queue.full(maxUploads)
  return (
    <ScrolledIntoView key={problem}>
      {problem === 'no-file' ? <Note tone="plain">{text.errors.none}</Note> : <Note tone="bad">{refusal}</Note>}
    </ScrolledIntoView>
  )
}

/** On phones, the place below the drop area is below the screen. */
function ScrolledIntoView({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className="upload__note" ref={box}>
      {children}
    </div>
  )
}

/** An example of a photo with its code; shown until there is a queue. */
function SamplePrint() {
  const text = useText({ upload }).sample
  const codeUrl = useSampleCodeUrl()('topper')
  return (
    <div className="upload__sample" aria-hidden="true">
      <Print
        photo={<img src={photo} width="720" height="480" alt="" />}
        line={text.line}
        meta={text.meta}
        code={{ src: codeUrl, alt: '' }}
      />
    </div>
  )
}

const photoIdsOf = (items: readonly UploadItem[]): string[] =>
  items.flatMap(({ state }) => (state.status === 'uploaded' ? [state.photoId] : []))

/** Shows the latest photo once the single upload is processed. */
function useShowLatestWhenReady(uploads: Uploads, isReady: boolean): void {
  const navigate = useNavigate()
  // Removes the single upload of an earlier visit. A layout effect, so that it is never painted.
  useLayoutEffect(() => {
    const { items, singleUploadId } = uploads.state()
    const item = items.find(({ id }) => id === singleUploadId)
    if (item?.state.status === 'uploaded') uploads.removeFromList([item.id])
  }, [uploads])
  useEffect(() => {
    // `isReady` may still be about the upload that was removed above.
    if (isReady && uploads.state().singleUploadId !== null) void navigate(paths.latest)
  }, [isReady, navigate, uploads])
}
