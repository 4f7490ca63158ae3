import { Array, Boolean, Integer, Literal, Null, Number, Object, Optional, String, Union, type Static } from 'typebox'
import { SubscriptionState } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { adminLimits, limits } from './limits.ts'

// Calls for programs of the operator, with an admin key. Each is written to the audit log. No answer contains hashes, tokens
// or ids of the payment provider.

const userFields = {
  id: String(),
  username: String(),
  email: String(),
  subscription_tier: Union([Literal('free'), Literal('pro')]),
  logo_url: Union([String(), Null()]),
  background_image_url: Union([String(), Null()]),
  use_logo_as_watermark: Boolean(),
  ask_email_to_receive_photo: Boolean(),
  allow_marketing_emails: Boolean(),
  allow_promotional_emails: Boolean(),
  is_admin: Boolean(),
  is_active: Boolean(),
  created_at: String(),
  became_subscriber_at: Union([String(), Null()]),
  photo_count: Integer(),
}

/** An account as the admin API shows it. Times are ISO 8601 in UTC. */
export const AdminUser = Object(userFields)
export type AdminUser = Static<typeof AdminUser>

/** An account with its subscription and how much of its plan is used. Times are ISO 8601 in UTC. */
export const AdminUserDetail = Object({
  ...userFields,
  /** What the user pays for; null without a subscription, also with a complimentary plan. */
  subscription: Union([
    Object({ plan_name: String(), status: SubscriptionState, current_period_end: String() }),
    Null(),
  ]),
  /** Of this calendar month (UTC); storage in units of 1024² bytes. */
  usage: Object({ photos_this_month: Integer(), storage_used_mb: Number() }),
})
export type AdminUserDetail = Static<typeof AdminUserDetail>

/** Numbers of accounts and photos; `free` and `pro` as `subscription_tier` has them, of all accounts. */
export const AdminStats = Object({
  total_users: Integer(),
  /** Accounts that are not deactivated. */
  active_users: Integer(),
  /** Photos that exist now. */
  total_photos: Integer(),
  subscription_breakdown: Object({ free: Integer(), pro: Integer() }),
  recent_activity: Object({ new_photos_30d: Integer() }),
})
export type AdminStats = Static<typeof AdminStats>

export const adminListUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  rate: 'admin',
  summary: 'List the accounts, newest first.',
  query: Object(
    {
      /** How many of the newest to leave out; 0 if not given. */
      skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
      /** 50 if not given. */
      limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
    },
    { additionalProperties: false },
  ),
  reply: Object({ users: Array(AdminUser), total: Integer(), skip: Integer(), limit: Integer() }),
})
export const adminStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  access: 'admin',
  rate: 'admin',
  summary: 'Count accounts and photos.',
  reply: AdminStats,
})
export const adminGetUser = endpoint({
  method: 'GET',
  path: '/api/admin/users/:user_id',
  access: 'admin',
  rate: 'admin',
  summary: 'Get one account with its subscription and usage.',
  params: Object({ user_id: String({ maxLength: 128 }) }),
  reply: AdminUserDetail,
})
