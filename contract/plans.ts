/** What a plan includes: photos per calendar month (UTC), storage in GiB, files in MiB. */
export interface PlanFeatures {
  max_photos: number
  storage_gb: number
  max_file_size_mb: number
  custom_branding: boolean
  analytics: boolean
  priority_support: boolean
  api_access: boolean
}
/** A plan as it is sold; the price is in US cents per interval. */
export interface Plan {
  id: PlanId
  name: string
  description: string
  price_cents: number
  interval_type: 'month' | 'year'
  features: PlanFeatures
}
/** Plan ids, cheapest first. */
export const planIds = ['free', 'pro_monthly', 'pro_yearly'] as const
export type PlanId = (typeof planIds)[number]

const proFeatures = { max_file_size_mb: 100, custom_branding: true, analytics: true, priority_support: true }

/** The three plans. */
export const plans: Record<PlanId, Plan> = {
  free: {
    id: 'free',
    name: 'Free',
    description: 'For a first evening with guests.',
    price_cents: 0,
    interval_type: 'month',
    features: {
      max_photos: 10,
      storage_gb: 1,
      max_file_size_mb: 50,
      custom_branding: false,
      analytics: false,
      priority_support: false,
      api_access: false,
    },
  },
  pro_monthly: {
    id: 'pro_monthly',
    name: 'Pro Monthly',
    description: 'For a busy season.',
    price_cents: 1499,
    interval_type: 'month',
    features: { ...proFeatures, max_photos: 100, storage_gb: 10, api_access: false },
  },
  pro_yearly: {
    id: 'pro_yearly',
    name: 'Pro Yearly',
    description: 'For booths and venues, all year round.',
    price_cents: 14_999,
    interval_type: 'year',
    features: { ...proFeatures, max_photos: 1000, storage_gb: 50, api_access: true },
  },
}

/** Whether a text is a plan id. */
export const isPlanId = (text: string): text is PlanId => planIds.some((id) => id === text)
/** The value of `subscription_tier`: `pro` for every paid plan. */
export const tierOf = (plan: PlanId): 'free' | 'pro' => (plan === 'free' ? 'free' : 'pro')
/** The largest file in bytes. In binary units, so that a file of 50 MB passes whichever unit its size was shown in. */
export const maxFileBytes = (plan: Plan): number => plan.features.max_file_size_mb * 1024 ** 2
/** The plan's storage in bytes. */
export const storageBytes = (plan: Plan): number => plan.features.storage_gb * 1024 ** 3
