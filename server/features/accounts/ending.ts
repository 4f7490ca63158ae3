import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { announcement, publish } from '../../live/bus.ts'

/**
 * Ends every session of a user: calls are refused, sockets closed, on every node. Addresses of full-size images handed
 * out before are void.
 */
export async function endAllSessions(tx: Db, userId: string): Promise<void> {
  // The user first, as everywhere: two that end the same sessions would wait for each other.
  await tx
    .updateTable('users')
    .set({ media_epoch: sql<number>`media_epoch + 1` })
    .where('id', '=', userId)
    .execute()
  const ended = await tx.deleteFrom('sessions').where('user_id', '=', userId).returning('token_hash').execute()
  for (const { token_hash: hash } of ended) await publish(tx, { kind: 'session', session: hash.toString('hex') })
  await sql`select ${announcement({ kind: 'user', user: userId })}`.execute(tx)
}
