import type { User } from '@keepsnap/contract/accounts.ts'
import { tierOf } from '@keepsnap/contract/plans.ts'
import type { Deps } from '../../deps.ts'
import { brandAddresses } from '../../domain/brands.ts'
import { planOf } from '../../domain/plans.ts'
import { signInAgain } from '../../faults.ts'
import { userById } from './queries.ts'

const viewOf = (
  user: NonNullable<Awaited<ReturnType<typeof userById>>>,
  brand: Pick<User, 'logo_url' | 'background_image_url'>,
): User => ({
  id: user.id,
  username: user.username,
  email: user.email,
  email_verified: user.email_verified_at !== null,
  subscription_tier: tierOf(planOf(user).id),
  ...brand,
  use_logo_as_watermark: user.use_logo_as_watermark,
  ask_email_to_receive_photo: user.ask_email_to_receive_photo,
  allow_marketing_emails: user.allow_marketing_emails,
  allow_promotional_emails: user.allow_promotional_emails,
  is_admin: user.is_admin,
  is_active: user.is_active,
  created_at: user.created_at.toISOString(),
  became_subscriber_at: user.became_subscriber_at?.toISOString() ?? null,
  photo_count: user.photo_count ?? 0,
})

/** The signed-in user on the wire, as of now. */
export async function viewFor({ db, addresses }: Pick<Deps, 'db' | 'addresses'>, userId: string): Promise<User> {
  const user = await userById(db, userId)
  if (!user) throw signInAgain()
  return viewOf(user, await brandAddresses(db, userId, addresses))
}
