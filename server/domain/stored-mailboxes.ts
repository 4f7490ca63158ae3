import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { domainsOfMailbox, mailboxKey, mailboxKeys } from '../lib/email-address.ts'

/**
 * The keys under which anything about the mailbox of an address is stored, also in another spelling by an earlier version or a node
 * of one. Where there are several spellings it reads whole tables: for operators, not for requests of guests.
 */
export async function storedMailboxKeys(db: Db, address: string): Promise<string[]> {
  const mailbox = mailboxKey(address)
  // The key of the first version is that of several people.
  const keys = mailboxKeys(address).filter((key) => !key.startsWith('@'))
  const domains = domainsOfMailbox(mailbox)
  if (domains.length === 1) return keys
  const { rows } = await sql<{ key: string }>`
    select key from (
      select recipient_key as key from emails union select requester_key from photo_requests union select mailbox from support_messages
    ) as stored where split_part(key, '@', 2) = any(${domains})`.execute(db)
  return [...new Set([...keys, ...rows.map(({ key }) => key).filter((key) => mailboxKey(key) === mailbox)])]
}
