import { type CSSProperties, type ReactNode, useEffect, useId, useState } from 'react'
import { Ellipsis, Keyboard, QrCode, Rows4, TriangleAlert, Upload } from 'lucide-react'
import { Link } from 'react-router'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useFocusReturn } from '../../lib/focus.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { latest } from '../../messages/en/screen.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LogoMark } from '../../ui/Logo.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { placeholderOf, qrCodeFilename, qrCodeUrlOf, svgUrlOf } from '../photos/photo-state.ts'
import { states } from '../../messages/en/frame.ts'
import {
  DownloadLink,
  type FullScreen,
  FullScreenButton,
  ShortcutsContext,
  ToolbarButton,
  useShortcuts,
} from './screen-controls.tsx'
import { type LatestViewModel, type LoadedView, otherPhotos, type useLatestViewModel } from './latest-view-model.ts'
import './latest.css'

interface Props {
  /** Of the photo; the first one has a placeholder in its place until it is loaded. */
  view: ReturnType<typeof useLatestViewModel>
  /** What a message says when that could not be loaded for some time. */
  failure: string
  /** What is loaded may no longer be shown: only the controls stay. */
  isWithdrawn?: boolean
  /** The newest photos, the one that is shown included. */
  recent: readonly Photo[]
  settings: BigScreenSettings
  /** Of the page, which keeps it while there is no photo. */
  fullScreen: FullScreen
  showsRecent: boolean
  onToggleRecent: () => void
  /** Shown above the other photos. */
  logo?: ReactNode
  /** Controls of the page that are needed all the time. */
  controls?: ReactNode
  /** Controls of the page in the menu. */
  moreControls?: ReactNode
  /** Shown above the toolbar, with it. */
  tools?: ReactNode
  /** What else can be done with the code, in its dialog. */
  codeActions?: ReactNode
  /** Shown over the photo. */
  children?: ReactNode
}

/** One photo as large as the screen allows, with its QR code at a fixed place; controls appear when the user moves. */
export function BigScreen({
  view: { shown, isFadingOut, gaveUp, retry },
  failure,
  isWithdrawn = false,
  recent,
  settings,
  fullScreen: { isFull, toggle: toggleFullScreen },
  showsRecent,
  onToggleRecent,
  logo,
  controls,
  moreControls,
  tools,
  codeActions,
  children,
}: Props) {
  const text = useText({ latest })
  const media = useMediaUrl()
  const controlsVisible = useControlsVisible()
  const [hasShortcuts, setHasShortcuts] = useState(true)
  useShortcuts()
  const now = useMinute()
  const [dialogOpen, setDialogOpen] = useState(false)
  // Otherwise it would open again with the code of the next photo.
  if (isWithdrawn && dialogOpen) setDialogOpen(false)

  const latestClasses = [
    'latest',
    isFadingOut && 'is-changing',
    shown && !controlsVisible && 'latest--idle',
    isFull && 'latest--full-screen',
  ]
  const focusReturn = useFocusReturn()
  const others = otherPhotos(shown?.model.photo ?? recent[0], recent, now)
  const previousThumb = others[0]?.thumbnail_url ?? null
  const visible = isWithdrawn ? null : shown
  // The elements keep their positions in the tree when the first photo arrives, so that React keeps the focused one.
  return (
    <div className={latestClasses.filter(Boolean).join(' ')}>
      {visible && (
        <LatestBackground
          shown={visible}
          ownImage={settings.background_image_url && media(settings.background_image_url)}
          previousThumb={previousThumb && media(previousThumb)}
        />
      )}
      <div className="latest__photo">
        {visible && <LatestPhoto shown={visible} />}
        {!shown && <FirstPhoto gaveUp={gaveUp} failure={failure} onRetry={retry} />}
      </div>
      <aside className="latest__side" aria-label={text.codeLabel}>
        {visible && <LatestQrCode model={visible.model} />}
        {logo}
        {visible && showsRecent && <RecentPhotos photos={others} user={settings} now={now} />}
        {/* Reserves their space: appearing beside the first photo, they would shift the layout. */}
        {!shown && showsRecent && others.length > 0 && <div className="latest__recent" />}
      </aside>
      <div className="latest__controls" {...focusReturn}>
        {tools && <div className="latest__tools">{tools}</div>}
        {shown && (
          <ShortcutsContext value={hasShortcuts}>
            {/* The most important controls side by side, and the others in a menu. */}
            <fieldset className="latest__toolbar on-photo" aria-label={text.toolbar.label}>
              {controls}
              <FullScreenButton isFull={isFull} onToggle={toggleFullScreen} />
              <Menu
                label={text.toolbar.more}
                icon={
                  <>
                    <Ellipsis className="icon" />
                    <span>{text.toolbar.more}</span>
                  </>
                }
                buttonClassName={buttonClass({ tone: 'ghost' })}
              >
                {moreControls}
                <DownloadLink url={isWithdrawn ? null : shown.model.photo.b2_url} />
                <ToolbarButton
                  icon={QrCode}
                  label={text.toolbar.code}
                  onClick={() => setDialogOpen(true)}
                  disabled={isWithdrawn || shown.model.qrCode === null}
                />
                <ToolbarButton
                  icon={Rows4}
                  label={text.toolbar.recent}
                  aria-pressed={showsRecent}
                  data-keeps-menu-open
                  onClick={onToggleRecent}
                />
                <ToolbarButton
                  icon={Keyboard}
                  label={text.toolbar.shortcuts}
                  title={text.toolbar.shortcutsHint}
                  aria-pressed={hasShortcuts}
                  data-keeps-menu-open
                  onClick={() => setHasShortcuts(!hasShortcuts)}
                />
              </Menu>
            </fieldset>
          </ShortcutsContext>
        )}
      </div>
      {children}
      {shown && (
        <QrCodeDialog model={shown.model} open={dialogOpen} onClose={() => setDialogOpen(false)}>
          {codeActions}
        </QrCodeDialog>
      )}
    </div>
  )
}

const controlsVisibleMs = 3_500

/** Whether the controls and the cursor are visible: for some seconds after a movement, a touch or a key. */
export function useControlsVisible(): boolean {
  const [visible, setVisible] = useState(true)
  useEffect(() => {
    let hideTimer = setTimeout(() => setVisible(false), controlsVisibleMs)
    let lastPosition = ''
    const show = (): void => {
      setVisible(true)
      clearTimeout(hideTimer)
      hideTimer = setTimeout(() => setVisible(false), controlsVisibleMs)
    }
    const onMove = ({ screenX, screenY, pointerType }: PointerEvent): void => {
      // Browsers also dispatch a move when the page changes below a resting cursor.
      const position = `${pointerType} ${screenX} ${screenY}`
      if (position !== lastPosition) show()
      lastPosition = position
    }
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerdown', show)
    window.addEventListener('keydown', show)
    return () => {
      clearTimeout(hideTimer)
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerdown', show)
      window.removeEventListener('keydown', show)
    }
  }, [])
  return visible
}

type BigScreenSettings = Pick<User, 'ask_email_to_receive_photo' | 'background_image_url'>

/** The time, renewed every minute: photos of another day leave a screen that nobody touches. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const minuteTimer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(minuteTimer)
  }, [])
  return now
}

interface BackgroundProps {
  shown: LoadedView
  /** URL of the user's own background. */
  ownImage: string | null
  /** URL of the previous photo's thumbnail, for as long as nothing of this photo can be shown. */
  previousThumb: string | null
}

/** The user's own background, or a blurred copy of the photo. */
function LatestBackground({ shown: { model, picture }, ownImage, previousThumb }: BackgroundProps) {
  if (ownImage) return <img className="latest__background latest__background--own" src={ownImage} alt="" />
  const blurredUrl = model.thumb ?? picture ?? placeholderOf(model.photo.thumbhash) ?? previousThumb
  return blurredUrl && <img className="latest__background latest__fade" src={blurredUrl} alt="" decoding="sync" />
}

/** The card with the QR code. Without a code, the logo takes its place. */
function LatestQrCode({ model }: { model: LatestViewModel }) {
  const text = useText({ latest }).code
  const line = model.byEmail ? text.emailLine : text.line
  const hasFailed = model.kind === 'failed'
  if (model.qrCode === null) {
    return (
      <div className="latest__code">
        <b className="latest__fade">{hasFailed ? text.none : line}</b>
        <span className="latest__no-code" aria-hidden="true">
          <LogoMark />
        </span>
        <span className="latest__fade">{hasFailed ? text.noneHint : text.creating}</span>
      </div>
    )
  }
  return (
    <div className="latest__code">
      <b className="latest__fade">{line}</b>
      <img className="latest__fade" src={model.qrCode} width="41" height="41" alt={text.alt} decoding="sync" />
      <span className="latest__fade">{model.byEmail ? text.emailHint : text.hint}</span>
    </div>
  )
}

interface QrCodeDialogProps {
  model: LatestViewModel
  open: boolean
  onClose: () => void
  /** More that can be done with the code. */
  children?: ReactNode
}

/** The QR code as large as the screen allows. */
function QrCodeDialog({ model, open, onClose, children }: QrCodeDialogProps) {
  const text = useText({ latest })
  const media = useMediaUrl()
  const id = useId()
  const { photo, byEmail, qrCode } = model
  const pngUrl = byEmail ? photo.email_qr_code_url : photo.qr_code_url
  return (
    <Dialog open={open && qrCode !== null} onClose={onClose} className="dialog code-dialog" aria-labelledby={id}>
      <h2 id={id}>{text.codeDialog.title}</h2>
      <div className="code-dialog__card">
        <img src={qrCode ?? undefined} width="41" height="41" alt={text.code.alt} />
        <p className="ellipsis file-name" translate="no">
          {photo.filename}
        </p>
      </div>
      <div className="dialog__actions">
        <Button onClick={onClose}>{text.codeDialog.close}</Button>
        {children}
        <a
          className={buttonClass({ tone: 'primary' })}
          href={media(pngUrl) ?? undefined}
          download={qrCodeFilename(photo.filename)}
        >
          <span>{text.codeDialog.download}</span>
        </a>
      </div>
    </Dialog>
  )
}

/** The whole photo; during processing or after a failure, its placeholder with a message. */
function LatestPhoto({ shown: { model, picture } }: { shown: LoadedView }) {
  const text = useText({ latest })
  const format = useFormat()
  const translate = useServerSentence()
  const { photo, kind, width, height } = model
  const size = { '--w': width, '--h': height } as CSSProperties // custom properties
  if (kind === 'ready') {
    return (
      <figure className="latest__image latest__fade" style={size}>
        <img
          src={picture ?? undefined}
          width={width}
          height={height}
          alt={text.photoAlt(photo.filename, format.dateTime(photo.created_at))}
          decoding="sync"
        />
      </figure>
    )
  }
  const placeholder = picture ?? placeholderOf(photo.thumbhash)
  return (
    <figure className="latest__image latest__image--unready latest__fade" style={size}>
      {placeholder && <img src={placeholder} width={width} height={height} alt="" decoding="sync" />}
      {kind === 'processing' ? (
        <output className="latest__overlay">
          <span className="spin" aria-hidden="true" />
          <b>{text.processing.line}</b>
          <span>{text.processing.hint}</span>
        </output>
      ) : (
        <div className="latest__overlay latest__overlay--bad" role="alert">
          <TriangleAlert className="icon" />
          <b>{text.failed.line}</b>
          {photo.error_message && <span translate="no">{translate(photo.error_message)}</span>}
          {(photo.can_retry || !photo.error_message) && <span>{text.failed.hint}</span>}
          <Link className="btn" to={paths.upload}>
            <Upload className="icon" />
            {text.failed.action}
          </Link>
        </div>
      )}
    </figure>
  )
}

const isSameDay = (iso: string, now: number): boolean => new Date(iso).toDateString() === new Date(now).toDateString()

interface RecentPhotosProps {
  /** Newest first. */
  photos: readonly Photo[]
  user: Pick<User, 'ask_email_to_receive_photo'>
  now: number
}

/** Small copies of other photos, each on one card with its QR code: guests can still scan it after a new photo arrived. */
function RecentPhotos({ photos, user, now }: RecentPhotosProps) {
  const text = useText({ latest }).recent
  const format = useFormat()
  const media = useMediaUrl()
  const id = useId()
  if (photos.length === 0) return null
  return (
    <section className="latest__recent" aria-labelledby={id}>
      <h2 className="latest__recent-title">
        <b id={id}>{text.label}</b> <span>{text.hint}</span>
      </h2>
      <ul className="latest__recent-list" aria-labelledby={id}>
        {photos.map((photo) => {
          const qrCodeUrl = qrCodeUrlOf(photo, user)
          return (
            <li key={photo.id} className="latest__recent-photo">
              <div className="latest__recent-thumbnail">
                <img src={(photo.thumbnail_url && media(photo.thumbnail_url)) ?? undefined} alt="" />
              </div>
              <time dateTime={photo.created_at} translate="no">
                {!isSameDay(photo.created_at, now) && <span>{format.weekday(photo.created_at)} </span>}
                {format.time(photo.created_at)}
              </time>
              {qrCodeUrl !== null && (
                <img
                  src={media(svgUrlOf(qrCodeUrl)) ?? undefined}
                  width="41"
                  height="41"
                  alt={text.codeAlt(photo.filename)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface FirstPhotoProps {
  /** It could not be loaded for some time. */
  gaveUp: boolean
  /** What the message then says. */
  failure: string
  onRetry: () => void
}

/** In the place of the first photo of a big screen until that is loaded. */
function FirstPhoto({ gaveUp, failure, onRetry }: FirstPhotoProps) {
  const { loading } = useText({ states })
  if (gaveUp) return <LoadingFailed failure={failure} onRetry={onRetry} />
  return (
    <>
      <span className="skeleton" aria-hidden="true" />
      <output className="visually-hidden">{loading}</output>
    </>
  )
}

function LoadingFailed({ failure, onRetry }: Omit<FirstPhotoProps, 'gaveUp'>) {
  const { tryAgain } = useText({ states })
  return (
    <div className="latest__message" role="alert" {...useFocusReturn()}>
      <TriangleAlert className="icon" />
      <p>{failure}</p>
      <Button large onClick={onRetry}>
        {tryAgain}
      </Button>
    </div>
  )
}
