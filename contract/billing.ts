import { Boolean, Integer, Literal, Null, Number, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

const limitFields = { max_photos: Integer(), storage_gb: Integer(), max_file_size_mb: Integer() }

/** The plan of the user and how much of it is used; docs/behaviour.md section 9. Times are ISO 8601 in UTC. */
export const SubscriptionStatus = Object({
  /** Whether the user pays for a plan: never yet. */
  has_subscription: Literal(false),
  subscription: Null(),
  plan: Object({
    id: String(),
    name: String(),
    price_cents: Integer(),
    interval_type: Union([Literal('month'), Literal('year')]),
    features: Object({
      ...limitFields,
      custom_branding: Boolean(),
      analytics: Boolean(),
      priority_support: Boolean(),
      api_access: Boolean(),
    }),
  }),
  /** When a complimentary plan ends; null if it does not, or without one. */
  until: Union([String(), Null()]),
  /** Photos uploaded in this calendar month (UTC), deleted ones included; bytes stored now. */
  current_usage: Object({ photos_uploaded: Integer(), storage_used_bytes: Integer() }),
  plan_limits: Object(limitFields),
  /** From 0; above 100 after a change to a smaller plan. */
  usage_percentage: Object({ photos: Number(), storage: Number() }),
  /** When the count of photos starts again. */
  month_ends_at: String(),
})
export type SubscriptionStatus = Static<typeof SubscriptionStatus>

export const subscriptionStatus = endpoint({
  method: 'GET',
  path: '/subscriptions/status',
  access: 'user',
  summary: 'Get your plan and how much of it you have used.',
  reply: SubscriptionStatus,
})
