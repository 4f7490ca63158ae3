import type { Readable } from 'node:stream'

/** A file that goes with a letter. */
export interface Attachment {
  /** Shown to the reader; one line. */
  filename: string
  /** Media type. */
  type: string
  /** For a picture that the letter itself shows: the name after `cid:` in its HTML. */
  cid?: string
  /** Opens the bytes when their turn comes; asked at most once a `send`. A rejection fails the attempt. */
  open(): Promise<Readable>
}

/** One mailbox: an address is always an object, never a line of text that a mailer could read as several. */
export interface Mailbox {
  name?: string
  /** One plain address; its domain may be written in Unicode. */
  address: string
}

/** A letter on its way. Sending it again under the same `id` makes the same Message-ID. */
export interface Message {
  /** 22 characters of base 62. */
  id: string
  from: Mailbox
  to: Mailbox
  /** One line. */
  subject: string
  html: string
  text: string
  /** More headers; one line each. */
  headers?: Readonly<Record<string, string>>
  attachments?: readonly Attachment[]
}

/**
 * What became of an attempt. Reasons are sentences for people, without names of hosts.
 * `refused`: for good; `tooLarge`: for its size, a smaller one may pass.
 * `again`: for now, or nobody knows; `unreachable`: the mail server never got to see the letter, so all others wait too.
 */
export type Sent =
  | { kind: 'sent' }
  | { kind: 'refused'; reason: string; tooLarge: boolean }
  | { kind: 'again'; reason: string; unreachable: boolean }

/** Where letters leave the house. */
export interface Mail {
  readonly kind: 'smtp' | 'outbox'
  /**
   * One attempt, bounded in time. Rejects only for letters that are wrong in themselves (an address that is none, a header
   * of two lines, an attachment that cannot be opened).
   */
  send(message: Message): Promise<Sent>
  /** Removes the letters of these ids that are still in the house. Those that left are out of reach, which is no error. */
  forget(ids: readonly string[]): Promise<void>
  /** Whether letters can leave now, sign-in included. Never rejects. */
  check(): Promise<boolean>
  close(): Promise<void>
}
