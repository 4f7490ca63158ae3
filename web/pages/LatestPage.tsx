import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useLive, useLiveStatus } from '../features/live/live-context.ts'
import type { LiveStatus } from '../features/live/machine.ts'
import { Stage } from '../features/photos/stage/Stage.tsx'
import { StageDebug, type DebugChannel } from '../features/photos/stage/StageDebug.tsx'
import { useLatest, type Latest } from '../features/photos/stage/useLatest.ts'
import { useNews } from '../features/photos/stage/useNews.ts'
import { useVigil } from '../features/photos/stage/useVigil.ts'
import { isUnderway } from '../features/photos/uploads/queue.ts'
import { useUploads } from '../features/photos/uploads/uploads-context.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { useMediaUrl } from '../lib/parts.tsx'
import { paths } from '../lib/paths.ts'
import { latest as words } from '../messages/en/latest.ts'
import { live as liveWords } from '../messages/en/live.ts'
import { states } from '../messages/en/states.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { useToast } from '../ui/Toasts.tsx'
import './latest.css'

/** The big screen: the newest photo with its code. */
export function LatestPage() {
  const text = useText({ latest: words })
  const { user } = useCurrentUser()
  const status = useLiveStatus()
  const latest = useLatest(status === 'connected' ? false : limits.latestPollMs)
  const refresh = useRefresh(latest)
  useAnnouncements(latest)
  useReachable(latest, status)
  useWatch(latest, status)
  usePageTitle(text.title)
  const { photo } = latest
  return (
    <>
      <PageHeading className="sr">{text.heading}</PageHeading>
      {photo && user ? (
        <Stage photo={photo} recent={latest.recent} user={user} refreshing={refresh.busy} onRefresh={refresh.now}>
          <ConnectionDot status={status} failed={latest.failed} />
          {user.is_admin && <Debug photo={photo} heardAt={latest.heardAt} status={status} />}
        </Stage>
      ) : (
        <Bare latest={latest} onRetry={refresh.now} />
      )}
    </>
  )
}

/** The stage without a photo: loading, failed, or none yet. */
function Bare({ latest: { photo, allHidden, failed }, onRetry }: { latest: Latest; onRetry: () => void }) {
  const text = useText({ latest: words })
  const { tryAgain, loading } = useText({ states })
  if (photo === null && allHidden) {
    return (
      <div className="stage stage--bare">
        <div className="stage__empty">
          <p>{text.hidden.line}</p>
          <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.gallery}>
            {text.hidden.action}
          </Link>
        </div>
      </div>
    )
  }
  if (photo === null) {
    return (
      <div className="stage stage--bare">
        <div className="stage__empty">
          <div className="blank" aria-hidden="true">
            <LogoMark />
          </div>
          <p>{text.empty.line}</p>
          <output className="sr">{text.errors.none}</output>
          <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.upload}>
            {text.empty.action}
          </Link>
        </div>
      </div>
    )
  }
  if (failed) {
    return (
      <div className="stage stage--bare">
        <div className="stage__empty" role="alert">
          <TriangleAlert className="i" />
          <p>{text.errors.load}</p>
          <Button large onClick={onRetry}>
            {tryAgain}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="stage stage--bare stage--loading">
      <span className="sk" aria-hidden="true" />
      <output className="sr">{loading}</output>
    </div>
  )
}

/** A lost connection is a small dot with a word, a moment after it is lost. It never covers the photo. */
function ConnectionDot({ status, failed }: { status: LiveStatus; failed: boolean }) {
  const text = useText({ latest: words }).connection
  if (status === 'connected' && !failed) return null
  const isTrying = status === 'reconnecting' || status === 'connecting' || status === 'error'
  const trying = status === 'connecting' ? text.connecting : text.reconnecting
  const word = isTrying || status === 'connected' ? trying : failed ? text.gone : text.polling
  return (
    <output className="stage__dot">
      <span className="dot dot--warn" aria-hidden="true" />
      {word}
    </output>
  )
}

function Debug({ photo, heardAt, status }: { photo: Photo; heardAt: number; status: LiveStatus }) {
  const live = useLive()
  const text = useText({ live: liveWords }).statuses
  const channel = useMemo<DebugChannel>(
    () => ({
      state: text[status],
      sendTest: () => live?.sendTest() ?? false,
      onTest: (heard) => live?.onMessage(({ action }) => action === 'test' && heard()) ?? (() => {}),
    }),
    [live, status, text],
  )
  return <StageDebug channel={channel} fetchedAt={heardAt || null} photo={photo} />
}

/** The button's own refresh, which says how it went. */
function useRefresh({ refresh }: Latest): { now: () => void; busy: boolean } {
  const text = useText({ latest: words })
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const now = async (): Promise<void> => {
    setBusy(true)
    const answered = await refresh()
    setBusy(false)
    toast(answered ? { text: text.toasts.refreshed } : { text: text.errors.toast, tone: 'bad' })
  }
  return { now: () => void now(), busy }
}

/** Says what has changed, and once when the photo can no longer be fetched. */
function useAnnouncements({ photo, failed }: Latest): void {
  const text = useText({ latest: words })
  const toast = useToast()
  const media = useMediaUrl()
  useNews(
    photo,
    useCallback(
      (news, { thumbnail_url }) => {
        const picture = thumbnail_url && media(thumbnail_url)
        toast({ text: text.toasts[news], ...(picture && { picture }) })
      },
      [text, toast, media],
    ),
  )
  useEffect(() => {
    if (failed) toast({ text: text.errors.toast, tone: 'bad' })
  }, [failed, text, toast])
}

/** A poll that came through tells a channel that has given up that the server is there. */
function useReachable({ heardAt }: Latest, status: LiveStatus): void {
  const live = useLive()
  const told = useRef(0)
  useEffect(() => {
    if (heardAt > told.current && status === 'failed') live?.pollSucceeded()
    told.current = heardAt
  }, [live, heardAt, status])
}

function useWatch({ heardAt }: Latest, status: LiveStatus): void {
  const uploads = useUploads()
  useVigil({
    soundAt: () => (status === 'connected' ? Date.now() : heardAt),
    isBroken: () => document.querySelector<HTMLImageElement>('.stage__print > img')?.naturalWidth === 0,
    mayReload: () => !uploads || !isUnderway(uploads.state().items),
  })
}
