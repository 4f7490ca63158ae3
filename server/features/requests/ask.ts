import { emailProblem, emailSentences } from '@keepsnap/contract/emails.ts'
import { requestConsent } from '@keepsnap/contract/requests.ts'
import { sql } from 'kysely'
import { isViolation, type Db } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { mailboxKey, plainEmail } from '../../domain/emails.ts'
import { newId } from '../../domain/ids.ts'
import { mayRead, type Media } from '../../domain/media.ts'
import { Fault, invalid } from '../../faults.ts'
import { dueTime, isClientFull, writeLetter, type NewLetter } from '../../letters/write.ts'
import { publish } from '../../live/bus.ts'
import { addRequest, objectionTo } from './queries.ts'

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

interface Wish {
  media: Media
  email: string
  /** Of the mailbox. */
  key: string
  client: string
}

/** Request, letter, job and NOTIFY; the letter goes when it is due. */
async function write(tx: Db, { media, email, key, client }: Wish, dueAt: Date): Promise<void> {
  const [id, letterId] = [newId(), newId()]
  const about = { userId: media.userId, photoId: media.photoId, email, emailKey: key }
  const letter: NewLetter = { ...about, id: letterId, kind: 'photo', client, facts: { requestId: id }, dueAt }
  await writeLetter(tx, letter)
  await addRequest(tx, { ...about, id, letterId, consentVersion: requestConsent.version })
  await publish(tx, { kind: 'request', user: media.userId, request: id })
}

/**
 * Takes a guest's wish for a photo: request and letter are written together, or not at all. Says nothing about what
 * others asked for or want: repeats, full limits of an address, addresses that take no photos and programs that fill in
 * everything get the same answer.
 * Throws `not_found` without such a photo, `invalid` for an address that is none, `unavailable` when letters cannot go.
 */
export async function askByEmail(
  {
    db,
    addresses,
    media: facts,
    counts,
    mail,
  }: Pick<Deps, 'db' | 'addresses' | 'media' | 'counts'> & { mail: { isOff: boolean } },
  photoId: string,
  { email: typed, website, client }: Asked,
): Promise<void> {
  const media = await facts.by('id', photoId)
  if (!media || mayRead(media, { by: 'guest page' }) === 'nothing there') throw gone()
  const email = plainEmail(typed)
  if (email === undefined) throw invalid('email', emailSentences[emailProblem(typed) ?? 'form'])
  if (mail.isOff)
    throw new Fault('unavailable', 'E-mail is not set up here yet. Please ask the person who took the photo.')
  if (website) return
  const key = mailboxKey(email)
  const wish = { media, email, key, client: addresses.pseudonym(client) }
  const asking = db.transaction().execute(async (tx) => {
    if (await isClientFull(tx, { client: wish.client, photoId, ownerId: media.userId })) throw crowd()
    const due = await dueTime(tx, { emailKey: key, photoId, ownerId: media.userId })
    if (due === 'photo' || due === 'owner') throw busy()
    if (due === 'address') return false
    const objection = await objectionTo(tx, { photoId, emailKey: key, block: addresses.blockOf(key) })
    if (objection === 'repeat') return false
    // Who blocks is not told apart by time either: the same is written, and taken back before it holds.
    if (objection) await sql`savepoint blocked`.execute(tx)
    await write(tx, wish, due)
    if (objection) await sql`rollback to savepoint blocked`.execute(tx)
    return !objection
  })
  const isNew = await asking.catch((error: unknown) => {
    // The photo, or its owner's account, went in this very moment.
    throw isViolation(error, 'foreign key') ? gone() : error
  })
  if (isNew) counts.add(media, 'requests')
}
