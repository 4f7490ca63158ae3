import type { Photo } from '@keepsnap/contract/photos.ts'
import { useEffect, useRef } from 'react'
import { photoStateOf } from '../photo-state.ts'

export type LatestChange = 'received' | 'changed'

/** What changed when the latest photo was `before` and is `now`; null: nothing that is announced. */
export function latestChange(before: Photo | null, now: Photo | null): LatestChange | null {
  if (!now) return null
  if (before?.id === now.id) {
    const [stateBefore, state] = [photoStateOf(before), photoStateOf(now)]
    if (stateBefore === state) return null
    return stateBefore === 'processing' && state === 'ready' ? 'received' : 'changed'
  }
  const isNewer = !before || now.created_at > before.created_at
  // A photo in processing is announced when it can be seen.
  return isNewer && photoStateOf(now) === 'ready' ? 'received' : null
}

/** Calls back when another photo is the latest, or the state of the latest changed; not for the first photo. */
export function useLatestChange(
  photo: Photo | null | undefined,
  onChange: (change: LatestChange, photo: Photo) => void,
): void {
  const lastPhoto = useRef(photo)
  const newestCreatedAt = useRef('')
  useEffect(() => {
    const before = lastPhoto.current
    lastPhoto.current = photo
    // A hidden photo that is shown again is newer than the latest, but not new.
    const isKnown = before?.id !== photo?.id && (photo?.created_at ?? '') <= newestCreatedAt.current
    if (photo && photo.created_at > newestCreatedAt.current) newestCreatedAt.current = photo.created_at
    if (before === undefined || !photo || isKnown) return
    const change = latestChange(before, photo)
    if (change) onChange(change, photo)
  }, [photo, onChange])
}
