import type { Readable } from 'node:stream'

/** A file that goes with an email. */
export interface Attachment {
  /** Shown to the reader; one line. */
  filename: string
  /** Media type. */
  type: string
  /** For a picture that the email itself shows: its Content-ID, the name after `cid:` in the HTML. */
  cid?: string
  /** Opens the bytes when they are to be sent; called at most once per `send`. A rejection fails the attempt. */
  open(): Promise<Readable>
}

/** One mailbox. The address is a field of an object, never part of a line that a mailer could read as several. */
export interface Mailbox {
  name?: string
  /** One plain email address; its domain may be written in Unicode. */
  address: string
}

/**
 * An email to be sent. Attempts at the same `id` have the same Message-ID. One that was accepted and is to be sent again gets
 * another, because mailboxes show emails with the same one only once.
 */
export interface Message {
  /** 22 characters of base 62. */
  id: string
  /** When it was accepted the last time, if it is sent again. */
  sentBefore?: Date | null
  from: Mailbox
  to: Mailbox
  /** Whom answers go to; otherwise the sender. */
  replyTo?: Mailbox
  /** One line. */
  subject: string
  html: string
  text: string
  /** More headers; one line each. */
  headers?: Readonly<Record<string, string>>
  attachments?: readonly Attachment[]
  /** May wait when there is little room for emails that are kept as files. */
  mayWait?: boolean
}

/**
 * The result of one attempt. Reasons are sentences for people, without host names.
 * `sent`, with `fileBytes` when the email is kept as a file.
 * `refused`: permanently. `tooLarge`: because of its size; a smaller email may be accepted.
 * `retry`: a temporary or unknown failure. `unreachable`: the mail server never saw the email, so all others wait too.
 * `isFull`: there is no room for an email that may wait. `detail`: what the log says besides; may name hosts.
 */
export type SendResult =
  | { kind: 'sent'; fileBytes?: number }
  | { kind: 'refused'; reason: string; tooLarge: boolean }
  | { kind: 'retry'; reason: string; unreachable: boolean; isFull?: true; detail?: string }

/** Sends emails: through a mail server, or into a folder. */
export interface Mail {
  readonly kind: 'smtp' | 'outbox'
  /** Larger files are not attached; the email has a link to them. */
  readonly maxAttachmentBytes: number
  /**
   * One attempt, bounded in time. Rejects only for emails that are invalid themselves (a bad address, a header of two
   * lines, an attachment that cannot be opened).
   */
  send(message: Message): Promise<SendResult>
  /** Deletes the emails with these ids that are still stored here. Emails that were sent are out of reach; no error. */
  deleteStored(ids: readonly string[]): Promise<void>
  /** The bytes of emails that are kept as files; absent where none are. */
  storedBytes?(): Promise<number>
  /** Whether emails can be sent now, those that may wait too; includes signing in to the mail server. Never rejects. */
  check(): Promise<boolean>
  close(): Promise<void>
}
