import { Array, Boolean, Integer, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { adminLimits } from './limits.ts'
import { Reason } from './operator.ts'

// What operators need for "where is my email?" and "delete what you have about me". Addresses are not confirmed by anybody.

/* @__NO_SIDE_EFFECTS__ */
const nullable = <T extends Parameters<typeof Union>[0][number]>(schema: T) => Union([schema, Null()])
const Account = Object({ id: String(), username: String() })
const Address = String({ maxLength: adminLimits.searchChars, pattern: '^[^\\0]*$' })

/** An email to an address. Times are ISO 8601 in UTC. */
export const OperatorEmail = Object({
  id: String(),
  /** `photo`, `reset`, `verify` and so on. */
  kind: String(),
  recipient: String(),
  /** `waiting`: for its time or its next attempt. `sent`: accepted by the mail server, or written to the outbox folder. */
  state: Union([Literal('waiting'), Literal('sending'), Literal('sent'), Literal('failed')]),
  created_at: String(),
  sent_at: nullable(String()),
  /** Of an email that waits. */
  next_try_at: nullable(String()),
  attempts: Integer(),
  /** Why it waits, or failed. */
  reason: nullable(String()),
  /** Whose email it is; of a photo, its owner. */
  account: nullable(Account),
})
export type OperatorEmail = Static<typeof OperatorEmail>

/** What is stored about an address, besides an account. */
export const AddressDetails = Object({
  /** The newest 50. */
  emails: Array(OperatorEmail),
  /** How many emails there are. */
  total: Integer(),
  /** How many of them go when the guest is erased: not those about an account. */
  guest_emails: Integer(),
  /** Photos that this mailbox requested, and messages to support from it. */
  requests: Integer(),
  support_messages: Integer(),
  /** Whether it receives no photos any more, as its owner wished. */
  unsubscribed: Boolean(),
  /** The account with this address. */
  account: nullable(Account),
})
export type AddressDetails = Static<typeof AddressDetails>

/** 422 for what is not an email address. An address with a tag (`anna+party@`) also finds photos sent to its mailbox. */
export const findEmails = endpoint({
  method: 'GET',
  path: '/api/operator/emails',
  access: 'operator',
  rate: 'operator',
  summary: 'Find the emails to an address, newest first, and what else is stored about it.',
  query: Object({ address: Address }, { additionalProperties: false }),
  reply: AddressDetails,
})
/** 409 while the email is being sent. */
export const sendEmailAgain = endpoint({
  method: 'POST',
  path: '/api/operator/emails/:id/send',
  access: 'operator',
  rate: 'operator',
  summary: 'Send an email again, or now if it waits.',
  params: Object({ id: String({ maxLength: 128 }) }),
  body: Object({ reason: Reason }, { additionalProperties: false }),
  reply: OperatorEmail,
})

/** What was deleted. */
export const ErasedGuest = Object({
  emails: Integer(),
  requests: Integer(),
  support_messages: Integer(),
  /** Notes in reports of photos that contained the address. */
  report_notes: Integer(),
})
export type ErasedGuest = Static<typeof ErasedGuest>

/** The mailbox stays unsubscribed: for that, only a keyed hash is stored. A restored backup loses the same again. */
export const eraseGuest = endpoint({
  method: 'POST',
  path: '/api/operator/guests/erase',
  access: 'operator',
  rate: 'operator',
  summary:
    'Delete everything about the mailbox of a guest: requests, emails, messages to support and notes in reports.',
  body: Object({ address: Address, reason: Reason }, { additionalProperties: false }),
  reply: ErasedGuest,
})
