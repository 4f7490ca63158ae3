import type { Assumptions } from './assumptions.ts'
import type { CommittedResult } from './measured-costs.ts'

/** What the tables are computed from. */
export interface Inputs {
  costs: CommittedResult
  assumptions: Assumptions
}
