import { sql } from 'kysely'
import { limits, liveLimits } from '@keepsnap/contract/limits.ts'
import { liveTicket } from '@keepsnap/contract/live.ts'
import type { Db } from '../../db/connect.ts'
import { hashOf, newSecret } from '../../domain/ids.ts'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../http/access.ts'
import type { Serve } from '../../http/serve.ts'

/** Spends a ticket: the session behind it, once, within its 30 seconds, as long as that session lives. */
export async function spendTicket(db: Db, ticket: string): Promise<Actor | undefined> {
  if (ticket.length > 128) return undefined
  const { rows } = await sql<{ user_id: string; session_hash: Buffer }>`
    with spent as (delete from ws_tickets where ticket_hash = ${hashOf(ticket)} returning session_hash, expires_at)
    select s.user_id, spent.session_hash from spent
    join sessions s on s.token_hash = spent.session_hash join users u on u.id = s.user_id
    where spent.expires_at > now() and u.is_active
      and s.last_used_at > now() - make_interval(days => ${limits.sessionIdleDays})
      and s.created_at > now() - make_interval(days => ${limits.sessionMaxDays})`.execute(db)
  const row = rows[0]
  return row && { userId: row.user_id, sessionHash: row.session_hash }
}

export const sweepTickets = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('ws_tickets')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute())

/** Tickets for the live channel, so that no session token has to stand in an address. */
export function tickets(serve: Serve, { db }: Pick<Deps, 'db'>): void {
  serve(liveTicket, async (_, { actor }) => {
    const ticket = newSecret()
    await db
      .insertInto('ws_tickets')
      .values({
        ticket_hash: hashOf(ticket),
        session_hash: actor.sessionHash,
        expires_at: sql<Date>`now() + make_interval(secs => ${liveLimits.ticketSeconds})`,
      })
      .execute()
    return { ticket }
  })
}
