import type { Photo } from '@keepsnap/contract/photos.ts'
import { useEffect, useRef, useState } from 'react'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { wait } from '../../../lib/wait.ts'
import { latestViewModelOf, type EmailGateSetting, type LatestViewModel } from './latest-view-model.ts'
import { loadFullImage, loadView, type LoadedView } from './loaded-view.ts'

/** Duration of the fade-out; the same as --duration-mid. */
const fadeMs = 180
const retryDelayMs = 5_000
/** Afterwards `gaveUp`, and longer delays. */
const quickAttempts = 24
const slowRetryDelayMs = 60_000

const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

interface LatestLoading {
  shown: LoadedView | null
  isFadingOut: boolean
  /** The photo could not be loaded for two minutes. */
  gaveUp: boolean
  /** Loads it again, after `gaveUp`. */
  retry: () => void
}

/**
 * What the Latest page shows: photo, code and texts change together, after the images have decoded. A photo that cannot
 * be loaded never replaces the one that is visible; it is tried again until it is loaded.
 */
export function useLatestViewModel(photo: Photo, user: EmailGateSetting): LatestLoading {
  const [model, retry] = useStableModel(latestViewModelOf(photo, user, useMediaUrl()))
  const [shown, setShown] = useState<LoadedView | null>(null)
  const [fadingOutFor, setFadingOutFor] = useState<LatestViewModel | null>(null)
  const [gaveUpOn, setGaveUpOn] = useState<LatestViewModel | null>(null)
  const isFirst = useRef(true)

  useEffect(() => {
    let cancelled = false
    async function showViewModel(next: LatestViewModel): Promise<void> {
      const loadedView = await loadWithRetries(next, {
        isCancelled: () => cancelled,
        onGaveUp: () => setGaveUpOn(next),
      })
      if (!loadedView || cancelled) return
      if (!isFirst.current && !prefersReducedMotion()) {
        setFadingOutFor(next)
        await wait(fadeMs)
        if (cancelled) return
      }
      isFirst.current = false
      setShown(loadedView)
      setFadingOutFor(null)
      const withFullImage = await loadFullImage(loadedView)
      if (withFullImage && !cancelled) setShown(withFullImage)
    }
    void showViewModel(model)
    return () => {
      cancelled = true
    }
  }, [model])

  return { shown, isFadingOut: fadingOutFor === model, gaveUp: gaveUpOn === model, retry }
}

/** The same object for as long as its key is the same, and a function that replaces it by a copy. */
function useStableModel(model: LatestViewModel): [LatestViewModel, () => void] {
  const [stable, setStable] = useState(model)
  const replace = (): void => setStable((latest) => ({ ...latest }))
  if (stable.key === model.key) return [stable, replace]
  setStable(model)
  return [model, replace]
}

/** Null when it is cancelled. */
async function loadWithRetries(
  model: LatestViewModel,
  { isCancelled, onGaveUp }: { isCancelled: () => boolean; onGaveUp: () => void },
): Promise<LoadedView | null> {
  for (let attempt = 1; !isCancelled(); attempt++) {
    const loadedView = await loadView(model)
    if (loadedView) return loadedView
    if (attempt === quickAttempts) onGaveUp()
    await wait(attempt < quickAttempts ? retryDelayMs : slowRetryDelayMs)
  }
  return null
}
