import type { Client } from 'pg'

interface PhotoCopies {
  /** Id of the user whose photos are copied. */
  from: string
  /** Ids of the users who get them. */
  to: readonly string[]
  /** How often each photo is copied; once by default. */
  times?: number
}

/** Gives users as many photos as another one has, or some times more; their files do not exist. */
export async function copyPhotos(database: Client, { from, to, times = 1 }: PhotoCopies): Promise<void> {
  for (const id of to)
    await database.query(
      `insert into photos (id, user_id, code, filename, state, created_at, counted_month, full_key, full_type, full_bytes,
         thumb_key, thumb_bytes, width, height, thumbhash)
       select left(md5(random()::text), 22), $1, left(md5(random()::text), 22), filename, state, created_at, counted_month,
         'full/' || left(md5(random()::text), 22), full_type, full_bytes,
         'thumb/' || left(md5(random()::text), 22), thumb_bytes, width, height, thumbhash
       from photos, generate_series(1, $3) where user_id = $2`,
      [id, from, times],
    )
}
