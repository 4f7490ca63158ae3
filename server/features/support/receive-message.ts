import { setTimeout as wait } from 'node:timers/promises'
import type { Language } from '@keepsnap/contract/languages.ts'
import { supportLimits } from '@keepsnap/contract/limits.ts'
import type { SupportFields } from '@keepsnap/contract/support.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isUnderConfirmationLimit, queueEmail } from '../../emails/queue-email.ts'
import { Fault } from '../../faults.ts'
import { networkShares, networksOf } from '../../http/client-address.ts'
import { mailboxKey } from '../../lib/email-address.ts'
import { newId } from '../../lib/ids.ts'
import { isSampleSupportEmail } from '../../ports/mail/mail-settings.ts'
import { validateFields } from './message-fields.ts'
import { addMessage, countRecentMessages, hasPrioritySupport, isRepeatedMessage, type NewMessage } from './queries.ts'

export type SupportDependencies = Pick<Dependencies, 'config' | 'db' | 'tokens'> & {
  /** The least time in which a message is answered. */
  minAnswerMs: number
}

/** Who sent a message, and how. */
export interface MessageSender {
  /** Of the session; undefined for a visitor. */
  userId: string | undefined
  client: string
  filledHoneypot: boolean
  /** Of the page. */
  language: Language
}

const clientLimitReached = (): Fault =>
  new Fault('rate_limited', 'Too many messages from your network today. Please try again tomorrow.', 3600)
const dayLimitReached = (): Fault =>
  new Fault('unavailable', 'Too many people are writing to us right now. Please try again later.', 3600)

/** Whether emails to the support address can arrive: of a real mail server, none goes to the address of the sample settings. */
const isSupportReachable = ({ config }: SupportDependencies): boolean =>
  config.mail.kind === 'outbox' || !isSampleSupportEmail(config)

/** Stores a message with the emails that follow from it, unless the sender sent the same a moment ago. */
async function storeMessage(
  deps: SupportDependencies,
  tx: Db,
  { fields, sender }: { fields: SupportFields; sender: MessageSender },
): Promise<void> {
  const { filledHoneypot } = sender
  const hasPriority = sender.userId === undefined ? undefined : await hasPrioritySupport(tx, sender.userId)
  const [client = '', ...networks] = networksOf(sender.client).map((one) => deps.tokens.clientPseudonym(one))
  const kind = {
    userId: hasPriority === undefined ? undefined : sender.userId,
    isPriority: hasPriority === true,
    filledHoneypot,
    client,
    networks,
  }
  const mailbox = mailboxKey(fields.email)
  // Locks the mailbox, so that the same message that comes twice at once is stored once.
  const mayConfirm = await isUnderConfirmationLimit(tx, fields.email)
  const recent = await countRecentMessages(tx, kind)
  const message: NewMessage = {
    ...fields,
    ...kind,
    id: newId(),
    mailbox,
    isEmailed: isSupportReachable(deps) && recent.emails < supportLimits.emailsPerHour,
    isConfirmed: mayConfirm && !filledHoneypot && recent.confirmations < supportLimits.confirmationsPerHour,
  }
  if (await isRepeatedMessage(tx, message)) return
  const counts = [recent.ofClient, ...recent.ofNetworks]
  if (counts.some((count, n) => count >= supportLimits.perClientDay * (networkShares[n] ?? 1)))
    throw clientLimitReached()
  if (recent.day >= supportLimits.perDay) throw dayLimitReached()
  await addMessage(tx, message)
  await queueEmails(tx, message, { supportEmail: deps.config.supportEmail, language: sender.language })
}

/** What is kept with a confirmation: when the message arrived, and the language of the page that sent it. */
export type ReceivedPayload = { at: string; language: Language }

/** Both emails belong to the account of the sender, if there is one, and are deleted with it. */
async function queueEmails(
  tx: Db,
  message: NewMessage,
  { supportEmail, language }: { supportEmail: string; language: Language },
): Promise<void> {
  const ofAccount = message.userId !== undefined && { userId: message.userId }
  if (message.isEmailed)
    await queueEmail(tx, {
      ...ofAccount,
      id: message.id,
      kind: 'support-message',
      recipient: supportEmail,
      payload: {},
    })
  if (message.isConfirmed) {
    const to = { recipient: message.email, recipientKey: message.mailbox }
    const payload: ReceivedPayload = { at: new Date().toISOString(), language }
    await queueEmail(tx, { ...ofAccount, ...to, id: newId(), kind: 'support-received', payload })
  }
}

/**
 * Receives a message to support: it is stored before it is answered, with the emails to support and to its sender. The
 * answer and its time say nothing about an address; a bot gets the same answer as everybody.
 * Throws `invalid` for fields that are refused, `rate_limited` and `unavailable` over the limits of a day.
 */
export async function receiveMessage(
  deps: SupportDependencies,
  fields: SupportFields,
  sender: MessageSender,
): Promise<void> {
  const checked = validateFields(fields)
  const stored = deps.db.transaction().execute((tx) => storeMessage(deps, tx, { fields: checked, sender }))
  // Holds no database connection meanwhile.
  await Promise.allSettled([stored, wait(deps.minAnswerMs)])
  await stored
}
