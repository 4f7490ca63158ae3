import { useState } from 'react'
import type { PhotoSlide } from './photo-slide.ts'

/** Slides and the index of the one that is shown. */
export interface ShownSlides {
  slides: readonly PhotoSlide[]
  index: number
}

/**
 * The slides to pass to the lightbox, which ends a zoom when the index of its slide changes, as with each new photo:
 * while a photo is zoomed in, they stay as they were.
 */
export function useSteadySlides(current: ShownSlides): ShownSlides & { onZoom: (zoom: number) => void } {
  const [zoomed, setZoomed] = useState<ShownSlides | null>(null)
  const idOf = ({ slides, index }: ShownSlides): string | undefined => slides[index]?.photo.id
  const isSamePhoto = zoomed !== null && idOf(zoomed) === idOf(current)
  return {
    ...(isSamePhoto ? zoomed : current),
    onZoom: (zoom) => setZoomed(zoom <= 1 ? null : isSamePhoto ? zoomed : current),
  }
}
