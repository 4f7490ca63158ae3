import { useQuery } from '@tanstack/react-query'
import {
  ChevronLeft,
  ChevronRight,
  Download,
  Eye,
  EyeOff,
  ImageOff,
  Link2,
  Printer,
  QrCode,
  ShieldAlert,
  Trash2,
  X,
} from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { attachmentUrl } from '../../lib/urls.ts'
import { paths, printOfPhoto } from '../../lib/paths.ts'
import { gallery } from '../../messages/en/photos.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Note } from '../../ui/Note.tsx'
import { ToastOutlet } from '../../ui/Toasts.tsx'
import { useGateOf } from '../events/events.ts'
import { isHiddenByOperator, linkOfCode, qrCodeFilename, qrCodeUrlOf, svgUrlOf } from './photo-state.ts'
import { useDeletePhoto, useHidePhotos } from './photo-changes.ts'
import { photoQuery } from './photo-cache.ts'
import { Slides } from './Slides.tsx'
import './gallery.css'

/** How far a key leads in the viewer, from this photo; null for other keys. */
function distanceOfKey(key: string, index: number, count: number): number | null {
  if (key === 'ArrowLeft') return -1
  if (key === 'ArrowRight') return 1
  if (key === 'Home') return -index
  return key === 'End' ? count - 1 - index : null
}

/** Where the user wants to be: `beyond` photos after this one, which are not loaded; before it, when negative. */
export interface Target {
  id: string
  beyond: number
}

interface Bounds {
  photos: readonly Photo[]
  /** How many photos exist before and after those that are loaded. */
  newer: number
  older: number
}

/** The target after a move. Beyond the photos that are loaded, it goes as far as there are others. */
export function targetAfter({ id, beyond }: Target, distance: number, { photos, newer, older }: Bounds): Target {
  const last = photos.length - 1
  const from = photos.findIndex((photo) => photo.id === id)
  if (from < 0) return { id, beyond: 0 }
  const to = Math.min(last + older, Math.max(0 - newer, from + beyond + distance))
  const loaded = Math.min(last, Math.max(0, to))
  return { id: photos[loaded]!.id, beyond: to - loaded } // within the photos
}

/** A photo that an operator has hidden can be shown again only by an operator. */
const canToggle = (photo: Photo): boolean => (photo.hidden ? !isHiddenByOperator(photo) : !photo.processing_failed)

interface Props {
  id: string
  /** The loaded photos, newest first. */
  photos: readonly Photo[]
  /** Number of all photos. */
  total: number
  /** How many photos are newer than the loaded ones; null when that is not known. */
  skipped: number | null
  /** Null when there are no more. */
  loadMore: (() => void) | null
  /** Loads photos that are newer than the loaded ones; null when there are none. */
  loadNewer: (() => void) | null
  /** After more photos could not be loaded: tries it again. Null otherwise. */
  retryMore: (() => void) | null
  onMove: (id: string) => void
  /** `viewed`: id of the photo that was shown last. */
  onClose: (viewed: string) => void
}

/** More photos are loaded this many photos before the end. */
const loadMorePhotos = 30

/** Shows one photo at a time, in a dialog over the gallery. */
export function Viewer({ id, photos: listed, total, retryMore, onMove, onClose, ...list }: Props) {
  const { skipped, loadMore, loadNewer } = list
  const text = useText({ gallery }).viewer
  const format = useFormat()
  const { target: aim, shownId, moveBy, show, settle, ask } = useTarget(id)
  const { photos, index, missingReason } = useViewedPhotos(listed, aim.id)
  const isListed = listed.length > 0 && photos === listed
  const photo = photos[index]
  const wanted = index + aim.beyond
  const isPending = isListed && (wanted < 0 ? loadNewer !== null : wanted >= photos.length && loadMore !== null)
  const target = isPending ? undefined : photos[Math.min(photos.length - 1, Math.max(0, wanted))]
  const shownIndex = photos.findIndex((other) => other.id === shownId)
  const shown = photos[shownIndex] ?? photo
  const isMoving = isPending || target?.id !== shown?.id
  const [deleting, setDeleting] = useState(false)
  const isZoomed = useRef(false)
  const closeButton = useRef<HTMLButtonElement>(null)
  const title = useId()
  useEffect(() => closeButton.current?.focus(), [])
  useEffect(() => {
    if (wanted >= photos.length - loadMorePhotos) loadMore?.()
    if (isListed && wanted < loadMorePhotos) loadNewer?.()
  }, [wanted, photos.length, isListed, loadMore, loadNewer])
  const idAt = (end: Target): string => targetAfter(end, 0, { photos, newer: 0, older: 0 }).id
  const drawTarget = useEffectEvent((end: Target) => idAt(end) !== shownId && settle(idAt))
  const nameInAddress = useEffectEvent((next: string, end: Target) => {
    if (next === id || idAt(end) !== next || isPending) return
    ask(next)
    onMove(next)
  })
  useEffect(() => {
    const timer = setTimeout(() => nameInAddress(shownId, aim), addressMs)
    return () => clearTimeout(timer)
  }, [shownId, aim])
  useEffect(() => {
    if (isPending) return
    const timer = setTimeout(() => drawTarget(aim), restMs)
    return () => clearTimeout(timer)
  }, [aim, isPending])

  const unloaded = Math.max(1, total - (skipped ?? 0) - listed.length)
  const bounds = {
    photos,
    newer: isListed && loadNewer ? (skipped ?? Infinity) : 0,
    older: isListed && loadMore ? unloaded : 0,
  }
  const goBy = (distance: number, at: number): void => {
    isZoomed.current = false
    if (distance > 0 && retryMore && index >= photos.length - 1) retryMore()
    else moveBy((from) => targetAfter(from, distance, bounds), at)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // In the slides, arrow keys move a photo that is zoomed in.
    const isInSlides = event.target instanceof Element && event.target.closest('.yarl__root') !== null
    const movesZoomed = event.key.startsWith('Arrow') && isZoomed.current && isInSlides
    const distance = movesZoomed || deleting ? null : distanceOfKey(event.key, wanted, photos.length)
    if (distance === null) return
    event.preventDefault()
    // The slides leave out keys that follow each other closely.
    event.stopPropagation()
    goBy(distance, event.timeStamp)
  }
  const onDeleted = (): void => {
    setDeleting(false)
    const next = photos[shownIndex + 1] ?? photos[shownIndex - 1]
    if (next) onMove(next.id)
    else onClose(aim.id)
  }
  const close = (): void => onClose(target?.id ?? aim.id)
  const position = isListed && skipped !== null ? text.position(skipped + wanted + 1, format.count(total)) : null
  const slidesPosition = text.slides.position(
    format.count((skipped ?? 0) + shownIndex + 1),
    format.count(isListed ? total : photos.length),
  )
  const slid = useRef<(next: number) => void>(() => {})
  useEffect(() => {
    slid.current = (next) => photos[next] && show(photos[next].id)
  })
  const onSlide = useCallback((next: number): void => slid.current(next), [])
  const onZoom = useCallback((zoomed: boolean): void => {
    isZoomed.current = zoomed
  }, [])
  // Not rendered again at each key.
  const slides = useMemo(
    () =>
      shownIndex >= 0 && (
        <Slides photos={photos} index={shownIndex} position={slidesPosition} onMove={onSlide} onZoom={onZoom} />
      ),
    [photos, shownIndex, slidesPosition, onSlide, onZoom],
  )
  const side = useMemo(() => shown && <ViewerSide photo={shown} />, [shown])
  const shownTitle = (isPending ? undefined : target)?.filename
  return (
    <Dialog
      open
      onClose={close}
      className="viewer on-photo"
      data-moving={isMoving || undefined}
      aria-labelledby={title}
      onKeyDownCapture={onKeyDown}
      {...useClickOutside(close)}
    >
      <header className="viewer__bar">
        <div className="viewer__title">
          <h2 id={title} className="ellipsis file-name" translate={shownTitle === undefined ? undefined : 'no'}>
            {shownTitle ?? text.label}
          </h2>
          <output className="tabular-numbers">{position}</output>
        </div>
        {shown && <CopyLink photo={shown} />}
        {shown && canToggle(shown) && <HideToggle key={shown.id} photo={shown} />}
        {shown && (
          <Button
            className="viewer__button"
            tone="ghost"
            icon
            aria-label={text.remove}
            onClick={() => setDeleting(true)}
          >
            <Trash2 className="icon" />
          </Button>
        )}
        <Button ref={closeButton} className="viewer__button" tone="ghost" icon aria-label={text.close} onClick={close}>
          <X className="icon" />
        </Button>
      </header>
      <div className="viewer__body">
        <StepButton
          side="prev"
          label={text.previous}
          disabled={wanted <= -bounds.newer}
          onClick={({ timeStamp }) => goBy(-1, timeStamp)}
        />
        <div className="viewer__photo">
          {slides}
          {isMoving && <PassingPhoto photo={target} />}
          {missingReason && (
            <div className="viewer__missing">
              <ImageOff className="icon" />
              <p>{text[missingReason]}</p>
            </div>
          )}
        </div>
        <StepButton
          side="next"
          label={text.next}
          disabled={wanted >= photos.length - 1 + bounds.older && !retryMore}
          onClick={({ timeStamp }) => goBy(1, timeStamp)}
        />
        {side}
      </div>
      {shown && <DeletePhoto photo={shown} open={deleting} onDeleted={onDeleted} onClose={() => setDeleting(false)} />}
      <ToastOutlet />
    </Dialog>
  )
}

/** After the last key, so long is waited before the photo is drawn and its neighbours are loaded, and before the address names it. */
const restMs = 160
const addressMs = 400

interface Moved {
  /** The photo that the address named then, and those that it was asked to name since, which takes a while. */
  from: string
  asked: readonly string[]
  target: Target
  shownId: string
}

/**
 * Keeps where the user wants to be apart from what is drawn: keys that follow each other closely only change the target.
 * A single key is drawn at once. `id`: of the photo that the address names.
 */
function useTarget(id: string) {
  const [moved, setMoved] = useState<Moved | null>(null)
  const movedAt = useRef(-Infinity)
  const unmoved: Moved = { from: id, asked: [], target: { id, beyond: 0 }, shownId: id }
  const isMoved = moved !== null && (moved.from === id || moved.asked.includes(id))
  const current = isMoved ? moved : unmoved
  if (moved && moved.from !== id)
    setMoved(isMoved ? { ...moved, from: id, asked: moved.asked.slice(moved.asked.indexOf(id) + 1) } : null)
  /** From what was set last, which may not be rendered yet. */
  const update = (change: (now: Moved) => Partial<Moved>): void =>
    setMoved((before) => {
      const now = before && (before.from === id || before.asked.includes(id)) ? before : unmoved
      return { ...now, ...change(now) }
    })
  return {
    ...current,
    /** `at`: when the key was pressed. On a slow phone, that is long before. */
    moveBy(step: (from: Target) => Target, at: number): void {
      const isSingle = at - movedAt.current > restMs
      movedAt.current = at
      update(({ target, shownId }) => {
        const next = step(target)
        return { target: next, shownId: isSingle && next.beyond === 0 ? next.id : shownId }
      })
    },
    show: (shownId: string): void => update(() => ({ target: { id: shownId, beyond: 0 }, shownId })),
    /** Draws what is aimed at. */
    settle: (end: (target: Target) => string): void => update(({ target }) => ({ shownId: end(target) })),
    /** The address is asked to name this photo. */
    ask: (next: string): void => update(({ asked }) => ({ asked: [...asked, next] })),
  }
}

/** Shown while keys follow each other closely: the small image of the target, or a sign that it is being loaded. */
function PassingPhoto({ photo }: { photo: Photo | undefined }) {
  const media = useMediaUrl()
  const thumbnailUrl = photo?.thumbnail_url && media(photo.thumbnail_url)
  return (
    <div className="viewer__passing" aria-hidden="true">
      {thumbnailUrl ? <img src={thumbnailUrl} alt="" /> : <span className="spin" />}
    </div>
  )
}

function StepButton({
  side,
  label,
  ...button
}: {
  side: 'prev' | 'next'
  label: string
  disabled: boolean
  onClick: (event: MouseEvent) => void
}) {
  const Icon = side === 'prev' ? ChevronLeft : ChevronRight
  return (
    <Button {...button} className={`viewer__button viewer__step viewer__${side}`} tone="ghost" aria-label={label}>
      <Icon className="icon" />
    </Button>
  )
}

/** The photos of the gallery, or a single photo while the gallery has not loaded it. */
function useViewedPhotos(listed: readonly Photo[], id: string) {
  const index = listed.findIndex((photo) => photo.id === id)
  const singlePhotoQuery = useQuery({ ...photoQuery(useApi(), id), enabled: index < 0 })
  const singlePhoto = useMemo(() => (singlePhotoQuery.data ? [singlePhotoQuery.data] : []), [singlePhotoQuery.data])
  if (index >= 0) return { photos: listed, index, missingReason: null }
  const { error } = singlePhotoQuery
  const isDeleted = error instanceof ApiError && error.status === 404
  return {
    photos: singlePhoto,
    index: 0,
    missingReason: isDeleted ? ('deleted' as const) : error && !singlePhotoQuery.data ? ('unreadable' as const) : null,
  }
}

// Only in accounts that have events.
const PhotoEvent = lazy(async () => ({ default: (await import('../events/MovePhotos.tsx')).PhotoEvent }))

/** A pointer that moved further than this was swiping. */
const maxClickDistancePx = 6

/** Closes the viewer after a click outside the photo, the code and the buttons, but not after a swipe. */
function useClickOutside(onClose: () => void) {
  const pointerDown = useRef({ x: 0, y: 0 })
  return {
    onPointerDown: ({ clientX: x, clientY: y }: { clientX: number; clientY: number }) => {
      pointerDown.current = { x, y }
    },
    onClick: ({ target, clientX, clientY }: MouseEvent) => {
      const pointerDistance = Math.hypot(clientX - pointerDown.current.x, clientY - pointerDown.current.y)
      const isOnControl =
        !(target instanceof Element) ||
        target.closest('img, a, button, .dialog, .toaster, .viewer__bar, .viewer__code, .viewer__unready')
      if (pointerDistance <= maxClickDistancePx && !isOnControl) onClose()
    },
  }
}

/** Copies what the QR code contains. On narrow screens the caption is for screen readers only. */
function CopyLink({ photo }: { photo: Photo }) {
  const text = useText({ gallery }).viewer
  const gateOf = useGateOf()
  const field = useRef<HTMLInputElement>(null)
  const qrCodeUrl = qrCodeUrlOf(photo, gateOf(photo))
  if (!qrCodeUrl) return null
  const link = linkOfCode(qrCodeUrl)
  return (
    <>
      {/* Visible once its text is selected, where browsers do not let pages copy. */}
      <input ref={field} className="viewer__link" value={link} aria-label={text.link} tabIndex={-1} readOnly />
      <CopyButton
        key={link}
        className="viewer__button viewer__tool"
        text={link}
        label={text.link}
        caption={text.copyLink}
        Icon={Link2}
        shownIn={field}
      />
    </>
  )
}

/** Hides the photo from guests or shows it again. On narrow screens the label is for screen readers only. */
function HideToggle({ photo }: { photo: Photo }) {
  const text = useText({ gallery }).visibility
  const { setHidden, busy } = useHidePhotos()
  const Icon = photo.hidden ? Eye : EyeOff
  return (
    <Button
      className="viewer__button viewer__tool"
      tone="ghost"
      busy={busy}
      onClick={() => void setHidden([photo], !photo.hidden)}
    >
      {!busy && <Icon className="icon" />}
      <span>{photo.hidden ? text.show : text.hide}</span>
    </Button>
  )
}

interface DeletePhotoProps {
  photo: Photo
  open: boolean
  onDeleted: () => void
  onClose: () => void
}

/** Asks before deleting the photo, and shows a message when that fails. */
function DeletePhoto({ photo, open, onDeleted, onClose }: DeletePhotoProps) {
  const text = useText({ gallery })
  const { mutateAsync, isPending, isError, reset } = useDeletePhoto()
  // The live connection may report the deletion first: this component is then unmounted, and the callbacks of `mutate`
  // would never be called.
  const confirmDeletion = (): void => void mutateAsync(photo.id).then(onDeleted, onClose)
  return (
    <>
      {isError && (
        <div className="viewer__alert">
          <Note tone="bad">{text.errors.remove}</Note>
        </div>
      )}
      <ConfirmDialog
        open={open}
        title={text.confirmDelete.title}
        question={text.confirmDelete.question}
        confirm={text.confirmDelete.confirm}
        busy={isPending}
        onConfirm={confirmDeletion}
        onClose={() => {
          reset()
          onClose()
        }}
      />
    </>
  )
}

/** QR code, date and downloads of the photo in the viewer. */
function ViewerSide({ photo }: { photo: Photo }) {
  const text = useText({ gallery }).viewer
  const format = useFormat()
  const media = useMediaUrl()
  const qrCodeUrl = qrCodeUrlOf(photo, useGateOf()(photo))
  const fullImageUrl = photo.b2_url && media(photo.b2_url)
  return (
    <aside className="viewer__side">
      <HiddenPhoto photo={photo} />
      {qrCodeUrl && (
        <div className="code-card viewer__code">
          <b>{text.scan}</b>
          <img
            src={media(svgUrlOf(qrCodeUrl)) ?? undefined}
            width="41"
            height="41"
            alt={text.codeAlt(photo.filename)}
          />
        </div>
      )}
      <p className="viewer__date tabular-numbers" translate="no">
        <time dateTime={photo.created_at}>{format.dateTime(photo.created_at)}</time>
      </p>
      {photo.event_id !== undefined && (
        <Suspense>
          <PhotoEvent photo={photo} />
        </Suspense>
      )}
      {fullImageUrl && (
        // The server names the file, also where it comes from a store of another origin, which ignores `download`.
        <a className={buttonClass({ tone: 'primary', block: true })} href={attachmentUrl(fullImageUrl)} download="">
          <Download className="icon" />
          <span>{text.downloadPhoto}</span>
        </a>
      )}
      {qrCodeUrl && (
        <a
          className={`${buttonClass({ tone: 'ghost', block: true })} viewer__button`}
          href={media(qrCodeUrl) ?? undefined}
          download={qrCodeFilename(photo.filename)}
        >
          <QrCode className="icon" />
          <span>{text.downloadCode}</span>
        </a>
      )}
      {qrCodeUrl && (
        <Link className={`${buttonClass({ tone: 'ghost', block: true })} viewer__button`} to={printOfPhoto(photo.id)}>
          <Printer className="icon" />
          <span>{text.print}</span>
        </Link>
      )}
    </aside>
  )
}

/** Shown above the QR code of a photo that is hidden from guests, or that an operator has shown to them again. */
function HiddenPhoto({ photo }: { photo: Photo }) {
  const text = useText({ gallery })
  if (isHiddenByOperator(photo) || (!photo.hidden && photo.operator_decision)) return <OperatorDecision photo={photo} />
  if (!photo.hidden) return null
  return (
    <div className="viewer__hidden">
      <span className="badge badge--bad">
        <EyeOff className="icon" />
        {text.hidden}
      </span>
      <p className="small">{text.viewer.hiddenHint}</p>
    </div>
  )
}

/** What the operator of this site decided, when, and why. */
function OperatorDecision({ photo: { hidden, operator_decision: decided } }: { photo: Photo }) {
  const text = useText({ gallery })
  const format = useFormat()
  if (!decided) return null
  const words = text.viewer.operator
  const when = format.dateTime(decided.decided_at)
  return (
    <div className="viewer__hidden viewer__decision">
      {hidden && (
        <span className="badge badge--bad">
          <ShieldAlert className="icon" />
          {text.hiddenByOperator}
        </span>
      )}
      <p className="small">{hidden ? words.hid(when) : words.shows(when)}</p>
      {decided.message !== null ? (
        <blockquote className="small" translate="no" dir="auto">
          {decided.message}
        </blockquote>
      ) : (
        hidden && <p className="small">{words.why}</p>
      )}
      {hidden && (
        <p className="small">
          {words.mistake}{' '}
          <Link className="link" to={paths.support}>
            {words.support}
          </Link>
        </p>
      )}
    </div>
  )
}
