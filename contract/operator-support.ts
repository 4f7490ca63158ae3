import { Array, Boolean, Integer, Literal, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { adminLimits, limits } from './limits.ts'
import { Reason } from './operator.ts'

const ByMessageId = Object({ id: String({ maxLength: 128 }) })

/** `suspected`: looks like spam, because the honeypot was filled in or because an operator said so. */
export const SupportState = Union([Literal('open'), Literal('answered'), Literal('suspected')])
export type SupportState = Static<typeof SupportState>

const summaryFields = {
  id: String(),
  name: String(),
  /** The address that was typed: nobody has confirmed that it is the sender's. */
  email: String(),
  subject: String(),
  /** Whether the plan of the account had priority support when the message was sent. */
  priority: Boolean(),
  state: SupportState,
  /** ISO 8601 in UTC. */
  sent_at: String(),
  answered_at: Union([String(), Null()]),
}

/** A message to support in a list, with the beginning of its text. */
export const SupportSummary = Object({ ...summaryFields, excerpt: String() })
export type SupportSummary = Static<typeof SupportSummary>

/** A whole message to support. */
export const SupportMessage = Object({
  ...summaryFields,
  message: String(),
  /** The account that was signed in; null for a visitor. */
  account: Union([Object({ id: String(), username: String(), email: String() }), Null()]),
})
export type SupportMessage = Static<typeof SupportMessage>

/** Messages in the inbox by state; `priority`: of the open ones. */
export const SupportCounts = Object({
  open: Integer(),
  priority: Integer(),
  answered: Integer(),
  suspected: Integer(),
})
export type SupportCounts = Static<typeof SupportCounts>

export const listSupportMessages = endpoint({
  method: 'GET',
  path: '/api/operator/support',
  access: 'operator',
  rate: 'operator',
  summary: 'List messages to support: those with priority first, then the newest.',
  query: Object(
    {
      /** `open` if not given. */
      state: Optional(SupportState),
      skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
      /** 50 if not given. */
      limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
    },
    { additionalProperties: false },
  ),
  reply: Object({
    messages: Array(SupportSummary),
    counts: SupportCounts,
    total: Integer(),
    skip: Integer(),
    limit: Integer(),
  }),
})
export const getSupportMessage = endpoint({
  method: 'GET',
  path: '/api/operator/support/:id',
  access: 'operator',
  rate: 'operator',
  summary: 'Get a message to support.',
  params: ByMessageId,
  reply: SupportMessage,
})
/** In the audit log, without a reason: it is what an inbox is for, and it can be taken back. */
export const changeSupportMessage = endpoint({
  method: 'PUT',
  path: '/api/operator/support/:id',
  access: 'operator',
  rate: 'operator',
  summary: 'Mark a message to support as answered, open or suspected.',
  params: ByMessageId,
  body: Object({ state: SupportState }, { additionalProperties: false }),
  reply: SupportMessage,
})
/** POST, because it takes a reason. Also deletes the email to support where emails are kept as files. */
export const deleteSupportMessage = endpoint({
  method: 'POST',
  path: '/api/operator/support/:id/delete',
  access: 'operator',
  rate: 'operator',
  summary: 'Delete a message to support for good.',
  params: ByMessageId,
  body: Object({ reason: Reason }, { additionalProperties: false }),
  reply: Object({ deleted: Boolean() }),
})
