import {
  Array,
  Boolean,
  Integer,
  Literal,
  Null,
  Number,
  Object,
  Optional,
  String,
  Union,
  type Static,
  type TSchema,
} from 'typebox'
import { endpoint } from './endpoint.ts'
import { adminLimits } from './limits.ts'

// What the page /admin shows besides users and photos. Reading needs no password; reads of a person's data are in the audit log,
// once an hour. Every change is there too and asks for the password and a reason, but for the states of messages to support and
// for starting a check of the files.

/* @__NO_SIDE_EFFECTS__ */
const nullable = <T extends TSchema>(schema: T) => Union([schema, Null()])

/** The body of an action that needs nothing else: why it is done. The server trims it and refuses an empty one. */
export const Reason = String({ maxLength: adminLimits.reasonChars, pattern: '^[^\\0]*$' })

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
    kind: Union([Literal('smtp'), Literal('outbox'), Literal('off')]),
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
    payments: Union([Literal('stripe'), Literal('demo'), Literal('off')]),
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

const actorKind = Union([Literal('admin key'), Literal('operator'), Literal('command')])

/** One entry of the audit log: a call with an admin key, an action of an operator, or an operator's command. */
export const AuditEntry = Object({
  id: String(),
  at: String(),
  by: Object({
    kind: actorKind,
    /** Name of the key, email address of the operator or name of the command, as it was then; `deleted account` of a deleted one. */
    name: String(),
  }),
  /** What was done, such as `deactivate account`. */
  action: String(),
  /** Account or photo that it was done to; `name` as it was then. Null without one, and when the account was deleted. */
  subject: nullable(
    Object({ kind: Union([Literal('user'), Literal('photo')]), id: String(), name: nullable(String()) }),
  ),
  reason: nullable(String()),
  /** Whether it was done, or refused with the sentence in `detail`. */
  outcome: Union([Literal('done'), Literal('refused')]),
  detail: nullable(String()),
})
export type AuditEntry = Static<typeof AuditEntry>

export const listAuditEntries = endpoint({
  method: 'GET',
  path: '/api/operator/audit',
  access: 'operator',
  rate: 'operator',
  summary: 'List the audit log, newest first; 50 entries if no limit is given.',
  query: Object(
    {
      limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
      /** Id of an entry: only older ones. */
      before: Optional(String({ maxLength: 128 })),
      /** Only entries about this account and its photos. */
      user_id: Optional(String({ maxLength: 128 })),
      /** Only entries of this kind of actor. */
      by: Optional(actorKind),
    },
    { additionalProperties: false },
  ),
  reply: Object({ entries: Array(AuditEntry), has_more: Boolean() }),
})

/** 403 `forbidden` for a wrong password. Until then, and when it has expired, actions answer 403 `password_required`. */
export const confirmOperator = endpoint({
  method: 'POST',
  path: '/api/operator/confirmation',
  access: 'operator',
  rate: 'account',
  summary: 'Enter the password, which allows actions of this session for 10 minutes.',
  body: Object({ password: String({ maxLength: 1024, pattern: '^[^\\0]*$' }) }, { additionalProperties: false }),
  reply: Object({ confirmed_until: String() }),
})
