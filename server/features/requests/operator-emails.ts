import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import type { AddressDetails } from '@keepsnap/contract/operator-guests.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { storedMailboxKeys } from '../../domain/stored-mailboxes.ts'
import { emailsTo, sendNow } from '../../emails/find-emails.ts'
import { mailboxKeys } from '../../lib/email-address.ts'
import { publish } from '../../live/bus.ts'
import { isMailboxBlocked } from './blocked-mailboxes.ts'
import { countRequestsOf, requestByEmail } from './queries.ts'

type AddressDependencies = Pick<Dependencies, 'db' | 'tokens'> & {
  countMessagesOf: (db: Db, mailboxKeys: string[]) => Promise<number>
}

/** The emails to an address and what else is stored about it, for operators. */
export async function addressDetails(
  { db, tokens, countMessagesOf }: AddressDependencies,
  address: string,
): Promise<AddressDetails> {
  const keys = await storedMailboxKeys(db, address)
  const [found, requests, messages, unsubscribed, account] = await Promise.all([
    emailsTo(db, keys),
    countRequestsOf(db, keys),
    countMessagesOf(db, keys),
    isMailboxBlocked(
      db,
      [...keys, ...mailboxKeys(address)].flatMap((key) => tokens.mailboxHashes(key)),
    ),
    db
      .selectFrom('users')
      .select(['id', 'username'])
      .where('email_key', '=', normalizeEmail(address))
      .executeTakeFirst(),
  ])
  return { ...found, requests, support_messages: messages, unsubscribed, account: account ?? null }
}

/** Sends an email again, or now if it waits; the owner of a requested photo sees it at once. */
export async function sendAgain(tx: Db, emailId: string): ReturnType<typeof sendNow> {
  const outcome = await sendNow(tx, emailId)
  const request = outcome === 'queued' ? await requestByEmail(tx, emailId) : undefined
  if (request) await publish(tx, { kind: 'request', user: request.user_id, request: request.id })
  return outcome
}
