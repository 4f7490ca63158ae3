import type { Photo } from '@keepsnap/contract/photos.ts'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, ImageOff, Trash2, X } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { ApiError } from '../../../lib/answers.ts'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useApi } from '../../../lib/parts.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { photoQuery } from '../queries.ts'
import { DeletePhoto } from './DeletePhoto.tsx'
import { Slides } from './Slides.tsx'
import { indexAfterKey, neighbourOf } from './slides.ts'
import { ViewerSide } from './ViewerSide.tsx'
import './viewer.css'

interface Props {
  id: string
  /** Newest first, as far as they are loaded. */
  photos: readonly Photo[]
  /** Number of all photos. */
  total: number
  /** Null when there are no more. */
  loadMore: (() => void) | null
  /** Gives a hidden photo back to guests. */
  showAgain: (id: string) => Promise<unknown>
  onMove: (id: string) => void
  onClose: () => void
}

/** Photos before the last one from which on more are asked for. */
const nearEnd = 5

/** One photo after another, over the gallery. */
export function Viewer({ id, photos: listed, total, loadMore, showAgain, onMove, onClose }: Props) {
  const text = useText({ gallery }).viewer
  const { photos, index, missing } = useShown(listed, id)
  const photo = photos[index]
  const [asking, ask] = useState(false)
  const close = useRef<HTMLButtonElement>(null)
  const title = useId()
  useEffect(() => close.current?.focus(), [])
  useEffect(() => {
    if (index >= photos.length - nearEnd) loadMore?.()
  }, [index, photos.length, loadMore])

  const go = (to: number): void => {
    const next = photos[to]
    if (next && to !== index) onMove(next.id)
  }
  const keys = (event: KeyboardEvent): void => {
    // The slides have their own arrows, which move a photo that is zoomed in.
    const inSlides =
      event.key.startsWith('Arrow') && event.target instanceof Element && event.target.closest('.yarl__root')
    const to = inSlides || asking ? null : indexAfterKey(event.key, index, photos.length)
    if (to === null) return
    event.preventDefault()
    go(to)
  }
  const removed = (): void => {
    ask(false)
    const next = neighbourOf(photos, index)
    if (next) onMove(next.id)
    else onClose()
  }
  const isListed = listed.length > 0 && photos === listed
  return (
    <Dialog
      open
      onClose={onClose}
      className="viewer on-photo"
      aria-labelledby={title}
      onKeyDown={keys}
      {...useOutside(onClose)}
    >
      <header className="viewer__bar">
        <div className="viewer__title">
          <h2 id={title} className="cut file-name" translate={photo ? 'no' : undefined}>
            {photo?.filename ?? text.label}
          </h2>
          <Position at={isListed ? index + 1 : null} total={total} />
        </div>
        {photo && (
          <Button className="viewer__btn" tone="ghost" icon aria-label={text.remove} onClick={() => ask(true)}>
            <Trash2 className="i" />
          </Button>
        )}
        <Button ref={close} className="viewer__btn" tone="ghost" icon aria-label={text.close} onClick={onClose}>
          <X className="i" />
        </Button>
      </header>
      <div className="viewer__body">
        <Turn side="prev" label={text.previous} disabled={index <= 0} onClick={() => go(index - 1)} />
        <div className="viewer__photo">
          {photo && <Slides photos={photos} index={index} onMove={go} />}
          {missing && <Missing why={missing} />}
        </div>
        <Turn side="next" label={text.next} disabled={index >= photos.length - 1} onClick={() => go(index + 1)} />
        {photo && <ViewerSide photo={photo} showAgain={() => showAgain(photo.id)} />}
      </div>
      {photo && <DeletePhoto photo={photo} open={asking} onDeleted={removed} onClose={() => ask(false)} />}
    </Dialog>
  )
}

/** The address names a photo that cannot be shown. */
function Missing({ why }: { why: 'gone' | 'unreadable' }) {
  const text = useText({ gallery }).viewer
  return (
    <div className="viewer__gone">
      <ImageOff className="i" />
      <p>{text[why]}</p>
    </div>
  )
}

function Turn({
  side,
  label,
  ...button
}: {
  side: 'prev' | 'next'
  label: string
  disabled: boolean
  onClick: () => void
}) {
  const Icon = side === 'prev' ? ChevronLeft : ChevronRight
  return (
    <Button {...button} className={`viewer__btn viewer__turn viewer__${side}`} tone="ghost" aria-label={label}>
      <Icon className="i" />
    </Button>
  )
}

function Position({ at, total }: { at: number | null; total: number }) {
  const text = useText({ gallery }).viewer
  const format = useFormat()
  return <output className="num">{at !== null && text.position(at, format.count(total))}</output>
}

/** The photos to leaf through: those of the gallery, or the one photo alone while the gallery does not hold it. */
function useShown(listed: readonly Photo[], id: string) {
  const at = listed.findIndex((photo) => photo.id === id)
  const single = useQuery({ ...photoQuery(useApi(), id), enabled: at < 0 })
  const alone = useMemo(() => (single.data ? [single.data] : []), [single.data])
  if (at >= 0) return { photos: listed, index: at, missing: null }
  const { error } = single
  const isGone = error instanceof ApiError && error.status === 404
  return { photos: alone, index: 0, missing: error && (isGone ? ('gone' as const) : ('unreadable' as const)) }
}

const farPx = 6

/** A click beside the photo, the code and the buttons closes; the end of a swipe does not. */
function useOutside(onClose: () => void) {
  const pressed = useRef({ x: 0, y: 0 })
  return {
    onPointerDown: ({ clientX: x, clientY: y }: { clientX: number; clientY: number }) => {
      pressed.current = { x, y }
    },
    onClick: ({ target, clientX, clientY }: MouseEvent) => {
      const moved = Math.hypot(clientX - pressed.current.x, clientY - pressed.current.y) > farPx
      const inside =
        !(target instanceof Element) ||
        target.closest('img, a, button, .dialog, .viewer__bar, .viewer__code, .viewer__unready')
      if (!moved && !inside) onClose()
    },
  }
}
