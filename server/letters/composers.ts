import type { Selectable } from 'kysely'
import type { LetterKind, WrittenLetter } from '@keepsnap/contract/guest.ts'
import type { Db } from '../db/connect.ts'
import type { Letters } from '../db/schema.ts'
import type { Attachment } from '../ports/mail/mail.ts'

/** A letter as it stands in the database. */
export type LetterRow = Selectable<Letters>

/** What a composer makes of a letter whose time has come. */
export interface Composed extends WrittenLetter {
  /** More headers; one line each. */
  headers?: Readonly<Record<string, string>>
  attachments?: readonly Attachment[]
}

/** A letter that its reader does not want, although it was asked for. */
export interface Unwanted {
  /** Why, as a sentence for whoever sees what became of it. */
  unwanted: string
}

/** How the feature that caused a letter takes part in its life. */
export interface Composer {
  /**
   * Makes the content, for every attempt anew, with facts read now. `withdrawn`: what it is about is no longer there, or no
   * longer wanted. `later`: it is not ready yet; asked again in seconds. With `attach` false the mail server found the letter too large.
   */
  compose(letter: LetterRow, tx: Db, how: { attach: boolean }): Promise<Composed | Unwanted | 'withdrawn' | 'later'>
  /** Told in the transaction in which a letter became sent or failed, or in which the reason for its waiting changed. */
  settled?(tx: Db, letter: LetterRow): Promise<void>
}

/** One for each kind of letter. */
export type Composers = Record<LetterKind, Composer>
