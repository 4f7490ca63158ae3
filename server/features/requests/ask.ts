import { emailProblem, emailSentences } from '@keepsnap/contract/emails.ts'
import { requestConsent } from '@keepsnap/contract/requests.ts'
import type { Deps } from '../../deps.ts'
import { mailboxKey, plainEmail } from '../../domain/emails.ts'
import { newId } from '../../domain/ids.ts'
import { mayRead } from '../../domain/media.ts'
import { Fault, invalid } from '../../faults.ts'
import { dueTime, isClientFull, writeLetter } from '../../letters/write.ts'
import { publish } from '../../live/bus.ts'
import { addRequest, isRepeat } from './queries.ts'

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

/**
 * Takes a guest's wish for a photo: request and letter are written together, or not at all. Says nothing about what
 * others asked for: repeats, full limits of an address and programs that fill in everything get the same answer.
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
  const pseudonym = addresses.pseudonym(client)
  const isNew = await db.transaction().execute(async (tx) => {
    if (await isClientFull(tx, { client: pseudonym, photoId, ownerId: media.userId })) throw crowd()
    const due = await dueTime(tx, { emailKey: key, photoId, ownerId: media.userId })
    if (due === 'photo' || due === 'owner') throw busy()
    if (due === 'address' || (await isRepeat(tx, photoId, key))) return false
    const [id, letterId] = [newId(), newId()]
    await writeLetter(tx, {
      id: letterId,
      kind: 'photo',
      userId: media.userId,
      photoId,
      email,
      emailKey: key,
      client: pseudonym,
      facts: { requestId: id },
      dueAt: due,
    })
    const consentVersion = requestConsent.version
    await addRequest(tx, { id, photoId, userId: media.userId, letterId, email, emailKey: key, consentVersion })
    await publish(tx, { kind: 'request', user: media.userId, request: id })
    return true
  })
  if (isNew) counts.add(media, 'requests')
}
