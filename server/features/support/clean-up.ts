import { sql } from 'kysely'
import { supportLimits } from '@keepsnap/contract/limits.ts'
import { retention } from '@keepsnap/contract/retention.ts'
import type { Db } from '../../db/connect.ts'
import { deleteEmails } from '../../emails/clean-up.ts'

const deletedAtOnce = 500

/** Deletes messages that are too old, with the emails about them, and forgets the clients of those that no longer count. */
export async function cleanUpSupport(db: Db): Promise<void> {
  const { answeredDays, suspectedDays, openDays } = supportLimits
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      delete from support_messages where id in (
        select id from support_messages
        where created_at < now() - case state when 'answered' then interval '0' when 'suspected'
            then make_interval(days => ${suspectedDays}) else make_interval(days => ${openDays}) end
          and (answered_at is null or answered_at < now() - make_interval(days => ${answeredDays}))
        limit ${deletedAtOnce} for update skip locked)
      returning id`.execute(tx)
    await deleteEmails(
      tx,
      rows.map(({ id }) => id),
    )
  })
  await db
    .updateTable('support_messages')
    .set({ client: null, networks: null })
    .where('client', 'is not', null)
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${retention.requestAttemptDays})`)
    .execute()
}
