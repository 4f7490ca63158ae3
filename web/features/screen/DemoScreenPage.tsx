import { useEffect, useMemo, useState } from 'react'
import { ChevronRight, Pause, Play } from 'lucide-react'
import { Link } from 'react-router'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { sampleCodePath, type SampleName, sampleNames } from '@keepsnap/contract/site.ts'
import { useText } from '../../lib/i18n.tsx'
import { loadImage } from '../../lib/images.ts'
import { BundledUrlsContext, useSampleCodeUrl, useSessionState } from '../../lib/app-services.tsx'
import { samples } from '../../messages/en/frame.ts'
import { samplePictures } from '../../pictures/samples.ts'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { paths } from '../../lib/paths.ts'
import { demo } from '../../messages/en/screen.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { BigScreen } from './BigScreen.tsx'
import { ToolbarButton, useFullScreen } from './screen-controls.tsx'
import { useLatestViewModel } from './latest-view-model.ts'
import { keepScreenOn } from './wake-lock.ts'

/** Long enough to scan a code, short enough that a visitor sees a photo arrive. */
const arrivalIntervalMs = 8_000
const imageTimeoutMs = 20_000
/** How old the photos are at first, in minutes, newest first. */
const firstAges = [0, 2, 5, 9, 14, 20]

interface Arrival {
  name: SampleName
  /** ISO 8601 in UTC. */
  at: string
}

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

const firstArrivals = (): Arrival[] => sampleNames.map((name, n) => ({ name, at: minutesAgo(firstAges[n] ?? 0) }))

/** The oldest photo arrives again, as the newest. */
const withNextArrival = (arrivals: readonly Arrival[]): Arrival[] =>
  arrivals
    .slice(-1)
    .map(({ name }) => ({ name, at: minutesAgo(0) }))
    .concat(arrivals.slice(0, -1))

/** Decodes the pictures of the next photo, so that it does not appear in parts. */
async function loadNext(arrivals: readonly Arrival[], codeUrlOf: (name: SampleName) => string): Promise<boolean> {
  const next = arrivals.at(-1)
  if (!next) return false
  const urls = [samplePictures[next.name].full, codeUrlOf(next.name)]
  return (await Promise.all(urls.map((url) => loadImage(url, imageTimeoutMs)))).every((image) => image !== null)
}

/**
 * Sample photos that arrive one after the other, as from a camera. Paused in a hidden tab, and at first for users who
 * prefer reduced motion.
 */
function useSamplePhotos() {
  const descriptions = useText({ samples })
  const codeUrlOf = useSampleCodeUrl()
  const [arrivals, setArrivals] = useState(firstArrivals)
  const [paused, setPaused] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches)

  useEffect(() => {
    if (paused) return
    let cancelled = false
    let arrivalTimer = setTimeout(showNext, arrivalIntervalMs)
    async function showNext(): Promise<void> {
      const ready = !document.hidden && (await loadNext(arrivals, codeUrlOf))
      if (cancelled) return
      if (ready) setArrivals(withNextArrival)
      else arrivalTimer = setTimeout(showNext, arrivalIntervalMs)
    }
    return () => {
      cancelled = true
      clearTimeout(arrivalTimer)
    }
  }, [arrivals, paused, codeUrlOf])

  const photos = useMemo(
    () => arrivals.map((arrival) => samplePhoto(arrival, descriptions[arrival.name])),
    [arrivals, descriptions],
  )
  const [newest, ...before] = photos
  if (!newest) throw new Error('there are no sample pictures')
  // `before`: without the newest, what was there before it arrived. `next`: the next photo arrives now.
  return { photos, newest, before, paused, setPaused, next: () => setArrivals(withNextArrival) }
}

function samplePhoto({ name, at }: Arrival, description: string): Photo {
  const { full, thumbnail, width, height } = samplePictures[name]
  return {
    id: name,
    filename: description,
    b2_url: full,
    screen_url: full,
    thumbnail_url: thumbnail,
    qr_code_url: sampleCodePath(name),
    email_qr_code_url: sampleCodePath(name),
    created_at: at,
    processing: false,
    processing_complete: true,
    processing_failed: false,
    error_message: null,
    can_retry: false,
    width,
    height,
    thumbhash: null,
    hidden: false,
    operator_decision: null,
    size_bytes: null,
  }
}

const settings = { ask_email_to_receive_photo: false, background_image_url: null }
const bundledUrls = new Set(Object.values(samplePictures).flatMap(({ full, thumbnail }) => [full, thumbnail]))

/** A demonstration of the big screen for everybody, with sample pictures that arrive like photos. */
export function DemoScreenPage() {
  const text = useText({ demo })
  usePageTitle(text.title)
  return (
    <BundledUrlsContext value={bundledUrls}>
      <PageHeading className="visually-hidden">{text.heading}</PageHeading>
      <Demonstration />
    </BundledUrlsContext>
  )
}

function Demonstration() {
  const text = useText({ demo })
  const { photos, newest, before, paused, setPaused, next } = useSamplePhotos()
  const view = useLatestViewModel(newest, settings)
  const fullScreen = useFullScreen()
  useEffect(() => keepScreenOn(window), [])
  // Not stored: it is about the demonstration, not about this device.
  const [showsRecent, setShowsRecent] = useState(true)
  // The newest photo is not yet among the others while it is still fading in.
  const recent = view.shown?.model.photo.id === newest.id ? photos : before
  return (
    <BigScreen
      view={view}
      failure={text.failed}
      recent={recent}
      settings={settings}
      fullScreen={fullScreen}
      showsRecent={showsRecent}
      onToggleRecent={() => setShowsRecent(!showsRecent)}
      logo={<DemoNote />}
      controls={
        <>
          <ToolbarButton
            icon={paused ? Play : Pause}
            label={paused ? text.play : text.pause}
            shortcut="Space"
            onClick={() => setPaused(!paused)}
          />
          <ToolbarButton icon={ChevronRight} label={text.next} shortcut="ArrowRight" onClick={next} />
        </>
      }
    />
  )
}

/** Says that this is a demonstration, and where the real one begins. */
function DemoNote() {
  const text = useText({ demo })
  const isSignedIn = useSessionState().token !== null
  return (
    <div className="latest__note">
      <p>
        <b>{text.label}</b>
        <span>{text.lead}</span>
      </p>
      <Link className={buttonClass({ tone: 'primary' })} to={isSignedIn ? paths.latest : paths.register}>
        {isSignedIn ? text.openLatest : text.getStarted}
      </Link>
    </div>
  )
}
