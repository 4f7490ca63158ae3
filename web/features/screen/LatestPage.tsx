import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, EyeOff, GalleryHorizontalEnd, Mail, RotateCw, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { SlideshowDelayMinutes, User } from '@keepsnap/contract/accounts.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { latest as latestMessages } from '../../messages/en/screen.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EventCodeOnScreen } from '../events/EventCodeOnScreen.tsx'
import { photoStateOf } from '../photos/photo-state.ts'
import { useCurrentUser, useMediaUrl } from '../../lib/app-services.tsx'
import { paths, printOfPhoto } from '../../lib/paths.ts'
import { openStorage } from '../../lib/storage.ts'
import { gallery } from '../../messages/en/photos.ts'
import { cachedPhoto } from '../photos/photo-cache.ts'
import { useHidePhotos } from '../photos/photo-changes.ts'
import { useChangeEvent, useCurrentEventId, useEvent, useGateOf } from '../events/events.ts'
import { useEmailGate } from '../accounts/Switches.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useTemporaryMessage } from '../../ui/SaveStatus.tsx'
import { type Saved, useSaved } from '../../ui/useSaved.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { eventMenu } from '../../messages/en/events.ts'
import { settings } from '../../messages/en/settings.ts'
import { live as liveMessages, states } from '../../messages/en/frame.ts'
import { LogoMark } from '../../ui/Logo.tsx'
import { useLive, useLiveStatus } from '../live/live-context.ts'
import type { LiveStatus } from '../live/state-machine.ts'
import { hasUnsentFiles } from '../photos/upload-queue.ts'
import { useUploads } from '../photos/uploads-context.ts'
import { PastDueIndicator, UsageBanner } from '../plans/Usage.tsx'
import { ReviewIndicator } from '../events/ReviewLink.tsx'
import { ReportIndicator } from '../guests/ReportNotice.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { BigScreen, useControlsVisible } from './BigScreen.tsx'
import { type FullScreen, FullScreenButton, ToolbarButton, useFullScreen, useShortcuts } from './screen-controls.tsx'
import { useLatestViewModel } from './latest-view-model.ts'
import { type Latest, useLatest, useLatestToasts } from './latest-photo.ts'
import { BigScreenControls, HoldIndicator, useBigScreenState } from './big-screen-state.tsx'
import { useWatchdog } from './watchdog.ts'
import { keepScreenOn } from './wake-lock.ts'
import './latest.css'

/** The page for the big screen: the newest photo with its QR code. */
export function LatestPage() {
  const text = useText({ latest: latestMessages })
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
  const { photo } = stage
  const debug = user?.is_admin && <LatestDebug photo={photo ?? null} fetchedAt={latest.fetchedAt} status={liveStatus} />
  const page = { latest, fullScreen, refresh, debug }
  return (
    <>
      <PageHeading className="visually-hidden">{text.heading}</PageHeading>
      {photo && user ? (
        <LatestView {...page} photo={photo} user={user} stage={stage}>
          <ConnectionNote status={liveStatus} failed={latest.failed} />
        </LatestView>
      ) : (
        <LatestWithoutPhoto {...page} user={user} />
      )}
    </>
  )
}

interface PartProps {
  latest: Latest
  fullScreen: FullScreen
  refresh: ReturnType<typeof useRefresh>
  /** The tools for admins. */
  debug: ReactNode
}

interface LatestViewProps extends PartProps {
  photo: Photo
  stage: ReturnType<typeof useBigScreenState>
  user: User
  /** Shown over the photo: the state of the connection. */
  children: ReactNode
}

function LatestView({ photo, latest, stage, user, fullScreen, refresh, debug, children }: LatestViewProps) {
  const text = useText({ latest: latestMessages })
  const { ask_email_to_receive_photo: asks } = useGateOf()(photo)
  const settings = useMemo(() => ({ ...user, ask_email_to_receive_photo: asks }), [user, asks])
  const view = useLatestViewModel(photo, settings)
  const { shown } = view
  const [showsRecent, toggleRecent] = useShowsRecent()
  const isWithdrawn = useIsWithdrawn(shown?.model.photo, photo)
  return (
    <BigScreen
      view={view}
      failure={text.errors.load}
      isWithdrawn={isWithdrawn}
      recent={latest.recent}
      settings={settings}
      fullScreen={fullScreen}
      showsRecent={showsRecent}
      onToggleRecent={toggleRecent}
      logo={
        <>
          <BigScreenLogo user={user} />
          <EventCodeOnScreen />
        </>
      }
      controls={
        <>
          <BigScreenControls state={stage} />
          {shown && <HideLatest photo={shown.model.photo} isHidden={isWithdrawn} />}
        </>
      }
      moreControls={
        <>
          <LatestSettings />
          <ToolbarButton icon={RotateCw} label={text.toolbar.refresh} onClick={refresh.now} busy={refresh.busy} />
        </>
      }
      tools={
        <>
          <ReportIndicator />
          <ReviewIndicator />
          <PastDueIndicator />
          <UsageBanner onScreen />
          <HoldIndicator hold={stage.hold} />
          {debug}
        </>
      }
      codeActions={
        shown && (
          <Link className={buttonClass({})} to={printOfPhoto(shown.model.photo.id)}>
            {text.codeDialog.print}
          </Link>
        )
      }
    >
      {children}
    </BigScreen>
  )
}

interface LatestDebugProps {
  photo: Photo | null
  /** Milliseconds; 0 when nothing has been fetched. */
  fetchedAt: number
  status: LiveStatus
}

/** For admins: the data of the Latest page, and a test of the live connection. */
function LatestDebug({ photo, fetchedAt, status }: LatestDebugProps) {
  const text = useText({ latest: latestMessages }).debug
  const { statuses } = useText({ live: liveMessages })
  const format = useFormat()
  const [open, setOpen] = useState(false)
  return (
    <div className={open ? 'latest__admin latest__admin--open' : 'latest__admin'}>
      {open && (
        <section className="latest__debug" aria-label={text.panel}>
          <dl>
            <dt>{text.connection}</dt>
            <dd>{statuses[status]}</dd>
            <dt>{text.fetched}</dt>
            <dd className="tabular-numbers">
              {fetchedAt === 0 ? text.never : <span translate="no">{format.clock(fetchedAt)}</span>}
            </dd>
            <dt>{text.photo}</dt>
            <dd>{photo ? <PhotoDetails photo={photo} /> : text.noPhoto}</dd>
          </dl>
          <TestButton />
        </section>
      )}
      <Button tone="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? text.hide : text.show}
      </Button>
    </div>
  )
}

function PhotoDetails({ photo }: { photo: Photo }) {
  const text = useText({ latest: latestMessages }).debug
  const format = useFormat()
  const translate = useServerSentence()
  const states = { processing: text.processing, ready: text.complete, failed: text.failed }
  const details = [photo.id, photo.filename, format.dateTime(photo.created_at)]
  if (photo.width !== null && photo.height !== null) details.push(`${photo.width} × ${photo.height}`)
  if (photo.size_bytes !== null) details.push(format.size(photo.size_bytes))
  return (
    <ul>
      {details.map((detail) => (
        <li key={detail} translate="no">
          {detail}
        </li>
      ))}
      <li>{states[photoStateOf(photo)]}</li>
      {photo.error_message && <li translate="no">{translate(photo.error_message)}</li>}
    </ul>
  )
}

/** Sends a test message over the live connection, which comes back. */
function TestButton() {
  const live = useLive()
  const text = useText({ latest: latestMessages }).debug
  const format = useFormat()
  const [testOutcome, setTestOutcome] = useState<'sent' | 'closed' | number | null>(null)
  useEffect(() => live?.onMessage(({ action }) => action === 'test' && setTestOutcome(Date.now())), [live])
  const messages = { sent: text.testSent, closed: text.testFailed }
  return (
    <div className="latest__test">
      <Button onClick={() => setTestOutcome(live?.sendTest() ? 'sent' : 'closed')}>{text.test}</Button>
      <output>
        {typeof testOutcome === 'number'
          ? text.testAnswered(format.clock(testOutcome))
          : testOutcome && messages[testOutcome]}
      </output>
    </div>
  )
}

/** The owner's logo, if there is one. */
function BigScreenLogo({ user: { logo_url: url, logo_grounds: grounds } }: { user: User }) {
  const media = useMediaUrl()
  if (!url) return null
  return <img className="latest__logo" data-stage-ground={grounds?.stage} src={media(url) ?? undefined} alt="" />
}

/**
 * Whether the photo on the screen was hidden or deleted meanwhile: it disappears at once, not only when the next one is
 * decoded.
 */
function useIsWithdrawn(shown: Photo | undefined, next: Photo): boolean {
  const queryClient = useQueryClient()
  if (!shown) return false
  const newest = cachedPhoto(queryClient, shown.id) ?? (shown.id === next.id ? next : undefined)
  return newest === undefined || newest.hidden
}

// Browsers store this key: do not rename it.
const showsRecentKey = 'stage-prints'

function useShowsRecent(): [boolean, () => void] {
  const [storage] = useState(() => openStorage(() => window.localStorage))
  const [showsRecent, setShowsRecent] = useState(() => storage.get(showsRecentKey) !== 'off')
  const toggle = (): void => {
    storage.set(showsRecentKey, showsRecent ? 'off' : null)
    setShowsRecent(!showsRecent)
  }
  return [showsRecent, toggle]
}

/** Hides the photo on the big screen from guests; the next one takes its place. */
function HideLatest({ photo, isHidden }: { photo: Photo; isHidden: boolean }) {
  const text = useText({ gallery })
  const { setHidden, busy } = useHidePhotos()
  return (
    <ToolbarButton
      icon={EyeOff}
      label={text.select.hide}
      aria-label={text.visibility.hide}
      title={text.visibility.hide}
      shortcut="H"
      disabled={photo.processing_failed || isHidden}
      busy={busy}
      onClick={() => void setHidden([photo], true)}
    />
  )
}

/** The switch of the event that Latest shows; null: that of the account counts. */
function useGateOfCurrentEvent(): Pick<Saved<boolean>, 'value' | 'change' | 'message'> | null {
  const { askForEmail } = useText({ settings })
  const event = useEvent(useCurrentEventId())
  const { mutate } = useMutation({ mutationFn: useChangeEvent(event?.id ?? '') })
  const [message, showMessage] = useTemporaryMessage()
  const { ask_email_to_receive_photo: asks } = useGateOf()({ event_id: event?.id ?? null })
  if (!event) return null
  return {
    value: asks,
    message,
    change: (value) =>
      mutate(
        { ask_email: value },
        {
          onSuccess: () => showMessage({ tone: 'ok', text: askForEmail.saved }),
          onError: (error) => showMessage({ tone: 'bad', text: errorMessage(error, askForEmail.failed) }),
        },
      ),
  }
}

const choices: readonly SlideshowDelayMinutes[] = [0, 1, 3, 5]

/** The settings that are changed during an event: whether guests enter an address, and when the slideshow starts. */
function LatestSettings() {
  const text = useText({ latest: latestMessages })
  const { undo: undoLabel } = useText({ gallery }).visibility
  const toast = useToast()
  const gateOfAccount = useEmailGate()
  const gateOfEvent = useGateOfCurrentEvent()
  const gate = gateOfEvent ?? gateOfAccount
  const slideshow = useSaved('slow_show_minutes', { failed: text.slideshow.failed }, 0)
  const { message: slideshowMessage } = slideshow
  useEffect(() => {
    if (slideshowMessage) toast(slideshowMessage)
  }, [slideshowMessage, toast])
  const undo = useRef<(() => void) | null>(null)
  const { message } = gate
  useEffect(() => {
    if (!message) return
    const run = undo.current
    toast({ ...message, ...(run && message.tone === 'ok' && { action: { label: undoLabel, run } }) })
  }, [message, undoLabel, toast])
  /** With Undo: it changes codes that are printed already, too. */
  const changeGate = (): void => {
    undo.current = () => {
      undo.current = null
      gate.change(gate.value)
    }
    gate.change(!gate.value)
  }
  return (
    <>
      <ToolbarButton
        icon={Mail}
        label={text.toolbar.askForEmail(gate.value)}
        data-on={gate.value || undefined}
        data-keeps-menu-open
        onClick={changeGate}
      />
      <label className="latest__choice btn btn--ghost" title={text.slideshow.hint}>
        <GalleryHorizontalEnd className="icon" />
        <select
          aria-label={text.slideshow.name}
          value={slideshow.value}
          onChange={({ target }) => slideshow.change(choices.find((one) => String(one) === target.value) ?? 0)}
        >
          {choices.map((minutes) => (
            <option key={minutes} value={minutes}>
              {text.slideshow.label(minutes)}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" />
      </label>
    </>
  )
}

/** The Latest page without a photo: loading, failed, all hidden, or none yet. `user`: null while it is not known. */
function LatestWithoutPhoto({ latest, user, fullScreen, refresh, debug }: PartProps & { user: User | null }) {
  const { photo, allHidden, failed } = latest
  const text = useText({ latest: latestMessages })
  const { tryAgain, loading } = useText({ states })
  const event = useEvent(useCurrentEventId())
  const { latestEmpty, latestEmptyOnScreen } = useText({ eventMenu })
  const screen = { fullScreen, debug }
  if (photo === null) {
    return (
      <EmptyScreen {...screen}>
        <div className="latest__message">
          {fullScreen.isFull ? (
            // Guests look at it: nothing on it is for the owner.
            <>
              {user?.logo_url ? <BigScreenLogo user={user} /> : <BlankPrint />}
              <p>{allHidden ? text.hidden.onScreen : event ? latestEmptyOnScreen(event.name) : text.empty.onScreen}</p>
            </>
          ) : allHidden ? (
            <>
              <p>{text.hidden.line}</p>
              <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.gallery}>
                {text.hidden.action}
              </Link>
            </>
          ) : (
            <>
              <BlankPrint />
              <p>{event ? latestEmpty(event.name) : text.empty.line}</p>
              <output className="visually-hidden">{text.errors.none}</output>
              <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.upload}>
                {text.empty.action}
              </Link>
            </>
          )}
        </div>
      </EmptyScreen>
    )
  }
  if (failed) {
    return (
      <EmptyScreen {...screen}>
        <div className="latest__message" role="alert">
          <TriangleAlert className="icon" />
          <p>{text.errors.load}</p>
          <Button large busy={refresh.busy || latest.fetching} onClick={refresh.now}>
            {tryAgain}
          </Button>
        </div>
      </EmptyScreen>
    )
  }
  return (
    <EmptyScreen {...screen} isLoading>
      <span className="skeleton" aria-hidden="true" />
      <output className="visually-hidden">{loading}</output>
    </EmptyScreen>
  )
}

function BlankPrint() {
  return (
    <div className="blank-print" aria-hidden="true">
      <LogoMark />
    </div>
  )
}

interface EmptyScreenProps extends Pick<PartProps, 'fullScreen' | 'debug'> {
  isLoading?: boolean
  children: ReactNode
}

/** Keeps the full screen, and has a button for it: there is no toolbar. */
function EmptyScreen({ fullScreen: { isFull, toggle }, isLoading = false, debug, children }: EmptyScreenProps) {
  const controlsVisible = useControlsVisible()
  useShortcuts()
  const classes = [
    'latest latest--bare',
    isLoading && 'latest--loading',
    isFull && 'latest--full-screen',
    isFull && !controlsVisible && 'latest--idle',
  ]
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      {children}
      {(isFull || !isLoading) && (
        <div className="latest__leave on-photo">
          <FullScreenButton isFull={isFull} onToggle={toggle} />
        </div>
      )}
      <ReviewIndicator />
      <PastDueIndicator />
      <UsageBanner onScreen />
      {debug}
    </div>
  )
}

/** A small note about a lost connection; the styles show it after two seconds. It never covers the photo. */
function ConnectionNote({ status, failed }: { status: LiveStatus; failed: boolean }) {
  const text = useText({ latest: latestMessages }).connection
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

/** The refresh of the button, which shows its result as a toast. */
function useRefresh({ refresh }: Latest): { now: () => void; busy: boolean } {
  const text = useText({ latest: latestMessages })
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
  const text = useText({ latest: latestMessages })
  const toast = useToast()
  useLatestToasts(newest, text.toasts)
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
