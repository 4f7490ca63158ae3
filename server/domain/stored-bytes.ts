import { sql } from 'kysely'

/**
 * The bytes that a photo takes of its owner's storage. Of a picture with a watermark and the same picture without it, the
 * larger one counts.
 */
export const photoBytes = sql<number>`case when full_key is null then coalesce(original_bytes, 0) else
  greatest(coalesce(full_bytes, 0), coalesce(unmarked_bytes, 0)) + coalesce(thumb_bytes, 0) end`

/** The bytes that the selected photos take of their owner's storage. */
export const storedBytes = sql<number>`coalesce(sum(${photoBytes}), 0)::bigint`
