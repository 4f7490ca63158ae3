import { sql } from 'kysely'
import type { Urls } from './urls.ts'

/** Whether an operator hid a photo. */
export const isHiddenByOperator = sql<boolean>`(photos.operator_decision is not distinct from 'hide')`
/** Since when a photo is hidden from guests; null while it is not. */
export const hiddenAt = sql<Date | null>`case when ${isHiddenByOperator} then coalesce(photos.hidden_at, photos.operator_decided_at)
  else photos.hidden_at end`

/** The columns of a photo's thumbnail and of who hid it. */
export interface ThumbnailColumns {
  thumb_key: string | null
  hidden_at: Date | null
  operator_decision: string | null
}

/** A thumbnail's URL for the photo's owner, who gets none while an operator hides it. */
export function ownerThumbnailUrl(
  urls: Urls,
  { thumb_key: thumbKey, hidden_at, operator_decision }: ThumbnailColumns,
): string | null {
  if (thumbKey === null || operator_decision === 'hide') return null
  return hidden_at ? urls.hiddenThumbnail({ thumbKey, hiddenAt: hidden_at, reader: 'owner' }) : urls.thumbnail(thumbKey)
}

/** A thumbnail's URL for an operator, who looks at what was reported also while it is hidden. */
export const operatorThumbnailUrl = (urls: Urls, { thumb_key: thumbKey, hidden_at }: ThumbnailColumns): string | null =>
  thumbKey &&
  (hidden_at ? urls.hiddenThumbnail({ thumbKey, hiddenAt: hidden_at, reader: 'operator' }) : urls.thumbnail(thumbKey))
