import { copyFile, link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Pool, type PoolConfig } from 'pg'
import { newId } from '@keepsnap/server/lib/ids.ts'
import type { Visitor } from './visitor.ts'

/** How much an account has after a season; about three rows of activity for each photo. */
export interface SeasonSizes {
  photos: number
  /** Fridays and Saturdays before today, the newest first. */
  evenings: number
  /** Of guests, within the last 88 days: older ones are removed. */
  requests: number
}

interface StoredPhoto {
  id: string
  full_key: string
  thumb_key: string
}

const pathOf = (dataDir: string, key: string): string => {
  const [kind = '', name = ''] = key.split('/')
  return join(dataDir, 'files', kind, name.slice(0, 2), name)
}

async function linkFile(dataDir: string, from: string, to: string): Promise<void> {
  await mkdir(dirname(pathOf(dataDir, to)), { recursive: true, mode: 0o700 })
  // A file has at most 65,000 names on some file systems.
  await link(pathOf(dataDir, from), pathOf(dataDir, to)).catch(() =>
    copyFile(pathOf(dataDir, from), pathOf(dataDir, to)),
  )
}

/**
 * Fills an account with copies of its photos, whose files are links, with requests and with guests' activity, by SQL. Evenings last
 * from 19:00 to 2:00 in Brussels. Of the requests' emails, 3 in 100 have failed.
 */
export async function fillSeason(
  { database, dataDir }: { database: PoolConfig; dataDir: string },
  user: Pick<Visitor, 'email'>,
  { photos, evenings, requests }: SeasonSizes,
): Promise<void> {
  const pool = new Pool({ ...database, max: 1 })
  try {
    const { rows: owners } = await pool.query<{ id: string }>('select id from users where email = $1', [user.email])
    const [owner] = owners
    if (!owner) throw new Error('no such account')
    const { rows: originals } = await pool.query<StoredPhoto>(
      `select id, full_key, thumb_key from photos where user_id = $1 and state = 'ready' and deleted_at is null order by id`,
      [owner.id],
    )
    if (originals.length === 0) throw new Error('the account has no photo to copy')
    const copies = Array.from({ length: photos }, (_, place) => ({
      place,
      // In an order that no evening repeats.
      original: originals[(place * 7) % originals.length]!,
      id: newId(),
      code: newId(),
      full: `full/${newId()}`,
      thumb: `thumb/${newId()}`,
    }))
    for (const { original, full, thumb } of copies) {
      await linkFile(dataDir, original.full_key, full)
      await linkFile(dataDir, original.thumb_key, thumb)
    }
    await pool.query('begin')
    await pool.query(
      `with copy as (
         select * from json_to_recordset($2::json) as copy (place int, original text, id text, code text, "full" text, thumb text)
       ), evening as (
         select day, row_number() over (order by day desc) - 1 as evening
         from generate_series(current_date - 1000, current_date - 1, interval '1 day') as day where extract(isodow from day) in (5, 6)
       )
       insert into photos (id, user_id, code, filename, state, created_at, finished_at, counted_month, full_key, full_type, full_bytes,
         thumb_key, thumb_bytes, width, height, thumbhash, attempt)
       select copy.id, $1, copy.code, 'IMG_' || lpad((100000 - place)::text, 5, '0') || '.jpg', 'ready', at, at + interval '2 seconds', (at at time zone 'utc')::date,
         copy.full, full_type, full_bytes, copy.thumb, thumb_bytes, width, height, thumbhash, 1
       from copy
       join photos as original on original.id = copy.original
       join evening on evening.evening = place * $4::int / $3::int
       cross join lateral (select (day + interval '26 hours' - (place * $4::int % $3::int)::float8 / $3 * interval '7 hours') at time zone 'Europe/Brussels' as at) as moment`,
      [
        owner.id,
        JSON.stringify(copies.map(({ original, ...copy }) => ({ ...copy, original: original.id }))),
        photos,
        evenings,
      ],
    )
    await pool.query(
      `insert into stored_objects (key, photo_id)
       select key, photos.id from photos cross join lateral (values (full_key), (thumb_key)) as keys (key)
       where user_id = $1 and key is not null on conflict do nothing`,
      [owner.id],
    )
    await pool.query(
      `insert into photo_activity (photo_id, user_id, hour, scans, views, downloads, requests)
       select id, $1, date_trunc('hour', created_at) + make_interval(mins => 15 * quarter), 1 + place % 3, 2, place % 2, 0
       from (select id, created_at, row_number() over (order by created_at) as place from photos where user_id = $1) as photos
       cross join generate_series(1, 3) as quarter on conflict do nothing`,
      [owner.id],
    )
    await pool.query(
      `with asked as (
         select photos.id as photo_id, number, left(md5('id' || number || random()), 22) as id, left(md5('email' || number || random()), 22) as email_id,
           'guest' || number || '@example.com' as address,
           photos.created_at + make_interval(secs => 60 + number % 600) as at
         from generate_series(1, $2::int) as number
         join (
           select id, created_at, row_number() over (order by created_at desc) - 1 as place, count(*) over () as total
           from photos where user_id = $1 and created_at > now() - interval '88 days'
         ) as photos on photos.place = (number::bigint * 7919) % photos.total
       ), sent as (
         insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, created_at, due_at, give_up_at, attempts, state, sent_at, failure)
         select email_id, 'photo', $1, photo_id, address, address, at, at, at + interval '48 hours', 1,
           case when number % 100 < 3 then 'failed' else 'sent' end, case when number % 100 >= 3 then at + interval '3 seconds' end,
           case when number % 100 < 3 then 'The mail server did not accept the address.' end
         from asked returning id
       )
       insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version, requested_at, language)
       select id, photo_id, $1, email_id, address, address, '2026-11', at, 'en' from asked`,
      [owner.id, requests],
    )
    await pool.query('commit')
    await pool.query('analyze photos, photo_activity, photo_requests, emails, stored_objects')
  } finally {
    await pool.end()
  }
}
