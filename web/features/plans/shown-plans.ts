import type { PlanForSale } from '@keepsnap/contract/billing.ts'
import { isPlanId, planIds, plans, type PlanFeatures, type PlanId } from '@keepsnap/contract/plans.ts'
import { readFeatures } from '../../lib/plan-features.ts'

/** A plan as the app shows it. */
export interface ShownPlan extends Omit<PlanForSale, 'id' | 'features'> {
  id: PlanId
  features: PlanFeatures
}

/** The plans that the server lists; an unknown one has no name in the catalogue and is left out. */
export const readPlans = (listed: readonly PlanForSale[]): ShownPlan[] =>
  listed.flatMap((plan) => (isPlanId(plan.id) ? [{ ...plan, id: plan.id, features: readFeatures(plan.features) }] : []))

/** The plans of the contract, while the server's list is missing; none can be bought then. */
export const contractPlans: readonly ShownPlan[] = planIds.map((id) => ({ ...plans[id], stripe_price_id: null }))
