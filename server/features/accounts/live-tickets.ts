import { sql } from 'kysely'
import { limits, liveLimits } from '@keepsnap/contract/limits.ts'
import { liveTicket } from '@keepsnap/contract/live.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { SessionActor } from '../../http/actor.ts'
import type { Serve } from '../../http/serve.ts'
import { hashOf, newSecret } from '../../lib/ids.ts'

const maxTicketChars = 128

/** Issues tickets for the live channel, so that no session token is part of a URL. */
export function liveTicketRoutes(serve: Serve, { db }: Pick<Dependencies, 'db'>): void {
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

/** The session of a ticket. A ticket works once, for 30 seconds, while its session has not expired. */
export async function redeemTicket(db: Db, ticket: string): Promise<SessionActor | undefined> {
  if (ticket.length > maxTicketChars) return undefined
  const { rows } = await sql<{ user_id: string; session_hash: Buffer }>`
    with redeemed as (delete from ws_tickets where ticket_hash = ${hashOf(ticket)} returning session_hash, expires_at)
    select sessions.user_id, redeemed.session_hash from redeemed
    join sessions on sessions.token_hash = redeemed.session_hash join users on users.id = sessions.user_id
    where redeemed.expires_at > now() and users.is_active
      and sessions.last_used_at > now() - make_interval(days => ${limits.sessionIdleDays})
      and sessions.created_at > now() - make_interval(days => ${limits.sessionMaxDays})`.execute(db)
  const redeemedTicket = rows[0]
  return redeemedTicket && { by: 'session', userId: redeemedTicket.user_id, sessionHash: redeemedTicket.session_hash }
}

export const deleteExpiredTickets = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('ws_tickets')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute())
