import { sql } from 'kysely'
import { supportLimits } from '@keepsnap/contract/limits.ts'
import type { SupportFields } from '@keepsnap/contract/support.ts'
import type { Db } from '../../db/connect.ts'
import { currentPlan, planOf } from '../../domain/plans.ts'
import { mailboxKeys } from '../../lib/email-address.ts'

export interface NewMessage extends SupportFields {
  id: string
  /** Undefined for a visitor. */
  userId: string | undefined
  mailbox: string
  isPriority: boolean
  filledHoneypot: boolean
  /** A pseudonym. */
  client: string
  /** Those of its /56 and its /48; of IPv4, none. */
  networks: readonly string[]
  isEmailed: boolean
  isConfirmed: boolean
}

/**
 * Whether the plan of an account has priority support now. Undefined when the account has just been deleted. Until the
 * transaction ends, it cannot be deleted.
 */
export async function hasPrioritySupport(tx: Db, userId: string): Promise<boolean | undefined> {
  const user = await tx
    .selectFrom('users')
    .select(currentPlan.as('plan'))
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  return user && planOf(user).features.priority_support
}

/** Whether the same sender sent the same a moment ago. */
export async function isRepeatedMessage(tx: Db, { email, subject, message }: NewMessage): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from support_messages
      where created_at > now() - make_interval(mins => ${supportLimits.repeatMinutes})
        and mailbox = any(${mailboxKeys(email)}) and subject = ${subject} and message = ${message}) as found`.execute(
    tx,
  )
  return rows[0]?.found === true
}

/** Counts for the limits: messages of the client, and of all clients (see `countRecentMessages`). */
export interface RecentMessages {
  ofClient: number
  /** Of its /56 and its /48. */
  ofNetworks: readonly number[]
  day: number
  emails: number
  confirmations: number
}

/**
 * Counts recent messages of the same kind. Messages with a filled honeypot, of visitors, of accounts, and of accounts
 * with priority support have separate limits, so that a flood of one kind does not block the others.
 */
export async function countRecentMessages(
  tx: Db,
  {
    client,
    networks,
    filledHoneypot,
    userId,
    isPriority,
  }: Pick<NewMessage, 'client' | 'networks' | 'filledHoneypot' | 'userId' | 'isPriority'>,
): Promise<RecentMessages> {
  const lastHour = sql`created_at > now() - interval '1 hour'`
  const { rows } = await sql<RecentMessages>`
    select count(*) filter (where client = ${client}) as "ofClient", count(*) as day,
      array[count(*) filter (where ${networks[0] ?? null} = any(networks)), count(*) filter (where ${networks[1] ?? null} = any(networks))]::int[] as "ofNetworks",
      count(*) filter (where is_emailed and ${lastHour}) as emails,
      count(*) filter (where is_confirmed and ${lastHour}) as confirmations
    from support_messages where created_at > now() - interval '1 day' and filled_honeypot = ${filledHoneypot}
      and is_priority = ${isPriority} and (user_id is not null) = ${userId !== undefined}`.execute(tx)
  return rows[0] ?? { ofClient: 0, ofNetworks: [], day: 0, emails: 0, confirmations: 0 }
}

export async function addMessage(tx: Db, message: NewMessage): Promise<void> {
  await tx
    .insertInto('support_messages')
    .values({
      id: message.id,
      user_id: message.userId ?? null,
      name: message.name,
      email: message.email,
      mailbox: message.mailbox,
      subject: message.subject,
      message: message.message,
      is_priority: message.isPriority,
      filled_honeypot: message.filledHoneypot,
      state: message.filledHoneypot ? 'suspected' : 'open',
      client: message.client,
      networks: message.networks.length > 0 ? [...message.networks] : null,
      is_emailed: message.isEmailed,
      is_confirmed: message.isConfirmed,
    })
    .execute()
}

/** A message as the email about it needs it; undefined when it was deleted. */
export const messageForEmail = (tx: Db, id: string) =>
  tx
    .selectFrom('support_messages')
    .select(['name', 'email', 'subject', 'message', 'is_priority', 'filled_honeypot'])
    .where('id', '=', id)
    .executeTakeFirst()
