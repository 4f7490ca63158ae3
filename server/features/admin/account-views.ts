import type { AdminUser, AdminUserDetail } from '@keepsnap/contract/admin-api.ts'
import type { OperatorUser, OperatorUserDetail } from '@keepsnap/contract/operator-users.ts'
import { storageBytes, tierOf } from '@keepsnap/contract/plans.ts'
import { hasBranding } from '../../domain/brands.ts'
import { planOf } from '../../domain/plans.ts'
import type { Urls } from '../../domain/urls.ts'
import type { AccountDetails, AccountRow } from './account-queries.ts'

const bytesPerMb = 1024 ** 2

/** The account as the admin API returns it. */
export function adminUserView(row: AccountRow, urls: Urls): AdminUser {
  const imageUrl = (key: string | null): string | null =>
    key !== null && hasBranding(row) ? urls.brandImage(key) : null
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    subscription_tier: tierOf(planOf(row).id),
    logo_url: imageUrl(row.logoKey),
    background_image_url: imageUrl(row.backgroundKey),
    use_logo_as_watermark: row.use_logo_as_watermark,
    ask_email_to_receive_photo: row.ask_email_to_receive_photo,
    allow_marketing_emails: row.allow_marketing_emails,
    allow_promotional_emails: row.allow_promotional_emails,
    is_admin: row.is_admin,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
    became_subscriber_at: row.becameSubscriberAt?.toISOString() ?? null,
    photo_count: row.photoCount,
  }
}

function subscriptionView({ paidPlan, paidStatus, currentPeriodEnd }: AccountRow): AdminUserDetail['subscription'] {
  // A row of `paid_plans` has all of them.
  if (paidPlan === null || paidStatus === null || currentPeriodEnd === null) return null
  const { name } = planOf({ plan: paidPlan })
  return { plan_name: name, status: paidStatus, current_period_end: currentPeriodEnd.toISOString() }
}

/** The account with its subscription and usage, as the admin API returns it. */
export const adminUserDetailView = (row: AccountRow, urls: Urls): AdminUserDetail => ({
  ...adminUserView(row, urls),
  subscription: subscriptionView(row),
  usage: { photos_this_month: row.photosThisMonth, storage_used_mb: row.storedBytes / bytesPerMb },
})

/** The account in the list of operators. */
export function operatorUserView(row: AccountRow): OperatorUser {
  const plan = planOf(row)
  const isComplimentary = plan.id !== 'free' && row.grantedPlan === plan.id && row.paidPlan !== plan.id
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    is_active: row.is_active,
    is_admin: row.is_admin,
    plan: plan.id,
    is_complimentary: isComplimentary,
    plan_until: isComplimentary ? (row.grantedUntil?.toISOString() ?? null) : null,
    is_past_due: row.paidStatus === 'past_due',
    photos_this_month: row.photosThisMonth,
    photos_per_month: plan.features.max_photos,
    storage_used_bytes: row.storedBytes,
    storage_bytes: storageBytes(plan),
    created_at: row.created_at.toISOString(),
  }
}

/** One account with what an operator can do about it. */
export const operatorUserDetailView = (
  row: AccountRow,
  {
    sessions,
    lastUsedAt,
    apiKeys,
    refundableUntil,
    disputes,
    payments,
  }: AccountDetails & Pick<OperatorUserDetail, 'payments'>,
  urls: Urls,
): OperatorUserDetail => ({
  user: operatorUserView(row),
  account: adminUserDetailView(row, urls),
  sessions: { count: sessions, last_used_at: lastUsedAt?.toISOString() ?? null },
  api_keys: apiKeys,
  refundable_until: refundableUntil?.toISOString() ?? null,
  payments,
  disputes: disputes.map(({ openedAt, respondBy, amountCents, ...dispute }) => ({
    ...dispute,
    amount_cents: amountCents,
    opened_at: openedAt.toISOString(),
    respond_by: respondBy?.toISOString() ?? null,
  })),
})
