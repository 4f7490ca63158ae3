import type { Photo } from '@keepsnap/contract/photos.ts'
import { Check, EyeOff, RotateCw, TriangleAlert } from 'lucide-react'
import { memo, useRef, type CSSProperties, type MouseEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/parts.tsx'
import { staying } from '../../../lib/scroll.ts'
import { gallery } from '../../../messages/en/gallery.ts'
import { stateOf } from '../codes.ts'
import { placeholderOf } from '../placeholder.ts'

/** The same functions for as long as the page is shown, so that a tile is drawn when its photo changes. */
export interface TileDeeds {
  addressOf: (id: string) => string
  /** Picks a photo; the first one starts the picking. */
  pick: (id: string, range: boolean) => void
  retry: (id: string) => void
}

interface Props {
  photo: Photo
  width: number
  height: number
  /** Null while nobody is picking. */
  picked: boolean | null
  deeds: TileDeeds
}

/** One photo of the gallery: leads to the viewer, or is picked. */
export const Tile = memo(function Tile({ photo, width, height, picked, deeds }: Props) {
  const state = stateOf(photo)
  const likeness = placeholderOf(photo.thumbhash)
  const style: CSSProperties = { width, height, ...(likeness && { backgroundImage: `url(${likeness})` }) }
  const look = [
    'g',
    'on-photo',
    state === 'processing' && 'g--busy',
    state === 'failed' && 'g--bad',
    photo.hidden && 'g--hidden',
    picked && 'g--on',
  ]
  return (
    <div className="g__cell" style={{ width, height }}>
      <TileFrame photo={photo} picked={picked} deeds={deeds} className={look.filter(Boolean).join(' ')} style={style}>
        <TileFace photo={photo} />
        {picked !== null && <span className="g__tick">{picked && <Check className="i" />}</span>}
      </TileFrame>
      {state === 'failed' && picked === null && <Retry photo={photo} retry={deeds.retry} />}
    </div>
  )
})

/** The viewer lies over the page, and closing it is going back to here. */
const fromWall = { ...staying, fromWall: true }

type FrameProps = Pick<Props, 'photo' | 'picked' | 'deeds'> & {
  className: string
  style: CSSProperties
  children: ReactNode
}

function TileFrame({ photo, picked, deeds, children, ...look }: FrameProps) {
  const text = useText({ gallery })
  const label = useLabel(photo)
  const press = useLongPress(() => deeds.pick(photo.id, false), picked === null)
  if (picked !== null) {
    return (
      <button
        {...look}
        type="button"
        data-photo={photo.id}
        aria-pressed={picked}
        aria-label={text.select.pick(label)}
        onClick={({ shiftKey }) => deeds.pick(photo.id, shiftKey)}
      >
        {children}
      </button>
    )
  }
  return (
    <Link
      {...look}
      {...press}
      to={deeds.addressOf(photo.id)}
      state={fromWall}
      data-photo={photo.id}
      aria-label={label}
      draggable={false}
    >
      {children}
    </Link>
  )
}

function useLabel(photo: Photo): string {
  const text = useText({ gallery })
  const format = useFormat()
  const labels = {
    ready: () => text.tile(photo.filename, format.dateTime(photo.created_at)),
    processing: () => text.processing(photo.filename),
    failed: () => text.failedTile(photo.filename),
  }
  const label = labels[stateOf(photo)]()
  return photo.hidden ? text.hiddenTile(label) : label
}

function TileFace({ photo }: { photo: Photo }) {
  const text = useText({ gallery })
  const format = useFormat()
  const media = useMediaUrl()
  const state = stateOf(photo)
  if (state === 'failed') {
    return (
      <span className="g__why">
        <TriangleAlert className="i" />
        {text.failed}
      </span>
    )
  }
  const thumb = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <>
      {thumb && <img src={thumb} alt="" loading="lazy" decoding="async" draggable={false} />}
      {state === 'processing' && <span className="spin" aria-hidden="true" />}
      {photo.hidden && (
        <span className="badge badge--bad g__hidden">
          <EyeOff className="i" />
          <span>{text.hidden}</span>
        </span>
      )}
      <span className="g__cap" translate="no">
        <span className="cut file-name">{photo.filename}</span>
        <span className="num">{format.time(photo.created_at)}</span>
      </span>
    </>
  )
}

function Retry({ photo, retry }: { photo: Photo; retry: (id: string) => void }) {
  const text = useText({ gallery })
  return (
    <button
      type="button"
      className="btn btn--quiet g__retry"
      aria-label={text.retryOne(photo.filename)}
      onClick={() => retry(photo.id)}
    >
      <RotateCw className="i" />
      {text.retry}
    </button>
  )
}

const longMs = 500

/** A finger that rests on a tile picks it, as photo apps do; the touch then opens nothing. */
function useLongPress(deed: () => void, isOn: boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pressed = useRef(false)
  if (!isOn) return {}
  const stop = (): void => clearTimeout(timer.current)
  return {
    onPointerDown({ pointerType }: { pointerType: string }) {
      pressed.current = false
      if (pointerType !== 'touch') return
      timer.current = setTimeout(() => {
        pressed.current = true
        deed()
      }, longMs)
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onPointerLeave: stop,
    onContextMenu(event: MouseEvent) {
      if (pressed.current) event.preventDefault()
    },
    onClick(event: MouseEvent) {
      if (pressed.current) event.preventDefault()
    },
  }
}
