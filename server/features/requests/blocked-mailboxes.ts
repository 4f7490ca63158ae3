import type { Db } from '../../db/connect.ts'

/** Whether the owner of a mailbox has unsubscribed. The hashes are derived from the mailbox or from a token. */
export const isMailboxBlocked = async (db: Db, mailboxHashes: readonly Buffer[]): Promise<boolean> =>
  (await db
    .selectFrom('blocked_mailboxes')
    .select('mailbox_hash')
    .where('mailbox_hash', 'in', mailboxHashes)
    .executeTakeFirst()) !== undefined

/** Those of the hashes whose mailboxes have unsubscribed, in hexadecimal. */
export async function blockedMailboxesOf(db: Db, mailboxHashes: readonly Buffer[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('blocked_mailboxes')
    .select('mailbox_hash')
    .where('mailbox_hash', 'in', mailboxHashes)
    .execute()
  return new Set(rows.map((row) => row.mailbox_hash.toString('hex')))
}

/** Stops all emails with photos to a mailbox. */
export async function blockMailbox(db: Db, mailboxHash: Buffer): Promise<void> {
  await db
    .insertInto('blocked_mailboxes')
    .values({ mailbox_hash: mailboxHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Allows emails with photos to a mailbox again. */
export async function unblockMailbox(db: Db, mailboxHash: Buffer): Promise<void> {
  await db.deleteFrom('blocked_mailboxes').where('mailbox_hash', '=', mailboxHash).execute()
}
