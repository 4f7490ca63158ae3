import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { retention, supportLimits } from '@keepsnap/contract/limits.ts'
import {
  pages,
  sendSupportMessage,
  supportFields,
  type SupportFields,
  supportProblemMessage,
  supportProblems,
  type SupportProblems,
  supportReceived,
} from '@keepsnap/contract/site.ts'
import { emailProblem } from '@keepsnap/contract/form-rules.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteEmails } from '../emails/stored-emails.ts'
import { Fault } from '../../faults.ts'
import { mailboxKey, mailboxKeys, parseEmailAddress } from '../../lib/email-address.ts'
import { currentPlan, planOf } from '../plans/plans.ts'
import type { ApiDependencies, Dependencies } from '../../dependencies.ts'
import { isUnderConfirmationLimit, queueEmail } from '../emails/queue-email.ts'
import { networkShares, networksOf } from '../../platform/http/client-address.ts'
import { newId } from '../../lib/ids.ts'
import { severalLines, singleLine } from '../../lib/typed-text.ts'
import { isSampleSupportEmail } from '../../ports/mail/mail-settings.ts'
import { guestFrame } from '../guests/page-props.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { languageOf } from '../../platform/http/request-headers.ts'
import type { Serve } from '../../platform/http/serve.ts'

/** The contact form of the support page: as a call of the page, and as a form of browsers without JavaScript. */
export function supportRoutes(serve: Serve, deps: ApiDependencies): void {
  serve(sendSupportMessage, async ({ body }, { actor, req, reply, client }) => {
    const sender: MessageSender = {
      userId: actor?.userId,
      client,
      filledHoneypot: Boolean(body.website),
      language: languageOf(req),
    }
    const fields = supportFieldsOf(body)
    const isJson = (req.headers['content-type'] ?? '').toLowerCase().startsWith('application/json')
    if (isJson) await receiveMessage(deps, fields, sender)
    else {
      const { page, status } = await answerForm(deps, fields, sender)
      const frame = guestFrame(deps.config.publicUrl, pages.support)
      await sendGuestPage(reply, deps.guestRenderer, { page, frame, status })
    }
    return { detail: supportReceived }
  })
}

/** Receives the message of a form; the page to show. */
async function answerForm(deps: ApiDependencies, fields: SupportFields, sender: MessageSender): Promise<SupportAnswer> {
  const answer = { page: 'support', fields, problems: {}, problem: null } as const
  try {
    await receiveMessage(deps, fields, sender)
    return { page: { ...answer, state: 'sent' }, status: 200 }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { detail, status } = error
    if (typeof detail === 'string') return { page: { ...answer, state: 'failed', problem: detail }, status }
    return { page: { ...answer, state: 'bad', problems: problemsOf(fields, detail) }, status }
  }
}

/** The refused fields; `form` for an address that only the server recognizes as invalid. */
function problemsOf(fields: SupportFields, errors: { loc: (string | number)[] }[]): SupportProblems {
  const refused = supportFields.filter((field) => errors.some(({ loc }) => loc[1] === field))
  const problems = supportProblems(fields)
  return Object.fromEntries(refused.map((field) => [field, problems[field] ?? 'form']))
}

/** Who sent a message, and how. */
interface MessageSender {
  /** Of the session; undefined for a visitor. */
  userId: string | undefined
  client: string
  filledHoneypot: boolean
  /** Of the page. */
  language: Language
}

/**
 * Receives a message to support: it is stored before it is answered, with the emails to support and to its sender. The
 * answer and its time say nothing about an address; a bot gets the same answer as everybody.
 * Throws `invalid` for fields that are refused, `rate_limited` and `unavailable` over the limits of a day.
 */
async function receiveMessage(deps: ApiDependencies, fields: SupportFields, sender: MessageSender): Promise<void> {
  const checked = validateFields(fields)
  const stored = deps.db.transaction().execute((tx) => storeMessage(deps, tx, { fields: checked, sender }))
  // Holds no database connection meanwhile.
  await Promise.allSettled([stored, wait(deps.minAnswerMs)])
  await stored
}

const deletedAtOnce = 500

/** Deletes messages that are too old, with the emails about them, and forgets the clients of those that no longer count. */
export async function cleanUpSupport(db: Db): Promise<void> {
  const { answeredDays, suspectedDays, openDays } = supportLimits
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      delete from support_messages where id in (
        select id from support_messages
        where created_at < now() - case state when 'answered' then interval '0' when 'suspected'
            then make_interval(days => ${suspectedDays}) else make_interval(days => ${openDays}) end
          and (answered_at is null or answered_at < now() - make_interval(days => ${answeredDays}))
        limit ${deletedAtOnce} for update skip locked)
      returning id`.execute(tx)
    await deleteEmails(
      tx,
      rows.map(({ id }) => id),
    )
  })
  await db
    .updateTable('support_messages')
    .set({ client: null, networks: null })
    .where('client', 'is not', null)
    .where('created_at', '<', sql<Date>`now() - make_interval(days => ${retention.requestAttemptDays})`)
    .execute()
}

/** The normalized fields; missing ones are empty. */
const supportFieldsOf = (body: Partial<SupportFields>): SupportFields => ({
  name: singleLine(body.name ?? ''),
  email: (body.email ?? '').trim(),
  subject: singleLine(body.subject ?? ''),
  message: severalLines(body.message ?? ''),
})

/** The fields with the address that emails can be sent to. Throws 422 with a sentence for each field that is refused. */
function validateFields(fields: SupportFields): SupportFields {
  const email = parseEmailAddress(fields.email)
  const problems = supportProblems(fields)
  // Whether an internationalized domain is valid is known only after its conversion to ASCII.
  if (email === undefined) problems.email = emailProblem(fields.email) ?? 'form'
  const errors = supportFields.flatMap((field) => {
    const problem = problems[field]
    return problem === undefined ? [] : [{ loc: ['body', field], msg: supportProblemMessage(field, problem) }]
  })
  if (errors.length > 0 || email === undefined) throw new Fault('invalid', errors)
  return { ...fields, email }
}

interface NewMessage extends SupportFields {
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
async function hasPrioritySupport(tx: Db, userId: string): Promise<boolean | undefined> {
  const user = await tx
    .selectFrom('users')
    .select(currentPlan.as('plan'))
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  return user && planOf(user).features.priority_support
}

/** Whether the same sender sent the same a moment ago. */
async function isRepeatedMessage(tx: Db, { email, subject, message }: NewMessage): Promise<boolean> {
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
async function countRecentMessages(
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

async function addMessage(tx: Db, message: NewMessage): Promise<void> {
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

const clientLimitReached = (): Fault =>
  new Fault('rate_limited', 'Too many messages from your network today. Please try again tomorrow.', 3600)

const dayLimitReached = (): Fault =>
  new Fault('unavailable', 'Too many people are writing to us right now. Please try again later.', 3600)

/** Stores a message with the emails that follow from it, unless the sender sent the same a moment ago. */
async function storeMessage(
  { config, tokens }: Dependencies,
  tx: Db,
  { fields, sender }: { fields: SupportFields; sender: MessageSender },
): Promise<void> {
  const { filledHoneypot } = sender
  const hasPriority = sender.userId === undefined ? undefined : await hasPrioritySupport(tx, sender.userId)
  const [client = '', ...networks] = networksOf(sender.client).map((one) => tokens.clientPseudonym(one))
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
    // Of a real mail server, none goes to the address of the sample settings.
    isEmailed:
      (config.mail.kind === 'outbox' || !isSampleSupportEmail(config)) && recent.emails < supportLimits.emailsPerHour,
    isConfirmed: mayConfirm && !filledHoneypot && recent.confirmations < supportLimits.confirmationsPerHour,
  }
  if (await isRepeatedMessage(tx, message)) return
  const counts = [recent.ofClient, ...recent.ofNetworks]
  if (counts.some((count, n) => count >= supportLimits.perClientDay * (networkShares[n] ?? 1)))
    throw clientLimitReached()
  if (recent.day >= supportLimits.perDay) throw dayLimitReached()
  await addMessage(tx, message)
  await queueEmails(tx, message, { supportEmail: config.supportEmail, language: sender.language })
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

type SupportAnswer = { page: Extract<GuestPage, { page: 'support' }>; status: number }
