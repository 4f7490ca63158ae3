import { thumbHashToDataURL } from 'thumbhash'

/** The blurred likeness of a photo from its ThumbHash, as a data address; null without one, or with a broken one. */
export function placeholderOf(thumbhash: string | null): string | null {
  if (thumbhash === null) return null
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (sign) => sign.charCodeAt(0)))
  } catch {
    return null
  }
}
