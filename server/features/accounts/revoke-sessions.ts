import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { publish } from '../../live/bus.ts'

/**
 * Revokes all sessions of a user on every node, closes their sockets, and invalidates the URLs of full-size images that
 * were signed before.
 */
export async function revokeAllSessions(tx: Db, userId: string): Promise<void> {
  // Locks the user first, as all code does: transactions that revoke the same sessions would deadlock otherwise.
  await tx
    .updateTable('users')
    .set({ media_epoch: sql<number>`media_epoch + 1` })
    .where('id', '=', userId)
    .execute()
  const revokedSessions = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .returning('token_hash')
    .execute()
  for (const { token_hash: hash } of revokedSessions)
    await publish(tx, { kind: 'session', session: hash.toString('hex') })
  await publish(tx, { kind: 'user', user: userId })
}
