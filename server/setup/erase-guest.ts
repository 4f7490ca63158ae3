import type { ErasedGuest } from '@keepsnap/contract/operator-guests.ts'
import { recordErasedGuest } from '../backup/erasures.ts'
import type { Db } from '../db/connect.ts'
import { storedMailboxKeys } from '../domain/stored-mailboxes.ts'
import type { Tokens } from '../domain/tokens.ts'
import { deleteEmailsToGuest, guestMailboxes as mailboxesOfEmails } from '../emails/find-emails.ts'
import { emptyNotesNaming } from '../features/photos/report-queries.ts'
import { deleteRequestsOf, requesterMailboxes } from '../features/requests/queries.ts'
import { deleteMessagesOf, senderMailboxes } from '../features/support/operator-queries.ts'
import { mailboxKey } from '../lib/email-address.ts'

type MailboxHashes = Pick<Tokens, 'mailboxHashes'>

/**
 * Erases everything about the mailbox of an address, and records that for a restore under a keyed hash; with `at`, what there
 * was up to that time. An address that has unsubscribed stays so: only such a hash is stored of
 * it, and the law lets us keep what prevents more emails.
 */
export async function eraseGuest(tx: Db, tokens: MailboxHashes, address: string, at?: Date): Promise<ErasedGuest> {
  const keys = await storedMailboxKeys(tx, address)
  const [hash = Buffer.alloc(0)] = tokens.mailboxHashes(mailboxKey(address))
  const recorded = await recordErasedGuest(tx, hash, at)
  // Rows have microseconds, dates have milliseconds.
  const before = new Date((at ?? recorded).getTime() + 1)
  const requests = await deleteRequestsOf(tx, keys, before)
  const support_messages = await deleteMessagesOf(tx, keys, before)
  const report_notes = await emptyNotesNaming(tx, mailboxKey(address), before)
  return { requests, support_messages, report_notes, emails: await deleteEmailsToGuest(tx, keys, before) }
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
    const hashes = [mailbox, mailboxKey(mailbox)].flatMap((key) => tokens.mailboxHashes(key))
    const times = hashes.flatMap((hash) => erased.get(hash.toString('hex')) ?? [])
    if (times.length === 0) continue
    const at = new Date(Math.max(...times.map((time) => time.getTime())))
    const deleted = await db.transaction().execute((tx) => eraseGuest(tx, tokens, mailbox, at))
    if (Object.values(deleted).some((count) => count > 0)) found += 1
  }
  return found
}
