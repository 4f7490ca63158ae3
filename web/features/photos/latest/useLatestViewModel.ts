import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useEffect, useRef, useState } from 'react'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { latestViewModelOf, type LatestViewModel } from './latest-view-model.ts'
import { loadFullImage, loadView, type LoadedView } from './load-images.ts'

/** Duration of the fade-out; the same as --mid. */
const fadeMs = 180
const retryDelayMs = 5_000
const maxAttempts = 24

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * What the Latest page shows: photo, code and texts change together, after the images have decoded. A photo that cannot
 * be loaded never replaces the one that is visible; it is tried again for two minutes.
 */
export function useLatestViewModel(photo: Photo, user: User): { shown: LoadedView | null; isFadingOut: boolean } {
  const model = useStableModel(latestViewModelOf(photo, user, useMediaUrl()))
  const [shown, setShown] = useState<LoadedView | null>(null)
  const [fadingOutFor, setFadingOutFor] = useState<LatestViewModel | null>(null)
  const isFirst = useRef(true)

  useEffect(() => {
    let cancelled = false
    async function show(next: LatestViewModel): Promise<void> {
      const view = await loadWithRetries(next, () => cancelled)
      if (cancelled || !view) return
      if (!isFirst.current && !prefersReducedMotion()) {
        setFadingOutFor(next)
        await delay(fadeMs)
        if (cancelled) return
      }
      isFirst.current = false
      setShown(view)
      setFadingOutFor(null)
      const withFullImage = await loadFullImage(view)
      if (withFullImage && !cancelled) setShown(withFullImage)
    }
    void show(model)
    return () => {
      cancelled = true
    }
  }, [model])

  return { shown, isFadingOut: fadingOutFor === model }
}

/** The same object for as long as its key is the same. */
function useStableModel(model: LatestViewModel): LatestViewModel {
  const [stable, setStable] = useState(model)
  if (stable.key === model.key) return stable
  setStable(model)
  return model
}

async function loadWithRetries(model: LatestViewModel, isCancelled: () => boolean): Promise<LoadedView | null> {
  for (let attempt = 0; attempt < maxAttempts && !isCancelled(); attempt++) {
    const view = await loadView(model)
    if (view) return view
    await delay(retryDelayMs)
  }
  return null
}
