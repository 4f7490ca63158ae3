import { sql } from 'kysely'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import type { Mail } from '../ports/mail/mail.ts'

const removedAtOnce = 50
const removedToMakeRoom = `The file was removed from the outbox folder after ${emailLimits.fileKeepDays} days, to make room.`

/**
 * Removes the files of the oldest emails with photos to guests, of those older than a week. Other emails are never removed
 * to make room, and neither are those that an earlier version wrote: their size is unknown, so an update removes nothing.
 * Whether it removed any.
 */
export async function makeRoomInOutbox({ db, mail }: { db: Db; mail: Mail }): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update emails set file_bytes = null, failure = ${removedToMakeRoom} where id in (
      select id from emails where kind = 'photo' and state = 'sent' and file_bytes is not null
        and sent_at < now() - make_interval(days => ${emailLimits.fileKeepDays})
      order by sent_at limit ${removedAtOnce} for update skip locked) returning id`.execute(db)
  await mail.deleteStored(rows.map(({ id }) => id))
  return rows.length > 0
}
