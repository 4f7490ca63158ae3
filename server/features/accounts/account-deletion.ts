import { deleteAccount } from '@keepsnap/contract/security.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { anonymizeAuditEntries } from '../operators/audit-log.ts'
import { ownerlessKeys } from '../photos/stored-objects.ts'
import { deleteEmailFilesOfUser } from '../emails/stored-emails.ts'
import { queueEmail } from '../emails/queue-email.ts'
import { unauthorized } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { mailboxKey } from '../../lib/email-address.ts'
import { newId } from '../../lib/ids.ts'
import { closeCustomersOf } from '../plans/close-customer.ts'
import { reauthenticate, type ReauthenticatedUser, resetAllPasswordAttempts } from './passwords.ts'
import { revokeAllSessions } from './sessions.ts'

const orphanBatchSize = 500

/** DELETE /user: docs/security.md P8. */
export function accountDeletionRoutes(serve: Serve, deps: ApiDependencies): void {
  const { db, mail, mediaCache, authenticator } = deps
  serve(deleteAccount, async ({ body }, { actor, client }) => {
    const { userId } = actor
    const user = await reauthenticate(deps, { actor, client }, body.password)
    const deletion = { id: userId, passwordHash: user.password_hash }
    if (!(await db.transaction().execute((tx) => deleteUser(tx, mail, deletion)))) throw unauthorized()
    authenticator.invalidateUser(userId)
    mediaCache.invalidateUser(userId)
    return null
  })
}

/**
 * Deletes an account and all its rows in one transaction; afterwards nothing of it can be found, and its email address is
 * free. Keys of stored bytes, and ids of emails that are files, remain for the jobs that delete them. The email about it
 * goes to its address. `passwordHash`: as it was when the password was checked; an operator needs none. False when there is
 * no such account, or its password has changed.
 */
export async function deleteUser(
  tx: Db,
  mail: Pick<Dependencies['mail'], 'kind'>,
  { id, passwordHash }: { id: string; passwordHash?: string },
): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'password_hash', 'time_zone', 'language'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!user || (passwordHash !== undefined && user.password_hash !== passwordHash)) return false
  await eraseAccount(tx, mail, user)
  const { time_zone: timeZone, language } = user
  const payload = { at: new Date().toISOString(), timeZone, language }
  await queueEmail(tx, {
    id: newId(),
    kind: 'account-deleted',
    recipient: user.email,
    recipientKey: mailboxKey(user.email),
    payload,
  })
  return true
}

/** Deletes an account, without the email about it. The caller has locked the account. */
async function eraseAccount(
  tx: Db,
  mail: Pick<Dependencies['mail'], 'kind'>,
  { id, email_key: emailKey }: Pick<ReauthenticatedUser, 'id' | 'email_key'>,
): Promise<void> {
  await revokeAllSessions(tx, id)
  await resetAllPasswordAttempts(tx, emailKey)
  await deleteEmailFilesOfUser(tx, mail, id)
  await closeCustomersOf(tx, id)
  await anonymizeAuditEntries(tx, id)
  await tx.deleteFrom('users').where('id', '=', id).execute()
  await enqueue(tx, { name: 'delete-orphaned-objects', payload: {}, key: `orphans:${newId()}` })
}

/** Deletes again those erased accounts that a restored backup contains; resolves to how many it deleted. */
export async function eraseAccounts(
  db: Db,
  mail: Pick<Dependencies['mail'], 'kind'>,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0
  const users = await db.selectFrom('users').select('id').where('id', 'in', ids).execute()
  let erased = 0
  for (const { id } of users)
    await db.transaction().execute(async (tx) => {
      const user = await tx
        .selectFrom('users')
        .select(['id', 'email_key'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!user) return
      await eraseAccount(tx, mail, user)
      erased += 1
    })
  return erased
}

/** Removes the bytes of deleted accounts and photos. Bytes that are stored later are left to the clean-up job. */
export async function deleteOrphanedObjects({ db, storage }: Pick<Dependencies, 'db' | 'storage'>): Promise<void> {
  for (let afterKey: string | undefined = ''; afterKey !== undefined;) {
    const orphanKeys: string[] = await ownerlessKeys(db, afterKey, orphanBatchSize)
    await storage.remove(orphanKeys)
    afterKey = orphanKeys.length < orphanBatchSize ? undefined : orphanKeys.at(-1)
  }
}
