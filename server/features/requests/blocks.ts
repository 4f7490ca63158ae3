import type { Db } from '../../db/connect.ts'

/** Whether a mailbox takes no photos. `block` as addresses draw it from the mailbox or from a link. */
export const isBlocked = async (db: Db, block: Buffer): Promise<boolean> =>
  (await db.selectFrom('blocked_mailboxes').select('block').where('block', '=', block).executeTakeFirst()) !== undefined

/** From here on no photo goes to the mailbox, whoever asks. */
export async function addBlock(db: Db, block: Buffer): Promise<void> {
  await db
    .insertInto('blocked_mailboxes')
    .values({ block })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function dropBlock(db: Db, block: Buffer): Promise<void> {
  await db.deleteFrom('blocked_mailboxes').where('block', '=', block).execute()
}
