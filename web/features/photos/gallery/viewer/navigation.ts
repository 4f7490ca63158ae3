import type { Photo } from '@keepsnap/contract/photos.ts'

/** How far a key leads in the viewer, from this photo; null for other keys. */
export function distanceOfKey(key: string, index: number, count: number): number | null {
  if (key === 'ArrowLeft') return -1
  if (key === 'ArrowRight') return 1
  if (key === 'Home') return -index
  return key === 'End' ? count - 1 - index : null
}

/** Where the user wants to be: `beyond` photos after this one, which are not loaded; before it, when negative. */
export interface Target {
  id: string
  beyond: number
}

interface Bounds {
  photos: readonly Photo[]
  /** How many photos exist before and after those that are loaded. */
  newer: number
  older: number
}

/** The target after a move. Beyond the photos that are loaded, it goes as far as there are others. */
export function targetAfter({ id, beyond }: Target, distance: number, { photos, newer, older }: Bounds): Target {
  const last = photos.length - 1
  const from = photos.findIndex((photo) => photo.id === id)
  if (from < 0) return { id, beyond: 0 }
  const to = Math.min(last + older, Math.max(0 - newer, from + beyond + distance))
  const loaded = Math.min(last, Math.max(0, to))
  return { id: photos[loaded]!.id, beyond: to - loaded } // within the photos
}

/** The photo to show after a deletion: the next one, else the previous one, else none. */
export const neighbourOf = (photos: readonly Photo[], index: number): Photo | null =>
  photos[index + 1] ?? photos[index - 1] ?? null
