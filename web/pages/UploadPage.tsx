import { type ComponentProps, useCallback, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useHold } from '../features/photos/latest/useHold.ts'
import { useLatest } from '../features/photos/latest/useLatest.ts'
import { SingleUpload } from '../features/photos/uploads/SingleUpload.tsx'
import { maxUploads, quotaOf, type UploadItem } from '../features/photos/uploads/queue.ts'
import { UnsentNote } from '../features/photos/uploads/UnsentNote.tsx'
import { UploadDropzone } from '../features/photos/uploads/UploadDropzone.tsx'
import { UploadQueue } from '../features/photos/uploads/UploadQueue.tsx'
import { useUploads, useUploadsState } from '../features/photos/uploads/uploads-context.ts'
import type { PickedFile, Uploads } from '../features/photos/uploads/uploads.ts'
import { useUploadedPhotos } from '../features/photos/uploads/useUploadedPhotos.ts'
import { UsageOnUpload } from '../features/plans/UsageOnUpload.tsx'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { paths } from '../lib/paths.ts'
import { usePlanStatus } from '../lib/plan-status.ts'
import { useSampleCodeUrl } from '../lib/sample-code-url.ts'
import { upload as messages } from '../messages/en/upload.ts'
import photo from '../pictures/topper-720.webp'
import { Loading } from '../ui/Loading.tsx'
import { Note } from '../ui/Note.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { Print } from '../ui/Print.tsx'
import '../features/photos/uploads/upload.css'

/** Uploads a single photo, or many at once. */
export function UploadPage() {
  const text = useText({ upload: messages })
  const uploads = useUploads()
  usePageTitle(text.title)
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.heading}</PageHeading>
          <p>{text.lead}</p>
        </div>
      </header>
      {uploads ? <UploadArea uploads={uploads} /> : <Loading />}
    </div>
  )
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

  const addFiles = useCallback(
    (files: readonly PickedFile[]) => {
      const [first] = files
      const isSingle = files.length === 1 && uploads.state().items.length === 0
      if (isSingle && first && !first.isImage) return setSelectionProblem('not-image')
      setSelectionProblem(uploads.add(files) > 0 ? 'queue-full' : null)
    },
    [uploads],
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
        <UploadDropzone plan={planStatus?.plan} onFiles={addFiles} onNothing={onNothing}>
          {(isEmpty || selectionProblem !== 'no-file') && <SelectionNote problem={selectionProblem} />}
        </UploadDropzone>
        {isEmpty ? <SamplePrint /> : <Queue state={uploadsState} uploaded={uploaded} uploads={uploads} />}
      </div>
    </>
  )
}

/** The queue, which knows the photo that the big screen shows: the held one, or the newest. */
function Queue(props: Omit<ComponentProps<typeof UploadQueue>, 'onScreenId'>) {
  const { photo: newest, recent } = useLatest(false)
  const { photo: held } = useHold(false, recent)
  return <UploadQueue {...props} onScreenId={(held ?? newest)?.id ?? null} />
}

function SelectionNote({ problem }: { problem: SelectionProblem | null }) {
  const text = useText({ upload: messages })
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
  const text = useText({ upload: messages }).sample
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
