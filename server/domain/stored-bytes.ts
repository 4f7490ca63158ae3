import { sql } from 'kysely'

/**
 * The bytes by which a photo uses its owner's storage. Of the image with a watermark and the one without it, only the
 * larger counts.
 */
export const photoBytes = sql<number>`case when full_key is null then coalesce(original_bytes, 0) else
  greatest(coalesce(full_bytes, 0), coalesce(unmarked_bytes, 0)) + coalesce(thumb_bytes, 0) end`

/** The storage that the selected photos use, in bytes. */
export const storedBytes = sql<number>`coalesce(sum(${photoBytes}), 0)::bigint`
