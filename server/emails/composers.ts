import type { Selectable } from 'kysely'
import type { EmailKind, RenderedEmail } from '@keepsnap/contract/guest.ts'
import type { Db } from '../db/connect.ts'
import type { Emails } from '../db/schema.ts'
import type { Attachment, Mailbox } from '../ports/mail/mail.ts'

/** A row of the table emails. */
export type EmailRow = Selectable<Emails>

/** The content of an email. */
export interface ComposedEmail extends RenderedEmail {
  /** More headers; one line each. */
  headers?: Readonly<Record<string, string>>
  attachments?: readonly Attachment[]
  /** Whom answers go to; otherwise the sender. */
  replyTo?: Mailbox
}

/** An attachment rejects `open` with this error when its content may no longer be sent: the email is composed again. */
export class WithdrawnContent extends Error {
  override name = 'WithdrawnContent'
}

/** An email that must not be sent although it was requested: its reader has unsubscribed, for example. */
export interface DeclinedEmail {
  /** Why, as a sentence for the photo's owner. */
  declined: string
  /** What the email is about can no longer be sent: it does not count as a failure to send. */
  isObsolete?: boolean
}

/** An email that cannot be sent until somebody does something, which may take days or never happen. */
export interface WaitingEmail {
  /** Pause until the composer is asked again, in milliseconds. The composer decides when waiting ends. */
  waitMs: number
}

/** Composes the emails of one kind. Belongs to the feature that queues them. */
export interface Composer {
  /**
   * Composes the content, for every attempt anew, from what the database holds now. `obsolete`: what the email is about no
   * longer exists. `not ready`: not yet; asked again in seconds, for 48 hours. `attach` is false when the mail server found
   * the email too large.
   */
  compose(
    email: EmailRow,
    tx: Db,
    options: { attach: boolean },
  ): Promise<ComposedEmail | DeclinedEmail | WaitingEmail | 'obsolete' | 'not ready'>
  /** Called in the transaction in which an email was sent or failed, or in which the reason for its delay may have changed. */
  onStatusChange?(tx: Db, email: EmailRow): Promise<void>
}

/** One for each kind of email. */
export type Composers = Record<EmailKind, Composer>
