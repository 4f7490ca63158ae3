import type { Photo } from '@keepsnap/contract/photos.ts'
import { useEffect, useRef, useState } from 'react'
import { isShowable, nextSlide, tonightPhotos } from './slideshow.ts'

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
