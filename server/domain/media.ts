import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { hasBranding, type BrandImage } from './brands.ts'
import type { Granted } from './plans.ts'

/** Everything the policy looks at, and what is needed to send the bytes. */
export interface Media {
  photoId: string
  userId: string
  ownerActive: boolean
  asksEmail: boolean
  /** Hidden from guests by its owner. */
  hidden: boolean
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
  width: number | null
  height: number | null
  thumbhash: string | null
  /** The owner's brand, as long as the plan has one. */
  logo: BrandImage | null
}

/** How the bytes were asked for. */
export type Way =
  /** The code on a print or screen, in anybody's hand. */
  | { by: 'direct code' }
  /** An address out of the owner's own lists; `valid` says whether its signature fits photo, key and epoch. */
  | { by: 'signed address'; valid: boolean }
  /** A thumbnail's unguessable address; `valid` says whether it carries the owner's signature, which only a hidden one needs. */
  | { by: 'thumbnail'; valid: boolean }
  /** A page for guests: what may be known of the photo, and asking for it. */
  | { by: 'guest page' }
  /** The link of a letter; `valid` says whether it is for this photo and has not expired. */
  | { by: 'grant'; valid: boolean }
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
      return media.thumbKey === null || (media.hidden && !way.valid) ? 'nothing there' : 'give'
    case 'signed address':
      return way.valid && media.state === 'ready' ? 'give' : 'nothing there'
    case 'guest page':
      if (media.hidden) return 'nothing there'
      return media.state === 'ready' ? 'give' : 'not yet'
    case 'grant':
      if (media.hidden || !way.valid) return 'nothing there'
      return media.state === 'ready' ? 'give' : 'not yet'
    case 'direct code':
      if (media.hidden) return 'nothing there'
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
  const row = await db
    .selectFrom('photos as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .leftJoin('brand_images as b', (join) => join.onRef('b.user_id', '=', 'u.id').on('b.kind', '=', 'logo'))
    .select([
      'u.granted_plan',
      'u.granted_until',
      'b.key as logoKey',
      'b.type as logoType',
      'b.bytes as logoBytes',
      'b.width as logoWidth',
      'b.height as logoHeight',
      'p.id as photoId',
      'p.user_id as userId',
      'u.is_active as ownerActive',
      'u.ask_email_to_receive_photo as asksEmail',
      'u.media_epoch as epoch',
      sql<boolean>`p.hidden_at is not null`.as('hidden'),
      'p.state',
      'p.width',
      'p.height',
      'p.thumbhash',
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
  return row && withBrand(row)
}

interface LogoColumns extends Granted {
  logoKey: string | null
  logoType: string | null
  logoBytes: number | null
  logoWidth: number | null
  logoHeight: number | null
}

/** One row has all of a logo's columns or none; it shows while the plan has a brand. */
function withBrand<T extends LogoColumns>(row: T): Omit<T, keyof LogoColumns> & Pick<Media, 'logo'> {
  const { granted_plan, granted_until, logoKey: key, logoType: type, logoBytes, logoWidth, logoHeight, ...media } = row
  const isShown = key !== null && type !== null && hasBranding({ granted_plan, granted_until })
  const size = { bytes: logoBytes ?? 0, width: logoWidth ?? 1, height: logoHeight ?? 1 }
  return { ...media, logo: isShown ? { key, type, ...size } : null }
}
