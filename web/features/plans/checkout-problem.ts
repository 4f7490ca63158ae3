import { ApiError } from '../../lib/api-errors.ts'

/**
 * Why a checkout is not confirmed. `late`: the payment may have gone through. `refused`: it grants no plan, and the server
 * says why. `pending`: the payment takes days and is on its way. `unknown`: this user has no
 * such checkout. `missing`: the URL contains no checkout id.
 */
export type CheckoutProblem = 'late' | 'pending' | 'refused' | 'unknown' | 'missing'

export function checkoutProblem(error: unknown): CheckoutProblem {
  if (!(error instanceof ApiError)) return 'late'
  if (error.code === 'payment_pending') return 'pending'
  if (error.status === 409) return 'refused'
  return error.status === 404 || error.status === 422 ? 'unknown' : 'late'
}
