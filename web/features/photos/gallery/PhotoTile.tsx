import type { Photo } from '@keepsnap/contract/photos.ts'
import { Check, EyeOff, RotateCw, ShieldAlert, TriangleAlert } from 'lucide-react'
import { memo, useRef, type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { keepScroll } from '../../../lib/scroll-restoration.ts'
import { gallery } from '../../../messages/en/gallery.ts'
import { isHiddenByOperator } from '../hidden-by-operator.ts'
import { photoStateOf } from '../photo-state.ts'
import { placeholderOf } from '../placeholder.ts'

/** The functions must be stable, so that a tile is rendered again only when its photo changes. */
export interface TileActions {
  urlOf: (id: string) => string
  /** Selects or deselects a photo; the first call starts the selection. */
  toggle: (id: string) => void
  /** Selects all photos from the last one that was toggled; without one, from the photo `from`. */
  selectTo: (id: string, from?: string) => void
  retry: (id: string) => void
}

interface Props {
  photo: Photo
  width: number
  height: number
  /** Null while the user is not selecting. */
  selected: boolean | null
  actions: TileActions
}

/** One photo of the gallery: a link to the viewer, or a button while the user is selecting. */
export const PhotoTile = memo(function PhotoTile({ photo, width, height, selected, actions }: Props) {
  const state = photoStateOf(photo)
  const placeholder = state === 'failed' ? null : placeholderOf(photo.thumbhash)
  const style: CSSProperties = { width, height, ...(placeholder && { backgroundImage: `url(${placeholder})` }) }
  const tileClasses = [
    'photo-tile',
    'on-photo',
    state === 'processing' && 'photo-tile--processing',
    state === 'failed' && 'photo-tile--failed',
    photo.can_retry && selected === null && 'photo-tile--with-retry',
    photo.hidden && 'photo-tile--hidden',
    selected && 'photo-tile--selected',
  ]
  const className = tileClasses.filter(Boolean).join(' ')
  return (
    <div className="photo-tile-cell" style={{ width, height }}>
      <LinkOrButton photo={photo} selected={selected} actions={actions} className={className} style={style}>
        <TileContent photo={photo} />
        {selected !== null && <span className="photo-tile__check">{selected && <Check className="icon" />}</span>}
      </LinkOrButton>
      {photo.can_retry && selected === null && <RetryButton photo={photo} retry={actions.retry} />}
    </div>
  )
})

// The viewer covers the gallery, and closing it goes back in the history. Browsers store this key: do not rename it.
const openedFromGallery = { ...keepScroll, fromGallery: true }

type LinkOrButtonProps = Pick<Props, 'photo' | 'selected' | 'actions'> & {
  className: string
  style: CSSProperties
  children: ReactNode
}

function LinkOrButton({ photo, selected, actions, children, ...look }: LinkOrButtonProps) {
  const text = useText({ gallery })
  const label = useTileLabel(photo)
  const longPress = useLongPress(() => actions.toggle(photo.id), selected === null)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = event.shiftKey || selected !== null ? tileInDirection(event.currentTarget, event.key) : null
    if (!next) return
    event.preventDefault()
    if (event.shiftKey) actions.selectTo(next, photo.id)
    focusTile(next)
  }
  const common = { ...look, onKeyDown, 'data-photo': photo.id }
  if (selected !== null) {
    return (
      <button
        {...common}
        type="button"
        aria-pressed={selected}
        aria-label={text.select.toggle(label)}
        onClick={({ shiftKey }) => (shiftKey ? actions.selectTo(photo.id) : actions.toggle(photo.id))}
      >
        {children}
      </button>
    )
  }
  return (
    <Link
      {...common}
      {...longPress}
      to={actions.urlOf(photo.id)}
      state={openedFromGallery}
      aria-label={label}
      draggable={false}
      onClick={(event) => {
        longPress.onClick?.(event)
        // As in file managers. Otherwise the browser would open a tab or a window.
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
        event.preventDefault()
        actions.toggle(photo.id)
        focusTile(photo.id)
      }}
    >
      {children}
    </Link>
  )
}

/** The id of the tile that an arrow key leads to; null for other keys and where there is none. */
function tileInDirection(tile: HTMLElement, key: string): string | null {
  if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(key)) return null
  const tiles = Array.from(document.querySelectorAll<HTMLElement>('[data-photo]'))
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return tiles[tiles.indexOf(tile) + (key === 'ArrowLeft' ? -1 : 1)]?.dataset['photo'] ?? null
  const isUp = key === 'ArrowUp'
  const from = tile.getBoundingClientRect()
  const centre = from.left + from.width / 2
  let nearest: { id: string; distance: number } | null = null
  for (const other of tiles) {
    const { top, bottom, left, width } = other.getBoundingClientRect()
    const rowDistance = isUp ? from.top - bottom : top - from.bottom
    // The nearest row counts first.
    const distance = rowDistance * 10_000 + Math.abs(left + width / 2 - centre)
    if (rowDistance >= -1 && (!nearest || distance < nearest.distance))
      nearest = { id: other.dataset['photo']!, distance }
  }
  return nearest?.id ?? null
}

/** Focuses a tile that may be rendered anew: a link becomes a button when the selection begins. */
function focusTile(id: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-photo="${CSS.escape(id)}"]`)?.focus())
}

function useTileLabel(photo: Photo): string {
  const text = useText({ gallery })
  const format = useFormat()
  const labels = {
    ready: () => text.tile(photo.filename, format.dateTime(photo.created_at)),
    processing: () => text.processing(photo.filename),
    failed: () => text.failedTile(photo.filename),
  }
  const label = labels[photoStateOf(photo)]()
  if (!photo.hidden) return label
  return isHiddenByOperator(photo) ? text.hiddenByOperatorTile(label) : text.hiddenTile(label)
}

function TileContent({ photo }: { photo: Photo }) {
  const text = useText({ gallery })
  const format = useFormat()
  const media = useMediaUrl()
  const state = photoStateOf(photo)
  if (state === 'failed') {
    return (
      <span className="photo-tile__failed">
        <TriangleAlert className="icon" />
        <b>{text.failed}</b>
        <span className="photo-tile__failed-name file-name" translate="no">
          {photo.filename}
        </span>
      </span>
    )
  }
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <>
      {thumbnailUrl && <img src={thumbnailUrl} alt="" loading="lazy" decoding="async" draggable={false} />}
      {state === 'processing' && <span className="spin" aria-hidden="true" />}
      {photo.hidden && <HiddenMark byOperator={isHiddenByOperator(photo)} />}
      <span className="photo-tile__caption" translate="no">
        <span className="ellipsis file-name">{photo.filename}</span>
        <span className="tabular-numbers">{format.time(photo.created_at)}</span>
      </span>
    </>
  )
}

function HiddenMark({ byOperator }: { byOperator: boolean }) {
  const text = useText({ gallery })
  const mark = byOperator ? text.hiddenByOperator : text.hidden
  const Icon = byOperator ? ShieldAlert : EyeOff
  return (
    <span className="badge badge--bad photo-tile__hidden" title={mark}>
      <Icon className="icon" />
      <span>{mark}</span>
    </span>
  )
}

function RetryButton({ photo, retry }: { photo: Photo; retry: (id: string) => void }) {
  const text = useText({ gallery })
  return (
    <button
      type="button"
      className="btn btn--quiet photo-tile__retry"
      aria-label={text.retryProcessing(photo.filename)}
      onClick={() => retry(photo.id)}
    >
      <RotateCw className="icon" />
      {text.retry}
    </button>
  )
}

const longPressMs = 500

/** Calls `action` after a long touch, as apps for photos do; the touch then does not follow the link. */
function useLongPress(action: () => void, enabled: boolean) {
  const longPressTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasLongPress = useRef(false)
  if (!enabled) return {}
  const cancelLongPress = (): void => clearTimeout(longPressTimer.current)
  const preventAfterLongPress = (event: MouseEvent): void => {
    if (wasLongPress.current) event.preventDefault()
  }
  return {
    onPointerDown({ pointerType }: { pointerType: string }) {
      wasLongPress.current = false
      if (pointerType !== 'touch') return
      longPressTimer.current = setTimeout(() => {
        wasLongPress.current = true
        action()
      }, longPressMs)
    },
    onPointerUp: cancelLongPress,
    onPointerCancel: cancelLongPress,
    onPointerLeave: cancelLongPress,
    onContextMenu: preventAfterLongPress,
    onClick: preventAfterLongPress,
  }
}
