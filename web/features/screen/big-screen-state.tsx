import { ChevronLeft, ChevronRight, Pin, PinOff } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { latest } from '../../messages/en/screen.ts'
import { photoStateOf } from '../photos/photo-state.ts'
import { useCurrentEventId } from '../events/events.ts'
import { usePhotoList } from '../photos/photo-list.ts'
import { ToolbarButton } from './screen-controls.tsx'
import { isShowable, nextSlide, tonightPhotos, tonightSince } from './latest-view-model.ts'
import { useHold } from './hold.ts'
import type { Latest } from './latest-photo.ts'

type BigScreenState = ReturnType<typeof useBigScreenState>

/**
 * What the big screen shows, and the functions that change it. `pollMs`: the polling interval while the live connection is down.
 */
export function useBigScreenState(latest: Latest, user: User | null, pollMs: number | false) {
  const { newest, recent, isRecentKnown } = latest
  const hold = useHold(pollMs, recent)
  const [chosen, setChosen] = useState<{ id: string; newestId: string } | null>(null)
  const minutes = user?.slow_show_minutes ?? 0
  const photos = useKnownPhotos(recent, { all: chosen !== null, tonight: minutes > 0, pollMs })
  const visible = useMemo(() => photos.filter(isShowable), [photos])
  const newestId = newest?.id
  // A new photo takes the screen.
  const isChosen = chosen !== null && chosen.newestId === newestId
  const chosenPhoto = isChosen ? (visible.find(({ id }) => id === chosen.id) ?? null) : null
  const slideshowPhoto = useSlideshow({
    minutes,
    newestId,
    paused: hold.photo !== null || chosenPhoto !== null,
    photos,
  })
  useEffect(() => {
    if (!chosen) return
    const returnTimer = setTimeout(() => setChosen(null), chosenMs)
    return () => clearTimeout(returnTimer)
  }, [chosen])
  // Undefined until the recent photos are known too: they take up space beside it.
  const photo = isRecentKnown ? (hold.photo ?? chosenPhoto ?? slideshowPhoto ?? latest.photo) : undefined

  /** Null: there is none, or a photo is held. */
  const neighbour = (step: 1 | -1): (() => void) | null => {
    if (hold.photo || !photo || newestId === undefined) return null
    const index = visible.findIndex(({ id }) => id === photo.id)
    // A photo that is in processing or has failed precedes the newest one that guests can see.
    const target = index < 0 ? (step > 0 ? visible[0] : undefined) : visible[index + step]
    return target ? () => setChosen({ id: target.id, newestId }) : null
  }
  return { photo, hold, previous: neighbour(1), next: neighbour(-1) }
}

/** Shows until when the photo is held, together with the controls. */
export function HoldIndicator({ hold }: Pick<BigScreenState, 'hold'>) {
  const text = useText({ latest })
  const heldUntil = useHeldUntil(hold)
  return heldUntil !== null && <output className="latest__sign tabular-numbers">{text.hold.until(heldUntil)}</output>
}

function useHeldUntil({ photo, endsAt }: BigScreenState['hold']): string | null {
  const format = useFormat()
  return photo && endsAt !== null ? format.time(new Date(endsAt).toISOString()) : null
}

/** Which photo the big screen shows: the previous one, the next one, and whether it stays. */
export function BigScreenControls({ state: { photo, hold, previous, next } }: { state: BigScreenState }) {
  const text = useText({ latest })
  const heldUntil = useHeldUntil(hold)
  return (
    <>
      <ToolbarButton
        icon={ChevronLeft}
        label={text.toolbar.previous}
        shortcut="ArrowLeft"
        disabled={!previous}
        onClick={() => previous?.()}
      />
      {heldUntil !== null ? (
        <ToolbarButton
          icon={PinOff}
          label={text.hold.release}
          title={text.hold.until(heldUntil)}
          shortcut="Space"
          busy={hold.busy}
          onClick={hold.release}
        />
      ) : (
        <ToolbarButton
          icon={Pin}
          label={text.hold.hold}
          title={text.hold.hint}
          shortcut="Space"
          disabled={!photo || photoStateOf(photo) !== 'ready'}
          busy={hold.busy}
          onClick={() => photo && hold.hold(photo)}
        />
      )}
      <ToolbarButton
        icon={ChevronRight}
        label={text.toolbar.next}
        shortcut="ArrowRight"
        disabled={!next}
        onClick={() => next?.()}
      />
    </>
  )
}

/** How long a photo that was chosen with previous and next stays, when no new photo comes. */
const chosenMs = 2 * 60_000

/** The photos that are known, newest first: the recent ones, and the list of all as far as it is needed. */
function useKnownPhotos(
  recent: readonly Photo[],
  { all, tonight, pollMs }: { all: boolean; tonight: boolean; pollMs: number | false },
): readonly Photo[] {
  const event = useCurrentEventId()
  const list = usePhotoList('', { page: 'screen', event, enabled: all || tonight, pollMs })
  const { window: shown, load, failedEnd } = list
  const listed = shown?.photos
  const oldest = listed?.at(-1)
  useEffect(() => {
    const isTonightMissing = tonight && oldest !== undefined && oldest.created_at >= tonightSince(Date.now())
    if (isTonightMissing && shown?.older && failedEnd === null) load('older')
  }, [tonight, oldest, shown?.older, failedEnd, load])
  return listed && listed.length >= recent.length ? listed : recent
}

/** How long each photo of the show stays: long enough to walk up and scan. */
const slideMs = 15_000

interface Options {
  /** Minutes without a new photo after which the show starts; 0: never. */
  minutes: number
  /** Id of the newest photo: the show ends when another arrives. */
  newestId: string | undefined
  /** Nothing is shown meanwhile, and the quiet time starts again afterwards. */
  paused: boolean
  photos: readonly Photo[]
}

/** The photo of the slideshow; null while there is no show. */
export function useSlideshow({ minutes, newestId, paused, photos }: Options): Photo | null {
  const [shown, setShown] = useState<{ photo: Photo; newestId: string } | null>(null)
  const currentPhotos = useRef(photos)
  useEffect(() => {
    currentPhotos.current = photos
  })
  useEffect(() => {
    if (minutes === 0 || paused || newestId === undefined) return
    let slideTimer = setTimeout(showNext, minutes * 60_000)
    function showNext(): void {
      setShown((before) => {
        const next = nextSlide(tonightPhotos(currentPhotos.current, Date.now()), before && before.photo)
        return next && newestId !== undefined ? { photo: next, newestId } : null
      })
      slideTimer = setTimeout(showNext, slideMs)
    }
    return () => {
      clearTimeout(slideTimer)
      setShown(null)
    }
  }, [minutes, paused, newestId])
  if (!shown || shown.newestId !== newestId || paused) return null
  const current = photos.find(({ id }) => id === shown.photo.id)
  return current && isShowable(current) ? current : null
}
