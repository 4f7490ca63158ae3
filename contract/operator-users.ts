import { Array, Integer, Literal, Null, Object, Optional, String, Union, Boolean, type Static } from 'typebox'
import { AdminUserDetail } from './admin-api.ts'
import { endpoint } from './endpoint.ts'
import { adminLimits, limits } from './limits.ts'
import { Reason } from './operator.ts'

const plan = Union([Literal('free'), Literal('pro_monthly'), Literal('pro_yearly')])
const ByUserId = Object({ user_id: String({ maxLength: 128 }) })

/** Which accounts a list shows. */
export const userFilters = ['all', 'pro', 'past_due', 'deactivated'] as const
export type UserFilter = (typeof userFilters)[number]

/** An account in the list of operators. Times are ISO 8601 in UTC. */
export const OperatorUser = Object({
  id: String(),
  username: String(),
  email: String(),
  is_active: Boolean(),
  is_admin: Boolean(),
  /** The plan that counts, and whether the operator gave it. */
  plan,
  is_complimentary: Boolean(),
  /** When a complimentary plan ends; null if it does not end or is paid. */
  plan_until: Union([String(), Null()]),
  is_past_due: Boolean(),
  photos_this_month: Integer(),
  photos_per_month: Integer(),
  storage_used_bytes: Integer(),
  storage_bytes: Integer(),
  created_at: String(),
})
export type OperatorUser = Static<typeof OperatorUser>

/** What an account has paid for and what was given back, by the copy of the provider's data. Newest first; times are ISO 8601 in UTC. */
export const OperatorPayments = Object({
  first_paid_at: Union([String(), Null()]),
  subscriptions: Array(
    Object({
      plan_name: String(),
      status: String(),
      started_at: String(),
      /** Until when it is paid, and whether it ends then. */
      current_period_end: String(),
      cancel_at_period_end: Boolean(),
      ended_at: Union([String(), Null()]),
    }),
  ),
  refunds: Array(
    Object({
      reason: String(),
      requested_at: String(),
      /** Null until the provider has confirmed it. */
      amount_cents: Union([Integer(), Null()]),
      done_at: Union([String(), Null()]),
    }),
  ),
})
export type OperatorPayments = Static<typeof OperatorPayments>

/** A payment of an account that its holder has disputed at the bank. */
export const OperatorDispute = Object({
  id: String(),
  state: Union([Literal('open'), Literal('won'), Literal('lost')]),
  amount_cents: Integer(),
  /** The payment provider's word for it, such as `fraudulent`. */
  reason: String(),
  opened_at: String(),
  /** Until when the payment provider takes evidence; null when it wants none. */
  respond_by: Union([String(), Null()]),
})
export type OperatorDispute = Static<typeof OperatorDispute>

/** One account with what an operator can do about it. */
export const OperatorUserDetail = Object({
  user: OperatorUser,
  account: AdminUserDetail,
  /** Devices that are signed in, and when the newest of them called last. */
  sessions: Object({ count: Integer(), last_used_at: Union([String(), Null()]) }),
  api_keys: Integer(),
  /** Until when everything that was paid can be refunded; null when nothing can. */
  refundable_until: Union([String(), Null()]),
  payments: OperatorPayments,
  /** Newest first, at most 20. */
  disputes: Array(OperatorDispute),
})
export type OperatorUserDetail = Static<typeof OperatorUserDetail>

export const operatorListUsers = endpoint({
  method: 'GET',
  path: '/api/operator/users',
  access: 'operator',
  rate: 'operator',
  summary: 'List and search accounts, newest first.',
  query: Object(
    {
      /** An id, or a part of the name or the email address. */
      search: Optional(String({ maxLength: adminLimits.searchChars, pattern: '^[^\\0]*$' })),
      filter: Optional(Union([Literal('all'), Literal('pro'), Literal('past_due'), Literal('deactivated')])),
      skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
      limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
    },
    { additionalProperties: false },
  ),
  reply: Object({ users: Array(OperatorUser), total: Integer(), skip: Integer(), limit: Integer() }),
})
export const operatorGetUser = endpoint({
  method: 'GET',
  path: '/api/operator/users/:user_id',
  access: 'operator',
  rate: 'operator',
  summary: 'Get one account.',
  params: ByUserId,
  reply: OperatorUserDetail,
})

const ReasonAlone = Object({ reason: Reason }, { additionalProperties: false })

/** 409 for the operator's own account. Deactivating an account that is deactivated changes nothing. */
export const deactivateUser = endpoint({
  method: 'POST',
  path: '/api/operator/users/:user_id/deactivate',
  access: 'operator',
  rate: 'operator',
  summary: 'Deactivate an account: its sessions, keys and public pages end at once, and nothing is deleted.',
  params: ByUserId,
  body: ReasonAlone,
  reply: OperatorUserDetail,
})
export const activateUser = endpoint({
  method: 'POST',
  path: '/api/operator/users/:user_id/activate',
  access: 'operator',
  rate: 'operator',
  summary: 'Activate an account again.',
  params: ByUserId,
  body: ReasonAlone,
  reply: OperatorUserDetail,
})
export const givePlan = endpoint({
  method: 'POST',
  path: '/api/operator/users/:user_id/plan',
  access: 'operator',
  rate: 'operator',
  summary: 'Give an account a plan free of charge; free takes a given plan back.',
  params: ByUserId,
  body: Object(
    {
      plan,
      /** The last day, `yyyy-mm-dd` in UTC; null if the plan does not end. */
      until: Union([String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }), Null()]),
      reason: Reason,
    },
    { additionalProperties: false },
  ),
  reply: OperatorUserDetail,
})
/** 409 when there is nothing that can be refunded. */
export const refundUser = endpoint({
  method: 'POST',
  path: '/api/operator/users/:user_id/refund',
  access: 'operator',
  rate: 'operator',
  summary: 'Give back everything that was paid; the plan ends at once.',
  params: ByUserId,
  body: ReasonAlone,
  reply: Object({ refunded_cents: Integer() }),
})

/** The link works for ten minutes, for anybody who has it, and also for a deactivated account. */
export const exportUser = endpoint({
  method: 'POST',
  path: '/api/operator/users/:user_id/export',
  access: 'operator',
  rate: 'operator',
  summary: 'Get a link that downloads all data of an account, as its owner can.',
  params: ByUserId,
  body: ReasonAlone,
  reply: Object({ url: String(), expires_at: String() }),
})
/** 409 for the operator's own account; 422 when the address is not that of the account. */
export const deleteUser = endpoint({
  method: 'POST',
  path: '/api/operator/users/:user_id/delete',
  access: 'operator',
  rate: 'operator',
  summary: 'Delete an account and everything in it permanently, as its owner can.',
  params: ByUserId,
  body: Object(
    {
      /** The address of the account, entered again. */
      email: String({ maxLength: adminLimits.searchChars, pattern: '^[^\\0]*$' }),
      reason: Reason,
    },
    { additionalProperties: false },
  ),
  reply: Object({ deleted: Boolean() }),
})
