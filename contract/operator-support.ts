import { Array, Boolean, Integer, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, text } from './endpoint.ts'
import { adminLimits, limits } from './limits.ts'
import { Reason } from './operators.ts'
import { PhotoReport } from './guests.ts'

// What operators need for "where is my email?" and "delete what you have about me". Addresses are not confirmed by anybody.

const Account = Object({ id: String(), username: String() })
const Address = text(adminLimits.searchChars)

/** An email to an address. Times are ISO 8601 in UTC. */
export const OperatorEmail = Object({
  id: String(),
  /** `photo`, `reset`, `verify` and so on. */
  kind: String(),
  recipient: String(),
  /** `waiting`: for its time or its next attempt. `sent`: accepted by the mail server, or written to the outbox folder. */
  state: oneOf('waiting', 'sending', 'sent', 'failed'),
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
  query: exact({ address: Address }),
  reply: AddressDetails,
})
/** 409 while the email is being sent. */
export const sendEmailAgain = endpoint({
  method: 'POST',
  path: '/api/operator/emails/:id/send',
  access: 'operator',
  rate: 'operator',
  summary: 'Send an email again, or now if it waits.',
  params: ById,
  body: exact({ reason: Reason }),
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
  body: exact({ address: Address, reason: Reason }),
  reply: ErasedGuest,
})

const Owner = Object({ id: String(), username: String() })

/** A photo whose processing failed; no picture of it is shown. Times are ISO 8601 in UTC. */
export const FailedPhoto = Object({
  id: String(),
  filename: String(),
  owner: Owner,
  created_at: String(),
  error_message: nullable(String()),
  /** Whether another attempt can help: the file is not at fault and still stored. */
  can_retry: Boolean(),
})
export type FailedPhoto = Static<typeof FailedPhoto>

/** A photo that guests reported, with its thumbnail. */
export const ReportedPhoto = Object({ owner: Owner, report: PhotoReport })
export type ReportedPhoto = Static<typeof ReportedPhoto>

const ListQuery = exact({
  skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
  /** 50 if not given. */
  limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
})
const pageFields = { total: Integer(), skip: Integer(), limit: Integer() }

export const listFailedPhotos = endpoint({
  method: 'GET',
  path: '/api/operator/failed-photos',
  access: 'operator',
  rate: 'operator',
  summary: 'List photos whose processing failed, newest first.',
  query: ListQuery,
  reply: Object({ photos: Array(FailedPhoto), ...pageFields }),
})
export const listReportedPhotos = endpoint({
  method: 'GET',
  path: '/api/operator/reports',
  access: 'operator',
  rate: 'operator',
  summary: 'List photos of all accounts that guests reported: those with open reports first, then the newest.',
  query: ListQuery,
  reply: Object({ photos: Array(ReportedPhoto), ...pageFields }),
})
/** 409 when the photo has not failed or its file is gone. */
export const retryFailedPhoto = endpoint({
  method: 'POST',
  path: '/api/operator/photos/:id/retry',
  access: 'operator',
  rate: 'operator',
  summary: 'Process a failed photo again.',
  params: ById,
  body: exact({ reason: Reason }),
  reply: Object({ retried: Boolean() }),
})
const Message = text(adminLimits.messageChars)
const Decision = exact({
  reason: Reason,
  /** To the owner, by email and beside the photo; a sentence of ours without one. The reason is not shown to the owner. */
  message: Optional(Message),
})

/** 404 for a photo that nobody has reported. Hiding again what an operator has hidden changes nothing and sends no email. */
export const hideReportedPhoto = endpoint({
  method: 'POST',
  path: '/api/operator/photos/:id/hide',
  access: 'operator',
  rate: 'operator',
  summary: 'Hide a reported photo from guests, and tell its owner. Only an operator can show it again.',
  params: ById,
  body: Decision,
  reply: ReportedPhoto,
})
/** 404 for a photo that nobody has reported, 409 for one that no operator has hidden. */
export const showReportedPhoto = endpoint({
  method: 'POST',
  path: '/api/operator/photos/:id/show',
  access: 'operator',
  rate: 'operator',
  summary: 'Show a photo again that an operator has hidden, unless its owner had hidden it before, and tell its owner.',
  params: ById,
  body: Decision,
  reply: ReportedPhoto,
})

/** 404 for a photo that nobody has reported. */
export const deleteReportedPhoto = endpoint({
  method: 'POST',
  path: '/api/operator/photos/:id/delete',
  access: 'operator',
  rate: 'operator',
  summary: 'Delete a reported photo for good, as its owner could.',
  params: ById,
  body: exact({ reason: Reason }),
  reply: Object({ deleted: Boolean() }),
})

/** A photo that was looked for; no picture of it is shown. Times are ISO 8601 in UTC. */
export const FoundPhoto = Object({
  id: String(),
  /** Null for a photo whose row is deleted. */
  filename: nullable(String()),
  owner: nullable(Owner),
  /** `removed`: after the end of a plan; its owner can restore it. */
  state: oneOf('receiving', 'queued', 'ready', 'failed', 'removed', 'deleted'),
  error_message: nullable(String()),
  uploaded_at: nullable(String()),
  /** When it was ready, or had failed. */
  processed_at: nullable(String()),
  /** When its owner or an operator hid it from guests. */
  hidden_at: nullable(String()),
  hidden_by_operator: Boolean(),
  deleted_at: nullable(String()),
  reports: Integer(),
})
export type FoundPhoto = Static<typeof FoundPhoto>

export const findPhoto = endpoint({
  method: 'GET',
  path: '/api/operator/photos',
  access: 'operator',
  rate: 'operator',
  summary: 'Find a photo by its id, a code, or a link to it or to one of its pictures.',
  query: exact({ text: text(adminLimits.linkChars) }),
  /** At most one; none when nothing is known about it. */
  reply: Object({ photos: Array(FoundPhoto) }),
})

/** `suspected`: looks like spam, because the honeypot was filled in or because an operator said so. */
export const SupportState = oneOf('open', 'answered', 'suspected')
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
  answered_at: nullable(String()),
}

/** A message to support in a list, with the beginning of its text. */
export const SupportSummary = Object({ ...summaryFields, excerpt: String() })
export type SupportSummary = Static<typeof SupportSummary>

/** A whole message to support. */
export const SupportMessage = Object({
  ...summaryFields,
  message: String(),
  /** The account that was signed in; null for a visitor. */
  account: nullable(Object({ id: String(), username: String(), email: String() })),
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
  query: exact({
    /** `open` if not given. */
    state: Optional(SupportState),
    skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
    /** 50 if not given. */
    limit: Optional(Integer({ minimum: 1, maximum: adminLimits.pageMax })),
  }),
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
  params: ById,
  reply: SupportMessage,
})
/** In the audit log, without a reason: it is what an inbox is for, and it can be taken back. */
export const changeSupportMessage = endpoint({
  method: 'PUT',
  path: '/api/operator/support/:id',
  access: 'operator',
  rate: 'operator',
  summary: 'Mark a message to support as answered, open or suspected.',
  params: ById,
  body: exact({ state: SupportState }),
  reply: SupportMessage,
})
/** POST, because it takes a reason. Also deletes the email to support where emails are kept as files. */
export const deleteSupportMessage = endpoint({
  method: 'POST',
  path: '/api/operator/support/:id/delete',
  access: 'operator',
  rate: 'operator',
  summary: 'Delete a message to support for good.',
  params: ById,
  body: exact({ reason: Reason }),
  reply: Object({ deleted: Boolean() }),
})
