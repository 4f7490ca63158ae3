import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { OneUpload } from '../features/photos/uploads/OneUpload.tsx'
import { mostItems, type UploadItem } from '../features/photos/uploads/queue.ts'
import { UploadDrop, type PickedFile } from '../features/photos/uploads/UploadDrop.tsx'
import { UploadQueue } from '../features/photos/uploads/UploadQueue.tsx'
import { useUploads, useUploadsState } from '../features/photos/uploads/uploads-context.ts'
import type { Uploads } from '../features/photos/uploads/uploads.ts'
import { useStored } from '../features/photos/uploads/useStored.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { paths } from '../lib/paths.ts'
import { upload as words } from '../messages/en/upload.ts'
import code from '../pictures/code-topper.svg'
import photo from '../pictures/topper-720.webp'
import { Loading } from '../ui/Loading.tsx'
import { Note } from '../ui/Note.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { Print } from '../ui/Print.tsx'
import './upload.css'

/** Photos go up from here, one as the spec says or many at once. */
export function UploadPage() {
  const text = useText({ upload: words })
  const uploads = useUploads()
  usePageTitle(text.title)
  return (
    <div className="wrap">
      <header className="head">
        <div>
          <PageHeading>{text.heading}</PageHeading>
          <p>{text.lead}</p>
        </div>
      </header>
      {uploads ? <Ready uploads={uploads} /> : <Loading />}
    </div>
  )
}

type Complaint = 'none' | 'not-image' | number

function Ready({ uploads }: { uploads: Uploads }) {
  const { user } = useCurrentUser()
  const state = useUploadsState(uploads)
  const stored = useStored(photosOf(state.items))
  const solo = state.items.find(({ id }) => id === state.solo)
  const soloStored = solo?.state.at === 'stored' ? stored.get(solo.state.photoId) : undefined
  const [complaint, complain] = useState<Complaint | null>(null)
  useSoloEnd(uploads, soloStored?.state === 'ready')

  const take = useCallback(
    (files: readonly PickedFile[]) => {
      const [only] = files
      const alone = files.length === 1 && uploads.state().items.length === 0
      if (alone && only && !only.isImage) return complain('not-image')
      const left = uploads.add(files)
      complain(left > 0 ? left : null)
    },
    [uploads],
  )
  const nothing = useCallback(() => complain('none'), [])

  if (solo) return <OneUpload item={solo} stored={soloStored} uploads={uploads} />
  const isEmpty = state.items.length === 0
  return (
    <div className="up">
      <UploadDrop tier={user?.subscription_tier ?? 'free'} onFiles={take} onNothing={nothing}>
        {(isEmpty || complaint !== 'none') && <Complaint complaint={complaint} />}
      </UploadDrop>
      {isEmpty ? <Sample /> : <UploadQueue state={state} stored={stored} uploads={uploads} />}
    </div>
  )
}

function Complaint({ complaint }: { complaint: Complaint | null }) {
  const text = useText({ upload: words })
  if (complaint === null) return null
  if (complaint === 'none') return <Note tone="plain">{text.errors.none}</Note>
  return <Note tone="bad">{complaint === 'not-image' ? text.errors.notImage : text.queue.full(mostItems)}</Note>
}

/** What a photo becomes; stands where the queue will be. */
function Sample() {
  const text = useText({ upload: words }).sample
  return (
    <div className="up__tip" aria-hidden="true">
      <Print
        photo={<img src={photo} width="720" height="480" alt="" />}
        line={text.line}
        meta={text.meta}
        code={{ src: code, alt: '' }}
      />
    </div>
  )
}

const photosOf = (items: readonly UploadItem[]): string[] =>
  items.flatMap(({ state }) => (state.at === 'stored' ? [state.photoId] : []))

/** The one photo is ready: on to the big screen. One from an earlier visit is no longer the subject. */
function useSoloEnd(uploads: Uploads, isReady: boolean): void {
  const navigate = useNavigate()
  // Before anything is painted.
  useLayoutEffect(() => {
    const { items, solo } = uploads.state()
    const item = items.find(({ id }) => id === solo)
    if (item?.state.at === 'stored') uploads.clear([item.id])
  }, [uploads])
  useEffect(() => {
    // The one from an earlier visit was cleared above, after this was drawn with it.
    if (isReady && uploads.state().solo !== null) void navigate(paths.latest)
  }, [isReady, navigate, uploads])
}
