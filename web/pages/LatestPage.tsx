import { limits } from '@keepsnap/contract/limits.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { RotateCw } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLive, useLiveStatus } from '../features/live/live-context.ts'
import type { LiveStatus } from '../features/live/state-machine.ts'
import { LatestView } from '../features/photos/latest/LatestView.tsx'
import { LatestDebug, type DebugChannel } from '../features/photos/latest/LatestDebug.tsx'
import { ToolbarButton } from '../features/photos/latest/LatestToolbar.tsx'
import { HoldIndicator, BigScreenControls } from '../features/photos/latest/BigScreenControls.tsx'
import { useFullScreen } from '../features/photos/latest/useFullScreen.ts'
import { useLatest, type Latest } from '../features/photos/latest/useLatest.ts'
import { useLatestChange } from '../features/photos/latest/useLatestChange.ts'
import { useSetPhotoHidden } from '../features/photos/useSetPhotoHidden.ts'
import { useBigScreenState } from '../features/photos/latest/useBigScreenState.ts'
import { useWatchdog } from '../features/photos/latest/useWatchdog.ts'
import { keepScreenOn } from '../features/photos/latest/wake-lock.ts'
import { hasUnsentFiles } from '../features/photos/uploads/queue.ts'
import { useUploads } from '../features/photos/uploads/uploads-context.ts'
import { PastDueIndicator } from '../features/plans/PastDueIndicator.tsx'
import { UsageBanner } from '../features/plans/UsageBanner.tsx'
import { ReportIndicator } from '../features/reports/ReportIndicator.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { useMediaUrl } from '../lib/app-services.tsx'
import { latest as messages } from '../messages/en/latest.ts'
import { live as liveMessages } from '../messages/en/live.ts'
import { PageHeading } from '../ui/PageHeading.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { LatestSettings } from './LatestSettings.tsx'
import { LatestWithoutPhoto } from './LatestWithoutPhoto.tsx'
import '../features/photos/latest/latest.css'

/** The page for the big screen: the newest photo with its QR code. */
export function LatestPage() {
  const text = useText({ latest: messages })
  const { user } = useCurrentUser()
  const liveStatus = useLiveStatus()
  const pollMs = liveStatus === 'connected' ? false : limits.latestPollMs
  const latest = useLatest(pollMs)
  const stage = useBigScreenState(latest, user, pollMs)
  const refresh = useRefresh(latest)
  // Here, so that both outlast the moments without a photo.
  const fullScreen = useFullScreen()
  useEffect(() => keepScreenOn(window), [])
  useAnnouncements(latest)
  useRetryLiveAfterPoll(latest, liveStatus)
  useReloadWhenStale(latest, liveStatus)
  usePageTitle(text.title)
  const onDecided = useSetPhotoHidden()
  const { photo } = stage
  const tools = user?.is_admin && <AdminDebug photo={photo ?? null} fetchedAt={latest.fetchedAt} status={liveStatus} />
  return (
    <>
      <PageHeading className="visually-hidden">{text.heading}</PageHeading>
      {photo && user ? (
        <LatestView
          photo={photo}
          recent={latest.recent}
          user={user}
          fullScreen={fullScreen}
          controls={<BigScreenControls state={stage} />}
          moreControls={
            <>
              <LatestSettings />
              <ToolbarButton icon={RotateCw} label={text.toolbar.refresh} onClick={refresh.now} busy={refresh.busy} />
            </>
          }
          tools={
            <>
              <ReportIndicator onDecided={onDecided} />
              <PastDueIndicator />
              <UsageBanner onScreen />
              <HoldIndicator hold={stage.hold} />
              {tools}
            </>
          }
        >
          <ConnectionNote status={liveStatus} failed={latest.failed} />
        </LatestView>
      ) : (
        <LatestWithoutPhoto
          latest={latest}
          user={user}
          fullScreen={fullScreen}
          onRetry={refresh.now}
          isRetrying={refresh.busy || latest.fetching}
          tools={
            <>
              <PastDueIndicator />
              <UsageBanner onScreen />
              {tools}
            </>
          }
        />
      )}
    </>
  )
}

/** A small note about a lost connection; the styles show it after two seconds. It never covers the photo. */
function ConnectionNote({ status, failed }: { status: LiveStatus; failed: boolean }) {
  const text = useText({ latest: messages }).connection
  if (status === 'connected' && !failed) return null
  const isConnecting = status === 'reconnecting' || status === 'connecting' || status === 'error'
  const connecting = status === 'connecting' ? text.connecting : text.reconnecting
  const sentence = isConnecting || status === 'connected' ? connecting : failed ? text.gone : text.polling
  return (
    <output className="latest__connection">
      <span className="dot dot--warn" aria-hidden="true" />
      <span>{sentence}</span>
    </output>
  )
}

function AdminDebug({ photo, fetchedAt, status }: { photo: Photo | null; fetchedAt: number; status: LiveStatus }) {
  const live = useLive()
  const text = useText({ live: liveMessages }).statuses
  const channel = useMemo<DebugChannel>(
    () => ({
      state: text[status],
      sendTest: () => live?.sendTest() ?? false,
      onTest: (listener) => live?.onMessage(({ action }) => action === 'test' && listener()) ?? (() => {}),
    }),
    [live, status, text],
  )
  return <LatestDebug channel={channel} fetchedAt={fetchedAt || null} photo={photo} />
}

/** The refresh of the button, which shows its result as a toast. */
function useRefresh({ refresh }: Latest): { now: () => void; busy: boolean } {
  const text = useText({ latest: messages })
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const now = async (): Promise<void> => {
    setBusy(true)
    const succeeded = await refresh()
    setBusy(false)
    toast(succeeded ? { text: text.toasts.refreshed } : { text: text.errors.toast, tone: 'bad' })
  }
  return { now: () => void now(), busy }
}

/** Shows a toast after each change, and when the photo can no longer be fetched. */
function useAnnouncements({ newest, failed }: Latest): void {
  const text = useText({ latest: messages })
  const toast = useToast()
  const media = useMediaUrl()
  useLatestChange(
    newest,
    useCallback(
      (change, { thumbnail_url }) => {
        const picture = thumbnail_url && media(thumbnail_url)
        toast({ text: text.toasts[change], ...(picture && { picture }) })
      },
      [text, toast, media],
    ),
  )
  useEffect(() => {
    if (failed) toast({ text: text.errors.toast, tone: 'bad' })
  }, [failed, text, toast])
}

/** After a successful poll, a live connection that has failed tries again. */
function useRetryLiveAfterPoll({ fetchedAt }: Latest, status: LiveStatus): void {
  const live = useLive()
  const reportedAt = useRef(0)
  useEffect(() => {
    if (fetchedAt > reportedAt.current && status === 'failed') live?.pollSucceeded()
    reportedAt.current = fetchedAt
  }, [live, fetchedAt, status])
}

/** Lets the watchdog reload a page that shows old data or a broken image. */
function useReloadWhenStale({ fetchedAt }: Latest, status: LiveStatus): void {
  const uploads = useUploads()
  useWatchdog({
    upToDateAt: () => (status === 'connected' ? Date.now() : fetchedAt),
    isBroken: () => document.querySelector<HTMLImageElement>('.latest__image > img')?.naturalWidth === 0,
    mayReload: () => !uploads || !hasUnsentFiles(uploads.state().items),
  })
}
