import { setTimeout as defaultWait } from 'node:timers/promises'
import { emailProblem, emailProblemMessages } from '@keepsnap/contract/emails.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { requestConsent } from '@keepsnap/contract/requests.ts'
import { isViolation, type Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { decideAccess, type SharedPhoto } from '../../domain/photo-access.ts'
import { addRequestCreatedEvent } from '../../domain/webhook-events.ts'
import { findDueTime, queueEmail } from '../../emails/queue-email.ts'
import { Fault, invalidField } from '../../faults.ts'
import { mailboxKey, mailboxKeys, parseEmailAddress } from '../../lib/email-address.ts'
import { newId } from '../../lib/ids.ts'
import { publish } from '../../live/bus.ts'
import { addRequest, isRepeatedOrBlocked } from './queries.ts'
import { countRequestAttempt } from './request-attempts.ts'

/** What a guest sent. */
export interface PhotoRequestInput {
  email: string
  /** The honeypot field, which only bots fill in. */
  website?: string | undefined
  client: string
  /** Of the page; the email is in this language. */
  language: Language
}

/** What requesting a photo needs. */
export type RequestDependencies = Pick<Dependencies, 'db' | 'tokens' | 'mediaCache' | 'guestActivity'> & {
  isMailOff: boolean
  /** The least time in which a request is answered. */
  minAnswerMs: number
  /** Another timer, for tests. */
  wait?: (ms: number) => Promise<void>
}

export const photoDetailsUnavailable = (): Fault =>
  new Fault('not_found', 'Unable to load photo details. The photo may not exist or may be private.')
const clientLimitReached = (): Fault =>
  new Fault('rate_limited', 'Too many requests from your network today. Please try again later.', 3600)
const emailLimitReached = (): Fault =>
  new Fault('unavailable', 'Too many people are requesting photos right now. Please try again later.', 3600)

interface ValidRequest {
  photo: SharedPhoto
  email: string
  /** Of the mailbox, for limits. */
  recipientKey: string
  language: Language
}

/** Stores the request, its email, the job that sends it, and the events for the owner. */
async function storeRequest(
  tx: Db,
  { photo, email, recipientKey, language }: ValidRequest,
  dueAt: Date,
): Promise<void> {
  const [id, emailId] = [newId(), newId()]
  const photoAndOwner = { userId: photo.userId, photoId: photo.photoId }
  const payload = { requestId: id }
  await queueEmail(tx, { ...photoAndOwner, id: emailId, kind: 'photo', recipient: email, recipientKey, payload, dueAt })
  const consentVersion = requestConsent.version
  await addRequest(tx, {
    ...photoAndOwner,
    id,
    emailId,
    requesterEmail: email,
    requesterKey: recipientKey,
    consentVersion,
    language,
  })
  await addRequestCreatedEvent(tx, photo.userId, id)
  await publish(tx, { kind: 'request', user: photo.userId, request: id })
}

/**
 * Counts the request, and stores it unless the address has reached its limit, has asked for the photo a moment ago, or is
 * blocked. Whether it was stored.
 */
async function processRequest(
  { db, tokens }: RequestDependencies,
  request: ValidRequest,
  client: string,
): Promise<boolean> {
  const { photo } = request
  const photoAndOwner = { photoId: photo.photoId, ownerId: photo.userId }
  const requestStored = db.transaction().execute(async (tx) => {
    const emailDueTime = await findDueTime(tx, { ...photoAndOwner, email: request.email })
    if (emailDueTime === 'photo' || emailDueTime === 'owner') throw emailLimitReached()
    if (!(await countRequestAttempt(tx, { ...photoAndOwner, client: tokens.clientPseudonym(client) })))
      throw clientLimitReached()
    if (emailDueTime === 'address') return false
    const requesterKeys = mailboxKeys(request.email)
    const mailboxHashes = requesterKeys.flatMap((key) => tokens.mailboxHashes(key))
    if (await isRepeatedOrBlocked(tx, { ...photoAndOwner, requesterKeys, mailboxHashes })) return false
    await storeRequest(tx, request, emailDueTime)
    return true
  })
  return requestStored.catch((error: unknown) => {
    // The photo or its owner's account has just been deleted.
    throw isViolation(error, 'foreign key') ? photoDetailsUnavailable() : error
  })
}

/**
 * Requests a photo by email: request and email are stored together, or not at all. The answer and its time say nothing
 * about other requests for an address: a repeated request, an address that has reached its limit, a blocked address and a
 * bot get the same answer, after the same least time. Returns whether the request was stored, which the answer must not say.
 * Throws `not_found` without such a photo, `invalid` for an invalid address, `unavailable` when emails cannot be sent.
 */
export async function requestPhotoByEmail(
  deps: RequestDependencies,
  photoId: string,
  { email: enteredEmail, website, client, language }: PhotoRequestInput,
): Promise<boolean> {
  const { mediaCache, guestActivity, isMailOff, minAnswerMs, wait = defaultWait } = deps
  const photo = await mediaCache.find('id', photoId)
  if (!photo || decideAccess(photo, { via: 'guest page' }) === 'not found') throw photoDetailsUnavailable()
  const email = parseEmailAddress(enteredEmail)
  if (email === undefined) throw invalidField('email', emailProblemMessages[emailProblem(enteredEmail) ?? 'form'])
  if (isMailOff) throw new Fault('unavailable', "Email isn't set up here. Please ask the person who took the photo.")
  const request = { photo, email, recipientKey: mailboxKey(email), language }
  const requestProcessed = website ? Promise.resolve(false) : processRequest(deps, request, client)
  // Holds no database connection meanwhile.
  await Promise.allSettled([requestProcessed, wait(minAnswerMs)])
  const isStored = await requestProcessed
  if (isStored) guestActivity.add(photo, 'requests')
  return isStored
}
