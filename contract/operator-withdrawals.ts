import { Array, Boolean, Integer, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, text } from './endpoint.ts'
import { adminLimits, limits } from './limits.ts'
import { Reason } from './operators.ts'

// Withdrawals from contracts as operators see them. Apart from those of customers, whose page must stay small.

/**
 * `received`: its contract is being looked for. `waiting`: for the link in the receipt, or an operator. `unmatched`: no contract was found. `late`:
 * made after the 14 days. `accepted`: the plan ends and the money goes back. `done`: both have happened. `dismissed`: an operator
 * found that there is nothing to do.
 */
export const WithdrawalState = oneOf('received', 'waiting', 'unmatched', 'late', 'accepted', 'done', 'dismissed')
export type WithdrawalState = Static<typeof WithdrawalState>

/** A withdrawal as operators see it. */
export const OperatorWithdrawal = Object({
  id: String(),
  made_at: String(),
  /** Until when the money must be on its way. */
  decide_by: String(),
  /** Whether that is over and an operator has to decide, or money has to go back. */
  is_overdue: Boolean(),
  /** As they were written; nobody has confirmed the address. */
  name: String(),
  email: String(),
  contract: String(),
  state: WithdrawalState,
  accepted_by: nullable(oneOf('customer', 'link', 'operator')),
  decided_at: nullable(String()),
  done_at: nullable(String()),
  refunded_cents: nullable(Integer()),
  /** The operator's note on a dismissed one. */
  note: nullable(String()),
  /** Null when none has that address, or it was deleted. */
  account: nullable(Object({ id: String(), username: String(), email: String() })),
  /** The contract that was found. */
  found: nullable(Object({ plan_name: String(), concluded_at: String(), until: String() })),
})
export type OperatorWithdrawal = Static<typeof OperatorWithdrawal>

/** `overdue`: of the open ones. */
export const WithdrawalCounts = Object({ open: Integer(), overdue: Integer(), closed: Integer() })
export type WithdrawalCounts = Static<typeof WithdrawalCounts>

export const listWithdrawals = endpoint({
  method: 'GET',
  path: '/api/operator/withdrawals',
  access: 'operator',
  rate: 'operator',
  summary: 'List withdrawals from contracts, newest first.',
  query: exact({
    /** `open` if not given. `closed`: done or dismissed. */
    state: Optional(oneOf('open', 'closed')),
    skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
    /** 50 if not given. */
    limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
  }),
  reply: Object({
    withdrawals: Array(OperatorWithdrawal),
    counts: WithdrawalCounts,
    total: Integer(),
    skip: Integer(),
    limit: Integer(),
  }),
})
/** Of one that is waiting or late, or that was dismissed and has a contract; 409 for others. One that is accepted goes on. */
export const acceptWithdrawal = endpoint({
  method: 'POST',
  path: '/api/operator/withdrawals/:id/accept',
  access: 'operator',
  rate: 'operator',
  summary: 'End the plan of a withdrawal and refund what its contract cost.',
  params: ById,
  body: exact({ reason: Reason }),
  reply: OperatorWithdrawal,
})
/** 409 for one that is accepted or done. The reason is kept with it. */
export const dismissWithdrawal = endpoint({
  method: 'POST',
  path: '/api/operator/withdrawals/:id/dismiss',
  access: 'operator',
  rate: 'operator',
  summary: 'Close a withdrawal for which there is nothing to do.',
  params: ById,
  body: exact({ reason: Reason }),
  reply: OperatorWithdrawal,
})
/** Of one that is unmatched; 404 when no account has the address, 409 when that account has no contract. */
export const linkWithdrawal = endpoint({
  method: 'POST',
  path: '/api/operator/withdrawals/:id/link',
  access: 'operator',
  rate: 'operator',
  summary: 'Find the contract of a withdrawal by the email address of its account.',
  params: ById,
  body: exact({ email: text(adminLimits.searchChars), reason: Reason }),
  reply: OperatorWithdrawal,
})
