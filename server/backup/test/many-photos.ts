import { newStorageKey } from '../../domain/stored-objects.ts'
import { newId } from '../../lib/ids.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import type { TestServer } from '../../test/harness.ts'
import { photoOf } from './deletions.ts'

const sources = 4

/** An account with so many photos; those after the first four are copies with files of their own. */
export async function accountWithPhotos(server: TestServer, count: number): Promise<{ id: string; token: string }> {
  const { pool, storage } = server.app.deps
  const { user } = await photoOf(server)
  for (let number = 1; number < sources; number++) await photoOf(server, user)
  const { rows } = await pool.query<{ id: string; full_key: string; thumb_key: string }>(
    'select id, full_key, thumb_key from photos where user_id = $1',
    [user.id],
  )
  for (let number = sources; number < count; number++) {
    const source = rows[number % sources]
    if (!source) throw new Error('there are no photos to copy')
    const [id, full, thumb] = [newId(), newStorageKey('full'), newStorageKey('thumb')]
    await pool.query(
      `insert into photos (id, user_id, code, filename, state, created_at, finished_at, counted_month, full_key, full_type, full_bytes,
         thumb_key, thumb_bytes, width, height, thumbhash)
       select $1, user_id, $2, filename, state, created_at, finished_at, counted_month, $3, full_type, full_bytes,
         $4, thumb_bytes, width, height, thumbhash from photos where id = $5`,
      [id, newId(), full, thumb, source.id],
    )
    await pool.query('insert into stored_objects (key, photo_id) values ($1, $3), ($2, $3)', [full, thumb, id])
    for (const [from, to, type] of [
      [source.full_key, full, 'image/jpeg'],
      [source.thumb_key, thumb, 'image/webp'],
    ] as const) {
      const bytes = await storage.open(from)
      if (bytes) await storeStream(storage, to, { source: bytes, type })
    }
  }
  return user
}
