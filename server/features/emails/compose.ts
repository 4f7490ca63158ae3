import type { Selectable } from 'kysely'
import type { EmailContext, EmailKind, RenderedEmail } from '@keepsnap/contract/emails.ts'
import { defaultLanguage, isLanguage, type Language } from '@keepsnap/contract/languages.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Emails } from '../../platform/db/schema.ts'
import type { Attachment, Mailbox } from '../../ports/mail/mail.ts'

/** A row of the table emails. */
export type EmailRow = Selectable<Emails>

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

/** The content of an email. */
export interface ComposedEmail extends RenderedEmail {
  /** More headers; one line each. */
  headers?: Readonly<Record<string, string>>
  attachments?: readonly Attachment[]
  /** Whom answers go to; otherwise the sender. */
  replyTo?: Mailbox
}

/** An email that must not be sent although it was requested: its reader has unsubscribed, for example. */
interface DeclinedEmail {
  /** Why, as a sentence for the photo's owner. */
  declined: string
  /** What the email is about can no longer be sent: it does not count as a failure to send. */
  isObsolete?: boolean
}

/** An email that cannot be sent until somebody does something, which may take days or never happen. */
interface WaitingEmail {
  /** Pause until the composer is asked again, in milliseconds. The composer decides when waiting ends. */
  waitMs: number
}

/** An attachment rejects `open` with this error when its content may no longer be sent: the email is composed again. */
export class WithdrawnContent extends Error {
  override name = 'WithdrawnContent'
}

/** One for each kind of email. Several photos, and what else a guest can have sent to any address, are emails of kind `photo`. */
export type Composers = Record<Exclude<EmailKind, 'photos' | 'event-archive' | 'gallery-open'>, Composer>

/** What every email to a user needs: their language and time zone. Without an account, English and the server's time zone. */
export async function emailContextOf(
  db: Db,
  userId: string | null,
  { publicUrl, operator }: Pick<EmailContext, 'publicUrl' | 'operator'>,
): Promise<EmailContext> {
  const user =
    userId === null
      ? undefined
      : await db.selectFrom('users').select(['time_zone', 'language']).where('id', '=', userId).executeTakeFirst()
  return { publicUrl, operator, timeZone: user?.time_zone ?? null, language: storedLanguage(user?.language) }
}

/** A stored language; English where none is stored, or one that no longer exists. */
export const storedLanguage = (tag: string | null | undefined): Language => (isLanguage(tag) ? tag : defaultLanguage)

/** The language of an account. */
export async function languageOfUser(db: Db, userId: string): Promise<Language> {
  const user = await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst()
  return storedLanguage(user?.language)
}

/** False when the account is deactivated or gone: then nothing is sent to it. */
export async function isActiveUser(db: Db, userId: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('is_active').where('id', '=', userId).executeTakeFirst()
  return user?.is_active === true
}
