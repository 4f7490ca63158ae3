import { sql } from 'kysely'
import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import {
  type AddressDetails,
  type ErasedGuest,
  eraseGuest,
  findEmails,
  sendEmailAgain,
} from '@keepsnap/contract/operator-support.ts'
import type { Db } from '../../platform/db/connect.ts'
import { domainsOfMailbox, mailboxKey, mailboxKeys, parseEmailAddress } from '../../lib/email-address.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  deleteEmailsToGuest,
  emailById,
  emailsTo,
  guestMailboxes as mailboxesOfEmails,
  sendNow,
} from '../emails/stored-emails.ts'
import { isMailboxBlocked } from '../guests/unsubscribe.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { isId } from '../../lib/ids.ts'
import { recordErasedGuest } from '../accounts/erasures.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { emptyNotesNaming } from '../guests/reports.ts'
import { deleteNoticesOf, noticeMailboxes } from '../events/notices.ts'
import { countRequestsOf, deleteRequestsOf, publishRequestsOf, requesterMailboxes } from '../guests/requests.ts'
import { actAsOperator, recordRead, userSubject } from './audit-log.ts'
import { countMessagesOf, deleteMessagesOf, senderMailboxes } from './support-inbox.ts'

/** Emails to an address, for operators, and everything about a guest. */
export function guestOperatorRoutes(serve: Serve, deps: Dependencies): void {
  const { db, tokens } = deps
  serve(findEmails, async ({ query }, { actor: operator }) => {
    const address = readAddress(query.address)
    await recordRead(db, { operator, action: 'look up emails to an address', person: mailboxKey(address) })
    return addressDetails(deps, address)
  })

  serve(sendEmailAgain, async ({ params: { id }, body: { reason } }, { actor: operator }) => {
    const email = isId(id) ? await emailById(db, id) : undefined
    if (!email) throw emailNotFound()
    const subject = email.account ? await userSubject(db, email.account.id) : undefined
    const action = `send email again (${email.kind})`
    await actAsOperator(db, { operator, action, subject, reason }, async (tx) => {
      const outcome = await sendAgain(tx, id)
      if (outcome === 'no email') throw emailNotFound()
      if (outcome === 'being sent') throw new Fault('conflict', 'This email is being sent at this moment.')
    })
    const queued = await emailById(db, id)
    if (!queued) throw emailNotFound()
    return queued
  })

  serve(eraseGuest, async ({ body: { address, reason } }, { actor: operator }) => {
    const guest = readAddress(address)
    // Without a subject: the log must not name who was erased.
    return actAsOperator(db, { operator, action: 'erase guest', subject: undefined, reason }, (tx) =>
      eraseAddress(tx, tokens, guest),
    )
  })
}

const emailNotFound = (): Fault => new Fault('not_found', 'This email does not exist any more.')

function readAddress(text: string): string {
  const address = parseEmailAddress(text)
  if (address === undefined) throw invalidField('address', 'Please enter a full email address.')
  return address
}

/** The emails to an address and what else is stored about it, for operators. */
export async function addressDetails(
  { db, tokens }: Pick<Dependencies, 'db' | 'tokens'>,
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

/**
 * The keys under which anything about the mailbox of an address is stored, also in another spelling by an earlier version or a node
 * of one. Where there are several spellings it reads whole tables: for operators, not for requests of guests.
 */
async function storedMailboxKeys(db: Db, address: string): Promise<string[]> {
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

/** Sends an email again, or now if it waits; the owner of a requested photo sees it at once. */
export async function sendAgain(tx: Db, emailId: string): ReturnType<typeof sendNow> {
  const outcome = await sendNow(tx, emailId)
  if (outcome === 'queued') await publishRequestsOf(tx, emailId)
  return outcome
}

type MailboxHashes = Pick<Tokens, 'mailboxHashes'>

/**
 * Erases everything about the mailbox of an address, and records that for a restore under a keyed hash; with `at`, what there
 * was up to that time. An address that has unsubscribed stays so: only such a hash is stored of
 * it, and the law lets us keep what prevents more emails.
 */
export async function eraseAddress(tx: Db, tokens: MailboxHashes, address: string, at?: Date): Promise<ErasedGuest> {
  const keys = await storedMailboxKeys(tx, address)
  const [hash = Buffer.alloc(0)] = tokens.mailboxHashes(mailboxKey(address))
  const recorded = await recordErasedGuest(tx, hash, at)
  // Rows have microseconds, dates have milliseconds.
  const before = new Date((at ?? recorded).getTime() + 1)
  const requests = await deleteRequestsOf(tx, keys, before)
  const support_messages = await deleteMessagesOf(tx, keys, before)
  await deleteNoticesOf(tx, tokens, [...keys, mailboxKey(address)], before)
  const report_notes = await emptyNotesNaming(tx, mailboxKey(address), before)
  return { requests, support_messages, report_notes, emails: await deleteEmailsToGuest(tx, keys, before) }
}

/**
 * Erases guests again that a restored backup has brought back: every stored mailbox is compared by its hashes, under all
 * accepted keys. Resolves to how many it found.
 */
export async function eraseGuestsAgain(
  db: Db,
  tokens: MailboxHashes,
  erased: ReadonlyMap<string, Date>,
): Promise<number> {
  const lists = await Promise.all([
    requesterMailboxes(db),
    senderMailboxes(db),
    mailboxesOfEmails(db),
    noticeMailboxes(db),
  ])
  let found = 0
  for (const mailbox of new Set(lists.flat())) {
    const hashes = [mailbox, mailboxKey(mailbox)].flatMap((key) => tokens.mailboxHashes(key))
    const times = hashes.flatMap((hash) => erased.get(hash.toString('hex')) ?? [])
    if (times.length === 0) continue
    const at = new Date(Math.max(...times.map((time) => time.getTime())))
    const deleted = await db.transaction().execute((tx) => eraseAddress(tx, tokens, mailbox, at))
    if (Object.values(deleted).some((count) => count > 0)) found += 1
  }
  return found
}
