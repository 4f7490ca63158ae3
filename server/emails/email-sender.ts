import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import type { Mail, Mailbox, SendResult } from '../ports/mail/mail.ts'
import type { ComposedEmail, Composer, Composers, EmailRow } from './composers.ts'
import { leaseEmail } from './lease.ts'
import {
  emailExists,
  isAnyAwaitingServer,
  markFailed,
  markSent,
  postpone,
  retryEmailsAwaitingServer,
} from './queries.ts'
import { enqueueSendJob } from './queue-email.ts'
import { retryDelayMs } from './schedule.ts'

export interface EmailSenderOptions {
  db: Db
  log: Logger
  mail: Mail
  /** The sender of every email. */
  from: Mailbox
  composers: Partial<Composers>
}

/** Sends emails on this node: handlers of jobs, each of which may run twice. */
export interface EmailSender {
  /** Makes one attempt at an email, if it is due. Rejects only when the database is unavailable. */
  send(emailId: string): Promise<void>
  /** Retries the emails that wait for the mail server, if it can be reached again. */
  retryAwaitingServer(): Promise<void>
}

type Outcome = SendResult | { kind: 'obsolete' } | { kind: 'not ready' }

const notReadyDelayMs = 3_000
const obsolete = 'The content of this email no longer exists.'
const internalError = 'Something went wrong on our side while preparing this email.'
/** Delays before attempts to save the outcome. An outcome that is not saved means that the email is sent again. */
const saveDelaysMs = [0, 500, 2_000, 5_000]

const gaveUp = ({ failure, unreachable }: { failure: string | null; unreachable: boolean }): string =>
  unreachable
    ? `The mail server could not be reached for ${emailLimits.giveUpHours} hours.`
    : `The email could not be sent for ${emailLimits.giveUpHours} hours. ${failure ?? ''}`.trim()

/** Undefined for a kind that this version of the program does not know. */
const composerOf = ({ composers }: EmailSenderOptions, { kind }: EmailRow): Composer | undefined =>
  composers[kind as keyof Composers] // the column is text; an unknown kind finds nothing

async function compose(
  options: EmailSenderOptions,
  email: EmailRow,
  attach: boolean,
): Promise<ComposedEmail | Outcome> {
  const composer = composerOf(options, email)
  if (!composer) throw new Error(`there is no composer for emails of kind ${email.kind}`)
  const composed = await options.db.transaction().execute((tx) => composer.compose(email, tx, { attach }))
  if (typeof composed === 'string') return { kind: composed }
  return 'declined' in composed ? { kind: 'refused', reason: composed.declined, tooLarge: false } : composed
}

async function attempt(options: EmailSenderOptions, email: EmailRow): Promise<Outcome> {
  const { mail, from, log } = options
  const send = ({ attachments = [], ...content }: ComposedEmail): Promise<SendResult> =>
    mail.send({ id: email.id, from, to: { address: email.recipient }, ...content, attachments })
  try {
    const composed = await compose(options, email, true)
    if ('kind' in composed) return composed
    const result = await send(composed)
    if (result.kind !== 'refused' || !result.tooLarge || !composed.attachments?.length) return result
    const smaller = await compose(options, email, false)
    return 'kind' in smaller ? smaller : await send(smaller)
  } catch (error) {
    log.error({ err: error, email: email.id }, 'an email could not be composed')
    return { kind: 'retry', unreachable: false, reason: internalError }
  }
}

/** Writes the outcome into the row. Undefined when another attempt has started since. */
async function recordOutcome(tx: Db, email: EmailRow, outcome: Outcome): Promise<EmailRow | undefined> {
  if (outcome.kind === 'sent') return markSent(tx, email)
  if (outcome.kind === 'obsolete') return markFailed(tx, email, obsolete)
  if (outcome.kind === 'refused') return markFailed(tx, email, outcome.reason)
  const countsAsAttempt = outcome.kind === 'retry'
  const { reason, unreachable } = countsAsAttempt
    ? outcome
    : { reason: email.failure, unreachable: email.server_unreachable }
  const ms = countsAsAttempt ? retryDelayMs(email.attempts, Math.random()) : notReadyDelayMs
  const postponed = await postpone(tx, email, { ms, failure: reason, unreachable, countsAsAttempt })
  if (!postponed) return markFailed(tx, email, gaveUp({ failure: reason, unreachable }))
  await enqueueSendJob(tx, email.id, postponed.due_at)
  return postponed
}

/** Leases an email, and notifies its composer when it is held. Undefined when there is nothing to attempt now. */
const lease = (options: EmailSenderOptions, emailId: string): Promise<EmailRow | undefined> =>
  options.db.transaction().execute(async (tx) => {
    const leased = await leaseEmail(tx, emailId, options.mail.kind === 'smtp')
    if (leased && 'retryAt' in leased) await enqueueSendJob(tx, emailId, leased.retryAt)
    if (leased && 'held' in leased) await composerOf(options, leased.held)?.onStatusChange?.(tx, leased.held)
    return leased && 'attempt' in leased ? leased.attempt : undefined
  })

/** Saves the outcome in one transaction with what the composer makes of it; tries several times. */
async function saveOutcome(options: EmailSenderOptions, email: EmailRow, outcome: Outcome): Promise<void> {
  for (const [at, ms] of saveDelaysMs.entries()) {
    try {
      await delay(ms)
      return await options.db.transaction().execute(async (tx) => {
        const now = await recordOutcome(tx, email, outcome)
        if (!now || (now.state === 'queued' && now.failure === email.failure)) return
        await composerOf(options, now)?.onStatusChange?.(tx, now)
      })
    } catch (error) {
      if (at === saveDelaysMs.length - 1) throw error
    }
  }
}

export function createEmailSender(options: EmailSenderOptions): EmailSender {
  const { db, log, mail } = options
  let wasUnreachable = false
  const retryAll = async (): Promise<void> => {
    const emails = await retryEmailsAwaitingServer(db)
    if (emails) log.info({ emails }, 'the mail server can be reached again; retrying the emails that waited for it')
  }

  return {
    async send(emailId) {
      const email = await lease(options, emailId)
      if (!email) return
      const outcome = await attempt(options, email)
      await saveOutcome(options, email, outcome)
      // The account may have been deleted during the attempt.
      if (outcome.kind === 'sent' && mail.kind === 'outbox' && !(await emailExists(db, emailId)))
        await mail.deleteStored([emailId])
      if (outcome.kind === 'retry' && outcome.unreachable) wasUnreachable = true
      else if (outcome.kind === 'sent' && wasUnreachable) {
        wasUnreachable = false
        await retryAll()
      }
    },
    async retryAwaitingServer() {
      if ((await isAnyAwaitingServer(db)) && (await mail.check())) await retryAll()
    },
  }
}
