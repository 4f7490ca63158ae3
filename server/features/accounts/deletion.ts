import { deleteAccount } from '@keepsnap/contract/privacy.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { newId } from '../../domain/ids.ts'
import { orphans } from '../../domain/objects.ts'
import { signInAgain } from '../../faults.ts'
import type { Doors } from '../../http/access.ts'
import type { Serve } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { forgetLetters } from '../../letters/queries.ts'
import { writeLetter } from '../../letters/write.ts'
import { endAllSessions } from './ending.ts'
import { askPassword, type Proven } from './own-password.ts'
import type { Passwords } from './passwords.ts'
import { forgiveAccount } from './queries.ts'

const batch = 500

/** Removes the bytes of everything whose account or photo is gone; what was being written meanwhile is the sweep's. */
export async function removeOrphans({ db, storage }: Pick<Deps, 'db' | 'storage'>): Promise<void> {
  for (let after = ''; ;) {
    const keys = await orphans(db, after, batch)
    await storage.remove(keys)
    if (keys.length < batch) return
    after = keys.at(-1)!
  }
}

/**
 * Deletes an account with all that hangs on it, in one transaction: from its end on nothing of it is found any more, and
 * the address is free. Keys of stored bytes, and ids of letters that are files, stay for the jobs.
 */
async function erase(tx: Db, mail: Deps['mail'], user: Proven): Promise<void> {
  const now = await tx
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user.id)
    .forUpdate()
    .executeTakeFirst()
  if (now?.password_hash !== user.password_hash) throw signInAgain()
  await endAllSessions(tx, user.id)
  await forgiveAccount(tx, user.email_key)
  await forgetLetters(tx, mail, user.id)
  await tx.deleteFrom('users').where('id', '=', user.id).execute()
  await enqueue(tx, { name: 'remove-orphans', payload: {}, key: `orphans:${newId()}` })
  const facts = { at: new Date().toISOString() }
  await writeLetter(tx, { id: newId(), kind: 'account-deleted', email: user.email, facts })
}

/** DELETE /user: promises.md P8. */
export function accountDeletion(
  serve: Serve,
  { db, mail, media, passwords, doors }: Pick<Deps, 'db' | 'mail' | 'media'> & { passwords: Passwords; doors: Doors },
): void {
  serve(deleteAccount, async ({ body }, { actor, client }) => {
    const user = await askPassword({ db, passwords }, { userId: actor.userId, client }, body.password)
    await db.transaction().execute((tx) => erase(tx, mail, user))
    doors.forget()
    media.forgetAll()
    return null
  })
}
