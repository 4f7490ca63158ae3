import type { ErasedGuest } from '@keepsnap/contract/operator-guests.ts'
import { recordErasedGuest } from '../backup/erasures.ts'
import type { Db } from '../db/connect.ts'
import type { Tokens } from '../domain/tokens.ts'
import { deleteEmailsToGuest, guestMailboxes as mailboxesOfEmails } from '../emails/find-emails.ts'
import { emptyNotesNaming } from '../features/photos/report-queries.ts'
import { deleteRequestsOf, requesterMailboxes } from '../features/requests/queries.ts'
import { deleteMessagesOf, senderMailboxes } from '../features/support/operator-queries.ts'

type MailboxHashes = Pick<Tokens, 'mailboxHashes'>

/**
 * Erases everything about a guest's mailbox, and records that for a restore under a keyed hash; with `at`, what there was up
 * to that time. `mailbox` as `mailboxKey` writes it. An address that has unsubscribed stays so: only such a hash is stored of
 * it, and the law lets us keep what prevents more emails.
 */
export async function eraseGuest(tx: Db, tokens: MailboxHashes, mailbox: string, at?: Date): Promise<ErasedGuest> {
  const [hash = Buffer.alloc(0)] = tokens.mailboxHashes(mailbox)
  const recorded = await recordErasedGuest(tx, hash, at)
  // Rows have microseconds, dates have milliseconds.
  const before = new Date((at ?? recorded).getTime() + 1)
  const requests = await deleteRequestsOf(tx, mailbox, before)
  const support_messages = await deleteMessagesOf(tx, mailbox, before)
  const report_notes = await emptyNotesNaming(tx, mailbox, before)
  return { requests, support_messages, report_notes, emails: await deleteEmailsToGuest(tx, mailbox, before) }
}

/**
 * Erases guests again that a restored backup has brought back: every stored mailbox is compared by its hashes, under all
 * accepted keys. Resolves to how many it found.
 */
export async function eraseGuestsAgain(
  db: Db,
  tokens: MailboxHashes,
  erased: ReadonlyMap<string, Date>,
): Promise<number> {
  const lists = await Promise.all([requesterMailboxes(db), senderMailboxes(db), mailboxesOfEmails(db)])
  let found = 0
  for (const mailbox of new Set(lists.flat())) {
    const times = tokens.mailboxHashes(mailbox).flatMap((hash) => erased.get(hash.toString('hex')) ?? [])
    if (times.length === 0) continue
    const at = new Date(Math.max(...times.map((time) => time.getTime())))
    const deleted = await db.transaction().execute((tx) => eraseGuest(tx, tokens, mailbox, at))
    if (Object.values(deleted).some((count) => count > 0)) found += 1
  }
  return found
}
