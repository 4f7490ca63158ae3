import type { Photo } from '@keepsnap/contract/photos.ts'

/** The index that a key leads to in the viewer; null for other keys. */
export function indexAfterKey(key: string, index: number, count: number): number | null {
  const last = count - 1
  if (key === 'ArrowLeft') return Math.max(0, index - 1)
  if (key === 'ArrowRight') return Math.min(last, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : null
}

/** The photo to show after a deletion: the next one, else the previous one, else none. */
export const neighbourOf = (photos: readonly Photo[], index: number): Photo | null =>
  photos[index + 1] ?? photos[index - 1] ?? null
