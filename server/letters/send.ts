import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { letterLimits } from '@keepsnap/contract/limits.ts'
import type { Db } from '../db/connect.ts'
import type { Mail, Mailbox, Sent } from '../ports/mail/mail.ts'
import type { Composed, Composers, LetterRow, Unwanted } from './composers.ts'
import { backOffMs } from './due.ts'
import { isAnyUnreachable, isWritten, lease, markFailed, markSent, postpone, pullForward } from './queries.ts'
import { enqueueSending } from './write.ts'

export interface SendingParts {
  db: Db
  log: Logger
  mail: Mail
  /** The sender of every letter. */
  from: Mailbox
  composers: Partial<Composers>
}

/** What sends letters on this node: handlers of jobs, each of which may run twice. */
export interface Sending {
  /** One attempt at a letter, if it is due. Rejects only when the database is away. */
  send(letterId: string): Promise<void>
  /** Lets the letters go that wait for a mail server which is there again. */
  wake(): Promise<void>
}

type Outcome = Sent | { kind: 'withdrawn' } | { kind: 'later' }

const laterMs = 3_000
const withdrawn = 'What this letter was about is no longer there.'
const ourFault = 'Something went wrong here while it was being written.'
/** Between attempts to write down what became of a letter: what is not written is sent again. */
const writeAgainMs = [0, 500, 2_000, 5_000]

const gaveUp = ({ failure, unreachable }: Pick<LetterRow, 'failure' | 'unreachable'>): string =>
  unreachable
    ? `The mail server could not be reached for ${letterLimits.giveUpHours} hours.`
    : `It could not be sent for ${letterLimits.giveUpHours} hours. ${failure ?? ''}`.trim()

const refusedBy = ({ unwanted }: Unwanted): Outcome => ({ kind: 'refused', reason: unwanted, tooLarge: false })

async function attempt({ db, log, mail, from, composers }: SendingParts, letter: LetterRow): Promise<Outcome> {
  const composer = composers[letter.kind as keyof Composers] // written by writeLetter, perhaps of a newer program
  const compose = async (attach: boolean): Promise<Composed | Outcome> => {
    if (!composer) throw new Error(`nobody composes letters of kind ${letter.kind}`)
    const composed = await db.transaction().execute((tx) => composer.compose(letter, tx, { attach }))
    if (typeof composed === 'string') return { kind: composed }
    return 'unwanted' in composed ? refusedBy(composed) : composed
  }
  const send = ({ attachments = [], ...written }: Composed): Promise<Sent> =>
    mail.send({ id: letter.id, from, to: { address: letter.email }, ...written, attachments })
  try {
    const composed = await compose(true)
    if ('kind' in composed) return composed
    const sent = await send(composed)
    if (sent.kind !== 'refused' || !sent.tooLarge || !composed.attachments?.length) return sent
    const smaller = await compose(false)
    return 'kind' in smaller ? smaller : await send(smaller)
  } catch (error) {
    log.error({ err: error, letter: letter.id }, 'a letter could not be written')
    return { kind: 'again', unreachable: false, reason: ourFault }
  }
}

async function settle(tx: Db, letter: LetterRow, outcome: Outcome): Promise<LetterRow | undefined> {
  if (outcome.kind === 'sent') return markSent(tx, letter)
  if (outcome.kind === 'withdrawn') return markFailed(tx, letter, withdrawn)
  if (outcome.kind === 'refused') return markFailed(tx, letter, outcome.reason)
  const { reason, unreachable } =
    outcome.kind === 'again' ? outcome : { reason: letter.failure, unreachable: letter.unreachable }
  const counts = outcome.kind === 'again'
  const ms = counts ? backOffMs(letter.attempts, Math.random()) : laterMs
  const postponed = await postpone(tx, letter, { ms, failure: reason, unreachable, counts })
  if (!postponed) return markFailed(tx, letter, gaveUp({ failure: reason, unreachable }))
  await enqueueSending(tx, letter.id, postponed.due_at)
  return postponed
}

/** Puts together what sends letters. */
export function createSending(parts: SendingParts): Sending {
  const { db, log, mail, composers } = parts
  let hasMissedServer = false
  const settled = async (tx: Db, letter: LetterRow): Promise<void> =>
    composers[letter.kind as keyof Composers]?.settled?.(tx, letter) // written by writeLetter

  const writeDown = (letter: LetterRow, outcome: Outcome): Promise<void> =>
    db.transaction().execute(async (tx) => {
      const now = await settle(tx, letter, outcome)
      if (!now || (now.state === 'queued' && now.failure === letter.failure)) return
      await settled(tx, now)
    })
  const writeDownFirmly = async (letter: LetterRow, outcome: Outcome): Promise<void> => {
    for (const [at, ms] of writeAgainMs.entries()) {
      try {
        await delay(ms)
        return await writeDown(letter, outcome)
      } catch (error) {
        if (at === writeAgainMs.length - 1) throw error
      }
    }
  }
  const wakeAll = async (): Promise<void> => {
    const pulled = await pullForward(db)
    if (pulled) log.info({ letters: pulled }, 'the mail server is there again; letters that waited for it go now')
  }

  return {
    async send(letterId) {
      const letter = await db.transaction().execute(async (tx) => {
        const leased = await lease(tx, letterId, mail.kind === 'smtp')
        if (leased && 'now' in leased) return leased.now
        if (leased && 'comeBack' in leased) await enqueueSending(tx, letterId, leased.comeBack)
        if (leased && 'aside' in leased) await settled(tx, leased.aside)
        return undefined
      })
      if (!letter) return
      const outcome = await attempt(parts, letter)
      await writeDownFirmly(letter, outcome)
      // Its account may have been deleted while it was written.
      if (outcome.kind === 'sent' && mail.kind === 'outbox' && !(await isWritten(db, letterId)))
        await mail.forget([letterId])
      if (outcome.kind === 'again' && outcome.unreachable) hasMissedServer = true
      else if (outcome.kind === 'sent' && hasMissedServer) {
        hasMissedServer = false
        await wakeAll()
      }
    },
    async wake() {
      if ((await isAnyUnreachable(db)) && (await mail.check())) await wakeAll()
    },
  }
}
