import { paths } from '../../lib/paths.ts'

/** The query parameter with the plan that was chosen before signing in. */
const planParameter = 'plan'

/** The plans, with one of them chosen. */
export const choicePath = (planId: string): string =>
  `${paths.pricing}?${new URLSearchParams({ [planParameter]: planId })}`

/** The id of the plan that was chosen before signing in. */
export const chosenPlanIn = (search: URLSearchParams): string | null => search.get(planParameter)

/** The query parameter with the checkout that the payment provider returns from. */
const checkoutParameter = 'session_id'

/** The id of the checkout that the payment provider returns from. */
export const checkoutIdIn = (search: URLSearchParams): string | null => search.get(checkoutParameter) || null

/** Where the payment provider returns to; it fills in the id of the checkout. */
export const returnUrls = (origin: string): { success_url: string; cancel_url: string } => ({
  success_url: `${origin}${paths.subscriptionSuccess}?${checkoutParameter}={CHECKOUT_SESSION_ID}`,
  cancel_url: origin + paths.subscriptionCancel,
})
