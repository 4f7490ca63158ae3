import type { SlideshowDelayMinutes, User } from '@keepsnap/contract/accounts.ts'
import { isLanguage } from '@keepsnap/contract/languages.ts'
import { tierOf } from '@keepsnap/contract/plans.ts'
import { coalesce } from '../../db/coalesce.ts'
import { ignoreDatabaseDown } from '../../db/connect.ts'
import { prepareQuery } from '../../db/prepared-query.ts'
import type { Dependencies } from '../../dependencies.ts'
import { chooseLogoGrounds } from '../../domain/logo-grounds.ts'
import { hasBranding, lowContrastOf } from '../../domain/brands.ts'
import { planOf } from '../../domain/plans.ts'
import { watermarkColumns } from '../../domain/watermarks.ts'
import { unauthorized } from '../../faults.ts'
import type { KeyActor, SessionActor } from '../../http/actor.ts'
import { countPhotosOf, keepPhotoCount, selectUser } from './queries.ts'

/** The caller's account as the API returns it. */
export type ViewUser = (actor: SessionActor | KeyActor) => Promise<User>

/** Every open page asks for the account again and again: a prepared statement, with identical concurrent queries coalesced. */
export function createUserView({ db, pool, urls }: Pick<Dependencies, 'db' | 'pool' | 'urls'>): ViewUser {
  const findUser = coalesce(prepareQuery(pool, 'user view', selectUser(db, { id: '', sessionHash: '' }).compile()))
  return async (actor) => {
    const sessionHash = actor.by === 'session' ? actor.sessionHash.toString('hex') : null
    const [user] = await findUser([sessionHash, actor.userId])
    if (!user) throw unauthorized()
    const photoCount =
      user.photo_count ??
      (await keepPhotoCount(db, user.id).catch(ignoreDatabaseDown)) ??
      (await countPhotosOf(db, user.id))
    const isBranded = hasBranding(user)
    const logoKey = isBranded ? user.logo_key : null
    const backgroundKey = isBranded ? user.background_key : null
    return {
      id: user.id,
      username: user.username,
      email: user.email,
      email_verified: user.email_verified_at !== null,
      subscription_tier: tierOf(planOf(user).id),
      logo_url: logoKey === null ? null : urls.brandImage(logoKey),
      logo_grounds:
        logoKey === null ? null : chooseLogoGrounds(lowContrastOf(user), { hasBackground: backgroundKey !== null }),
      background_image_url: backgroundKey === null ? null : urls.brandImage(backgroundKey),
      use_logo_as_watermark: user.use_logo_as_watermark,
      ...watermarkColumns(user),
      ask_email_to_receive_photo: user.ask_email_to_receive_photo,
      brand_name: user.brand_name,
      time_zone: user.time_zone,
      language: isLanguage(user.language) ? user.language : null,
      // A check of the column allows no other values.
      slow_show_minutes: user.slow_show_minutes as SlideshowDelayMinutes,
      allow_marketing_emails: user.allow_marketing_emails,
      allow_promotional_emails: user.allow_promotional_emails,
      allow_request_removal_emails: user.allow_request_removal_emails,
      first_visit: user.first_visit,
      is_admin: user.is_admin,
      is_active: user.is_active,
      created_at: user.created_at.toISOString(),
      became_subscriber_at: user.subscribed_at?.toISOString() ?? null,
      photo_count: photoCount,
    }
  }
}
