/** The plan table of spec section 9. Prices in cents, sizes in the units of the names. */
export interface PlanFeatures {
  max_photos: number
  storage_gb: number
  max_file_size_mb: number
  custom_branding: boolean
  analytics: boolean
  priority_support: boolean
  api_access: boolean
}
/** One plan as it is sold. */
export interface Plan {
  id: PlanId
  name: string
  description: string
  price_cents: number
  interval_type: 'month' | 'year'
  features: PlanFeatures
}
/** Ids on the wire and in the database, cheapest first. */
export const planIds = ['free', 'pro_monthly', 'pro_yearly'] as const
export type PlanId = (typeof planIds)[number]

const pro = { max_file_size_mb: 100, custom_branding: true, analytics: true, priority_support: true }

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
    features: { ...pro, max_photos: 100, storage_gb: 10, api_access: false },
  },
  pro_yearly: {
    id: 'pro_yearly',
    name: 'Pro Yearly',
    description: 'For booths and venues, all year round.',
    price_cents: 14_999,
    interval_type: 'year',
    features: { ...pro, max_photos: 1000, storage_gb: 50, api_access: true },
  },
}

/** Whether a text is the id of a plan. */
export const isPlanId = (text: string): text is PlanId => planIds.some((id) => id === text)
/** `subscription_tier` of the wire: every paid plan is `pro`. */
export const tierOf = (plan: PlanId): 'free' | 'pro' => (plan === 'free' ? 'free' : 'pro')
/** Binary units, as file managers show them: whichever way a person reads "50 MB", such a file is taken. */
export const maxFileBytes = (plan: Plan): number => plan.features.max_file_size_mb * 1024 ** 2
/** What the plan stores, in bytes. */
export const storageBytes = (plan: Plan): number => plan.features.storage_gb * 1024 ** 3
