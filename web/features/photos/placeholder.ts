import { thumbHashToDataURL } from 'thumbhash'

/** A blurred preview of a photo from its ThumbHash, as a data URL; null without a hash or with an invalid one. */
export function placeholderOf(thumbhash: string | null): string | null {
  if (thumbhash === null || thumbhash === '') return null
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0)))
  } catch {
    return null
  }
}
