import type { SlideshowDelayMinutes, User } from '@keepsnap/contract/accounts.ts'
import { isLanguage } from '@keepsnap/contract/languages.ts'
import { tierOf } from '@keepsnap/contract/plans.ts'
import type { Dependencies } from '../../dependencies.ts'
import { brandFields } from '../../domain/brands.ts'
import { planOf } from '../../domain/plans.ts'
import { watermarkColumns } from '../../domain/watermarks.ts'
import { unauthorized } from '../../faults.ts'
import type { KeyActor, SessionActor } from '../../http/actor.ts'
import { isFirstVisit, userById } from './queries.ts'

/** The caller's account as the API returns it. */
export async function userView(
  { db, urls }: Pick<Dependencies, 'db' | 'urls'>,
  actor: SessionActor | KeyActor,
): Promise<User> {
  const { userId } = actor
  const user = await userById(db, userId)
  if (!user) throw unauthorized()
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    email_verified: user.email_verified_at !== null,
    subscription_tier: tierOf(planOf(user).id),
    ...(await brandFields(db, userId, urls)),
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
    first_visit: actor.by === 'session' && (await isFirstVisit(db, actor)),
    is_admin: user.is_admin,
    is_active: user.is_active,
    created_at: user.created_at.toISOString(),
    became_subscriber_at: user.subscribed_at?.toISOString() ?? null,
    photo_count: user.photo_count ?? 0,
  }
}
