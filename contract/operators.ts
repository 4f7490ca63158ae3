import { Array, Boolean, Integer, Number, Object, Optional, String, type Static } from 'typebox'
import { endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import { planIds } from './plans.ts'
import { SubscriptionState } from './subscriptions.ts'
import { adminLimits, limits } from './limits.ts'

// What the page /admin shows. Reading needs no password; reads of a person's data are in the audit log,
// once an hour. Every change is there too and asks for the password and a reason, but for the states of messages to support and
// for starting a check of the files.

/** The body of an action that needs nothing else: why it is done. The server trims it and refuses an empty one. */
export const Reason = text(adminLimits.reasonChars)

/** Numbers at a glance. Times are ISO 8601 in UTC; days and months are those of UTC. */
export const OperatorOverview = Object({
  /** When the numbers were counted. */
  as_of: String(),
  users: Object({ total: Integer(), active: Integer(), deactivated: Integer(), new_7d: Integer() }),
  /** Accounts whose plan is paid; complimentary plans apart. */
  subscribers: Object({ monthly: Integer(), yearly: Integer(), complimentary: Integer() }),
  photos: Object({ total: Integer(), new_30d: Integer(), today: Integer() }),
  storage_used_bytes: Integer(),
  /** Messages to support that nobody has answered, and those of them with priority. */
  support: Object({ open: Integer(), priority: Integer() }),
  /** Withdrawals from contracts that are not done, and those of them whose 14 days are over. */
  withdrawals: Object({ open: Integer(), overdue: Integer() }),
  /** One entry for each of the last 30 days, the oldest first; today is the last. */
  photos_per_day: Array(Object({ day: String(), photos: Integer() })),
})
export type OperatorOverview = Static<typeof OperatorOverview>

/** The jobs of one group, on all nodes. */
export const QueueState = Object({
  /** `photos`, `slow-photos`, `emails`, `customers`, `payments`, `watermarks`, `archives`, `maintenance` and so on. */
  name: String(),
  /** Jobs that are due and have not started. */
  waiting: Integer(),
  running: Integer(),
  /** Jobs that have used all of their attempts. */
  failed: Integer(),
  /** How long the oldest of the waiting jobs has been due; null if none waits. */
  oldest_waiting_seconds: nullable(Number()),
})
export type QueueState = Static<typeof QueueState>

/** How the parts of the program do. Times are ISO 8601 in UTC. */
export const OperatorHealth = Object({
  as_of: String(),
  queues: Array(QueueState),
  /** Of photos that were uploaded within the last hour and are ready or failed; seconds from the start of the upload. */
  processing: Object({
    photos: Integer(),
    median_seconds: nullable(Number()),
    slowest_seconds: nullable(Number()),
  }),
  email: Object({
    /** `off`: guests cannot be sent photos, because no mail server is set up at a public address. */
    kind: oneOf('smtp', 'outbox', 'off'),
    /** Emails that could not be sent yet, or are due; not those that a limit or an unconfirmed address delays. */
    waiting: Integer(),
    /** When the oldest of them was written. */
    waiting_since: nullable(String()),
    /** Of this day in UTC; of emails that are kept as files, those that were written. */
    sent_today: Integer(),
    failed_today: Integer(),
    /** Why the newest attempt among the emails that wait failed, or, if none waits, the newest email that failed today; null if none did. */
    last_error: nullable(String()),
  }),
  billing: Object({
    payments: oneOf('stripe', 'demo', 'off'),
    /** Why plans are not sold, by the last check of the key and the prices; null while they are. */
    refused_because: nullable(String()),
    /** What should be corrected although plans are sold. */
    check_warning: nullable(String()),
    /** Why the newest check got no answer from the payment provider; null when it got one. */
    unreachable_because: nullable(String()),
    /** Disputes that are open. */
    open_disputes: Integer(),
    /** When every customer was last compared with the payment provider, and how many differed. */
    compared_at: nullable(String()),
    mismatches: nullable(Integer()),
    last_webhook_at: nullable(String()),
    unprocessed_events: Integer(),
    past_due: Integer(),
    /** Refunds that were asked for and are not confirmed by the provider. */
    open_refunds: Integer(),
  }),
  /** The newest comparison of the database with the store, made every night; null fields before the first. */
  integrity: Object({
    checked_at: nullable(String()),
    /** Files that are stored. */
    objects: nullable(Integer()),
    /** Files that photos, logos and archives need and that are not stored; files that nothing needed, which were removed. */
    missing: nullable(Integer()),
    unknown: nullable(Integer()),
  }),
  /** The last finished backup of this database; null fields before the first. */
  backup: Object({
    finished_at: nullable(String()),
    seconds: nullable(Number()),
    /** From when a missing backup counts: the creation of the database, its restore, or its upgrade to a version that records backups. */
    since: String(),
    /** Files that were damaged or missing when the newest backup was last read and compared with its checksums. */
    damaged: Integer(),
  }),
  /** Photos that are due for removal after the end of plans, and wait for the command `removals`. */
  removals: Object({
    photos: Integer(),
    accounts: Integer(),
    /** Since when and why nothing is removed; null fields when only emails that were saved as files are the reason. */
    stopped_at: nullable(String()),
    stopped_because: nullable(String()),
  }),
  /** Settings that say who runs this site and have sample values, and whether emails and legal pages show them to the public. */
  operator: Object({ sample_settings: Array(String()), is_public: Boolean() }),
  /** Of the last 30 days, or since it is measured, if that is less; null fields within the first minutes. */
  availability: Object({ since: nullable(String()), percent: nullable(Number()), target_percent: Number() }),
})
export type OperatorHealth = Static<typeof OperatorHealth>

export const operatorOverview = endpoint({
  method: 'GET',
  path: '/api/operator/overview',
  access: 'operator',
  rate: 'operator',
  summary: 'Get numbers about accounts, photos and storage.',
  reply: OperatorOverview,
})
export const operatorHealth = endpoint({
  method: 'GET',
  path: '/api/operator/health',
  access: 'operator',
  rate: 'operator',
  summary: 'Get the state of queues, email, billing, integrity, backups, operator and availability.',
  reply: OperatorHealth,
})

const actorKind = oneOf('admin key', 'operator', 'command', 'helper')

/** One entry of the audit log: a call with an admin key, an action of an operator or of an event's helper, or an operator's command. */
export const AuditEntry = Object({
  id: String(),
  at: String(),
  by: Object({
    kind: actorKind,
    /** Name of the key, email address of the operator, id of the helper or name of the command, as it was then; `deleted account` of a deleted one. */
    name: String(),
  }),
  /** What was done, such as `deactivate account`. */
  action: String(),
  /** Account or photo that it was done to; `name` as it was then. Null without one, and when the account was deleted. */
  subject: nullable(Object({ kind: oneOf('user', 'photo'), id: String(), name: nullable(String()) })),
  reason: nullable(String()),
  /** Whether it was done, or refused with the sentence in `detail`. */
  outcome: oneOf('done', 'refused'),
  detail: nullable(String()),
})
export type AuditEntry = Static<typeof AuditEntry>

export const listAuditEntries = endpoint({
  method: 'GET',
  path: '/api/operator/audit',
  access: 'operator',
  rate: 'operator',
  summary: 'List the audit log, newest first; 50 entries if no limit is given.',
  query: exact({
    limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
    /** Id of an entry: only older ones. */
    before: Optional(String({ maxLength: 128 })),
    /** Only entries about this account and its photos. */
    user_id: Optional(String({ maxLength: 128 })),
    /** Only entries of this kind of actor. */
    by: Optional(actorKind),
  }),
  reply: Object({ entries: Array(AuditEntry), has_more: Boolean() }),
})

/** 403 `forbidden` for a wrong password. Until then, and when it has expired, actions answer 403 `password_required`. */
export const confirmOperator = endpoint({
  method: 'POST',
  path: '/api/operator/confirmation',
  access: 'operator',
  rate: 'account',
  summary: 'Enter the password, which allows actions of this session for 10 minutes.',
  body: exact({ password: text(1024) }),
  reply: Object({ confirmed_until: String() }),
})

/** What the check of rows, stored files, counts and work can find. */
export const findingKinds = [
  'missing',
  'damaged',
  'untracked',
  'unregistered',
  'incomplete',
  'counts',
  'photo-counts',
  'photos',
  'jobs-failed',
  'jobs-waiting',
  'deletions',
  'emails',
  'payments',
  'plans',
  'webhooks',
  'expired',
  'unfinished',
] as const
/** One of these. */
export type FindingKind = (typeof findingKinds)[number]

/** One kind of problem, and how often there is it. */
export const IntegrityFinding = Object({
  kind: oneOf(...findingKinds),
  count: Integer(),
  /** The first of them: ids and keys, nothing that a person has typed. */
  examples: Array(String()),
  /** When the oldest of them began, where that is known; ISO 8601 in UTC. */
  since: nullable(String()),
})
export type IntegrityFinding = Static<typeof IntegrityFinding>

/** The newest result of the check. */
export const IntegrityCheck = Object({
  checked_at: String(),
  /** Every night, by an operator on this page, or by the command `verify`. */
  by: oneOf('nightly', 'operator', 'command'),
  seconds: Number(),
  /** Stored files. */
  objects: Integer(),
  /** Files whose bytes were read and compared with their checksum. */
  compared: Integer(),
  /** Files of an earlier version, which have no checksum. */
  without_checksum: Integer(),
  /** Files that nothing knew, which were removed. */
  removed: Integer(),
  /** Names in the store that are no keys, which nothing reads and nothing removes: how many, and the first of them. */
  other_names: Object({ count: Integer(), examples: Array(String()) }),
  /** Only kinds of which there is something. */
  findings: Array(IntegrityFinding),
})
export type IntegrityCheck = Static<typeof IntegrityCheck>

/** Whether a check runs or is about to, and the newest result; null before the first. */
export const IntegrityState = Object({ running: Boolean(), check: nullable(IntegrityCheck) })
export type IntegrityState = Static<typeof IntegrityState>

export const operatorIntegrity = endpoint({
  method: 'GET',
  path: '/api/operator/integrity',
  access: 'operator',
  rate: 'operator',
  summary: 'Get the newest result of the check of rows, stored files, counts and work.',
  reply: IntegrityState,
})
/** Does what is done every night, so it asks for no reason. 409 while a check runs. */
export const startIntegrityCheck = endpoint({
  method: 'POST',
  path: '/api/operator/integrity',
  access: 'operator',
  rate: 'operator',
  summary: 'Start the check of rows, stored files, counts and work now.',
  reply: IntegrityState,
})

// Calls for programs of the operator, with an admin key. Each is written to the audit log. No answer contains hashes, tokens
// or ids of the payment provider.

const userFields = {
  id: String(),
  username: String(),
  email: String(),
  subscription_tier: oneOf('free', 'pro'),
  logo_url: nullable(String()),
  background_image_url: nullable(String()),
  use_logo_as_watermark: Boolean(),
  ask_email_to_receive_photo: Boolean(),
  allow_marketing_emails: Boolean(),
  allow_promotional_emails: Boolean(),
  is_admin: Boolean(),
  is_active: Boolean(),
  created_at: String(),
  became_subscriber_at: nullable(String()),
  photo_count: Integer(),
}

/** An account as the admin API shows it. Times are ISO 8601 in UTC. */
export const AdminUser = Object(userFields)
export type AdminUser = Static<typeof AdminUser>

/** An account with its subscription and how much of its plan is used. Times are ISO 8601 in UTC. */
export const AdminUserDetail = Object({
  ...userFields,
  /** What the user pays for; null without a subscription, also with a complimentary plan. */
  subscription: nullable(Object({ plan_name: String(), status: SubscriptionState, current_period_end: String() })),
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
  query: exact({
    /** How many of the newest to leave out; 0 if not given. */
    skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
    /** 50 if not given. */
    limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
  }),
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
  params: Object({ user_id: pathId }),
  reply: AdminUserDetail,
})

const plan = oneOf(...planIds)
const ByUserId = Object({ user_id: pathId })

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
  plan_until: nullable(String()),
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
  first_paid_at: nullable(String()),
  subscriptions: Array(
    Object({
      plan_name: String(),
      status: String(),
      started_at: String(),
      /** Until when it is paid, and whether it ends then. */
      current_period_end: String(),
      cancel_at_period_end: Boolean(),
      ended_at: nullable(String()),
    }),
  ),
  refunds: Array(
    Object({
      reason: String(),
      requested_at: String(),
      /** Null until the provider has confirmed it. */
      amount_cents: nullable(Integer()),
      done_at: nullable(String()),
    }),
  ),
})
export type OperatorPayments = Static<typeof OperatorPayments>

/** A payment of an account that its holder has disputed at the bank. */
export const OperatorDispute = Object({
  id: String(),
  state: oneOf('open', 'won', 'lost'),
  amount_cents: Integer(),
  /** The payment provider's word for it, such as `fraudulent`. */
  reason: String(),
  opened_at: String(),
  /** Until when the payment provider takes evidence; null when it wants none. */
  respond_by: nullable(String()),
})
export type OperatorDispute = Static<typeof OperatorDispute>

/** One account with what an operator can do about it. */
export const OperatorUserDetail = Object({
  user: OperatorUser,
  account: AdminUserDetail,
  /** Devices that are signed in, and when the newest of them called last. */
  sessions: Object({ count: Integer(), last_used_at: nullable(String()) }),
  api_keys: Integer(),
  /** Until when everything that was paid can be refunded; null when nothing can. */
  refundable_until: nullable(String()),
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
  query: exact({
    /** An id, or a part of the name or the email address. */
    search: Optional(text(adminLimits.searchChars)),
    filter: Optional(oneOf(...userFilters)),
    skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
    limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
  }),
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

const ReasonAlone = exact({ reason: Reason })

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
  body: exact({
    plan,
    /** The last day, `yyyy-mm-dd` in UTC; null if the plan does not end. */
    until: nullable(String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })),
    reason: Reason,
  }),
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
  body: exact({
    /** The address of the account, entered again. */
    email: text(adminLimits.searchChars),
    reason: Reason,
  }),
  reply: Object({ deleted: Boolean() }),
})
