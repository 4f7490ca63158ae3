import { setTimeout as delay } from 'node:timers/promises'
import { emailProblem, emailSentences } from '@keepsnap/contract/emails.ts'
import { requestConsent } from '@keepsnap/contract/requests.ts'
import { isViolation, type Db } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { mailboxKey, plainEmail } from '../../domain/emails.ts'
import { newId } from '../../domain/ids.ts'
import { mayRead, type Media } from '../../domain/media.ts'
import { Fault, invalid } from '../../faults.ts'
import { dueTime, writeLetter, type NewLetter } from '../../letters/write.ts'
import { publish } from '../../live/bus.ts'
import { takeAsk } from './clients.ts'
import { addRequest, isUnwanted } from './queries.ts'

/** What a guest sent. */
export interface Asked {
  email: string
  website?: string | undefined
  /** Where it came from. */
  client: string
}

const gone = (): Fault =>
  new Fault('not_found', 'Unable to load photo details. The photo may not exist or may be private.')
const crowd = (): Fault =>
  new Fault('rate_limited', 'Very many requests came from your network today. Please try again later.', 3600)
const busy = (): Fault =>
  new Fault('unavailable', 'Very many people are asking for photos at the moment. Please try again later.', 3600)

type Parts = Pick<Deps, 'db' | 'addresses' | 'media' | 'counts'> & {
  mail: { isOff: boolean }
  /** Milliseconds that asking takes at least. */
  leastAskMs: number
}
interface Wish {
  media: Media
  email: string
  /** Of the mailbox. */
  key: string
}

/** Request, letter, job and NOTIFY; the letter goes when it is due. */
async function write(tx: Db, { media, email, key }: Wish, dueAt: Date): Promise<void> {
  const [id, letterId] = [newId(), newId()]
  const about = { userId: media.userId, photoId: media.photoId, email, emailKey: key }
  const letter: NewLetter = { ...about, id: letterId, kind: 'photo', facts: { requestId: id }, dueAt }
  await writeLetter(tx, letter)
  await addRequest(tx, { ...about, id, letterId, consentVersion: requestConsent.version })
  await publish(tx, { kind: 'request', user: media.userId, request: id })
}

/** Counts the wish, and writes it when it is a new one that its address wants; whether it did. */
async function take({ db, addresses }: Parts, wish: Wish, client: string): Promise<boolean> {
  const { media, key } = wish
  const about = { photoId: media.photoId, ownerId: media.userId }
  const taking = db.transaction().execute(async (tx) => {
    const due = await dueTime(tx, { ...about, emailKey: key })
    if (due === 'photo' || due === 'owner') throw busy()
    if (!(await takeAsk(tx, { ...about, client: addresses.pseudonym(client) }))) throw crowd()
    if (due === 'address') return false
    if (await isUnwanted(tx, { ...about, emailKey: key, block: addresses.blockOf(key) })) return false
    await write(tx, wish, due)
    return true
  })
  return taking.catch((error: unknown) => {
    // The photo, or its owner's account, went in this very moment.
    throw isViolation(error, 'foreign key') ? gone() : error
  })
}

/** Ends as the work does, but not before its time. */
async function notBefore<T>(ms: number, work: Promise<T>): Promise<T> {
  await Promise.allSettled([work, delay(ms)])
  return work
}

/**
 * Takes a guest's wish for a photo: request and letter are written together, or not at all. Says nothing about what
 * others asked for or want, nor by its time: repeats, full limits of an address, addresses that take no photos and
 * programs that fill in everything get the same answer.
 * Throws `not_found` without such a photo, `invalid` for an address that is none, `unavailable` when letters cannot go.
 */
export async function askByEmail(
  parts: Parts,
  photoId: string,
  { email: typed, website, client }: Asked,
): Promise<void> {
  const media = await parts.media.by('id', photoId)
  if (!media || mayRead(media, { by: 'guest page' }) === 'nothing there') throw gone()
  const email = plainEmail(typed)
  if (email === undefined) throw invalid('email', emailSentences[emailProblem(typed) ?? 'form'])
  if (parts.mail.isOff)
    throw new Fault('unavailable', 'E-mail is not set up here yet. Please ask the person who took the photo.')
  const taking = website ? Promise.resolve(false) : take(parts, { media, email, key: mailboxKey(email) }, client)
  // Nothing is held meanwhile but the guest's own connection.
  if (await notBefore(parts.leastAskMs, taking)) parts.counts.add(media, 'requests')
}
