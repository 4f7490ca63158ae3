import type { Photo } from '@keepsnap/contract/photos.ts'
import { useEffect, useRef } from 'react'
import { stateOf } from '../codes.ts'

/** What there is to say when the latest photo was `before` and is `now`; null is nothing. Both null: there is none. */
export function newsOf(before: Photo | null, now: Photo | null): 'received' | 'changed' | null {
  if (!now) return null
  if (before?.id === now.id) return stateOf(before) === stateOf(now) ? null : 'changed'
  return !before || now.created_at > before.created_at ? 'received' : null
}

/** Calls back when another photo is the latest, or the latest has become something else. Not for the first one seen. */
export function useNews(
  photo: Photo | null | undefined,
  tell: (news: 'received' | 'changed', photo: Photo) => void,
): void {
  const last = useRef(photo)
  useEffect(() => {
    const before = last.current
    last.current = photo
    if (before === undefined || !photo) return
    const news = newsOf(before, photo)
    if (news) tell(news, photo)
  }, [photo, tell])
}
