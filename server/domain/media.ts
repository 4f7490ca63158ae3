import type { Db } from '../db/connect.ts'

/** Everything the policy looks at, and what is needed to send the bytes. */
export interface Media {
  photoId: string
  userId: string
  ownerActive: boolean
  asksEmail: boolean
  epoch: number
  state: string
  filename: string
  createdAt: Date
  code: string
  fullKey: string | null
  fullType: string | null
  fullBytes: number | null
  thumbKey: string | null
  thumbBytes: number | null
}

/** How the bytes were asked for. */
export type Way =
  /** The code on a print or screen, in anybody's hand. */
  | { by: 'direct code' }
  /** An address out of the owner's own lists; `valid` says whether its signature fits photo, key and epoch. */
  | { by: 'signed address'; valid: boolean }
  /** A thumbnail's unguessable address. */
  | { by: 'thumbnail' }
  /** A QR image. It never holds more than a code. */
  | { by: 'code image' }

export type Verdict = 'give' | 'ask for e-mail' | 'not yet' | 'nothing there'

/**
 * The one policy of who may read which bytes of a photo; every path to bytes asks it, with facts read at that moment.
 * product.md section 6.
 */
export function mayRead(media: Media | undefined, way: Way): Verdict {
  if (!media || !media.ownerActive || media.state === 'failed') return 'nothing there'
  switch (way.by) {
    case 'code image':
      return 'give'
    case 'thumbnail':
      return media.thumbKey === null ? 'nothing there' : 'give'
    case 'signed address':
      return way.valid && media.state === 'ready' ? 'give' : 'nothing there'
    case 'direct code':
      if (media.asksEmail) return 'ask for e-mail'
      return media.state === 'ready' ? 'give' : 'not yet'
  }
}

/** The facts behind a public name: a photo's id or code, or the key of one of its images. Deleted photos have none. */
export async function mediaBy(
  db: Db,
  column: 'id' | 'code' | 'full_key' | 'thumb_key',
  value: string,
): Promise<Media | undefined> {
  return db
    .selectFrom('photos as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select([
      'p.id as photoId',
      'p.user_id as userId',
      'u.is_active as ownerActive',
      'u.ask_email_to_receive_photo as asksEmail',
      'u.media_epoch as epoch',
      'p.state',
      'p.filename',
      'p.created_at as createdAt',
      'p.code',
      'p.full_key as fullKey',
      'p.full_type as fullType',
      'p.full_bytes as fullBytes',
      'p.thumb_key as thumbKey',
      'p.thumb_bytes as thumbBytes',
    ])
    .where(`p.${column}`, '=', value)
    .where('p.deleted_at', 'is', null)
    .where('p.state', '!=', 'receiving')
    .executeTakeFirst()
}
