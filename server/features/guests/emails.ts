import { sql } from 'kysely'
import type { EmailLogo, PhotosEmail, ReportEmail } from '@keepsnap/contract/emails.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { emailLimits, limits } from '@keepsnap/contract/limits.ts'
import { pages } from '@keepsnap/contract/site.ts'
import type { ReportReason } from '@keepsnap/contract/guests.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { mailboxKey, mailboxKeys } from '../../lib/email-address.ts'
import { hashOf } from '../../lib/ids.ts'
import type { Attachment } from '../../ports/mail/mail.ts'
import { groundOnUnknownBackground, type StoredLogo } from '../branding/brands.ts'
import {
  emailContextOf,
  storedLanguage,
  WithdrawnContent,
  type ComposedEmail,
  type Composer,
  type EmailRow,
} from '../emails/compose.ts'
import { guestFilename } from '../photos/filenames.ts'
import { decideAccess, findSharedPhoto, type SharedPhoto } from '../photos/photo-access.ts'
import { lockOwnerReports } from './reports.ts'
import { addressesRemovedSoon, canRetryPhoto, publishRequestsOf } from './requests.ts'
import { isMailboxBlocked } from './unsubscribe.ts'

/**
 * Emails with photos to guests, and those to owners about reports, decisions of operators, and requests that will be removed.
 * All that a guest can have sent to any address is of kind `photo`, since limits count it together: `ofEvents` composes those without photos.
 */
export const guestEmails = (deps: Dependencies, ofEvents: EventRequestComposers) => ({
  photo: photoEmailComposer(deps, ofEvents),
  report: reportEmailComposer(deps),
  'report-digest': reportDigestComposer(deps),
  'photo-hidden': operatorDecisionComposer(deps, 'photo-hidden'),
  'photo-shown': operatorDecisionComposer(deps, 'photo-shown'),
  'request-removal': requestRemovalEmailComposer(deps),
})

const recipientOptedOut = 'This person has opted out of photo emails.'
const photoIsHidden = 'The photo was hidden from guests before this email was sent.'
const photoHasFailed = 'The photo could not be processed and cannot be retried.'
/** The pause between looks at a failed photo, which its owner may retry for days. */
const awaitRetryMs = 5 * 60_000

/** The email with all photos of an event as one file, by its code; and that its gallery is open. */
export type EventRequestComposers = Record<'archive' | 'notice', Composer['compose']>

/** What the payload of such an email says: none of them for several photos. */
interface GuestEmailPayload {
  requestId?: string
  archive?: string
  notice?: string
}

/** Composes the email with a photo, or with several. Each link is a grant for 72 hours. */
export function photoEmailComposer(deps: Dependencies, ofEvents?: EventRequestComposers): Composer {
  return {
    async compose(email, tx, options) {
      const { requestId, archive, notice } = email.payload as GuestEmailPayload // only what queues them writes it
      const ofEvent = archive === undefined ? notice && ofEvents?.notice : ofEvents?.archive
      if (ofEvent) return (await isRecipientBlocked(deps, tx, email)) ? optedOut : ofEvent(email, tx, options)
      return requestId === undefined
        ? composeSeveral(deps, tx, { email, ...options })
        : composeOne(deps, tx, { email, requestId, ...options })
    },
    onStatusChange: (tx, email) => publishRequestsOf(tx, email.id),
  }
}

export const optedOut = { declined: recipientOptedOut }

export const isRecipientBlocked = (
  { tokens }: Dependencies,
  tx: Db,
  { recipient, recipient_key: key }: Pick<EmailRow, 'recipient' | 'recipient_key'>,
): Promise<boolean> =>
  isMailboxBlocked(
    tx,
    [key, ...mailboxKeys(recipient)].flatMap((mailbox) => tokens.mailboxHashes(mailbox)),
  )

async function composeOne(
  deps: Dependencies,
  tx: Db,
  { email, requestId, attach }: { email: EmailRow; requestId: string; attach: boolean },
): ReturnType<Composer['compose']> {
  const { urls, tokens } = deps
  const photo = email.photo_id === null ? undefined : await findSharedPhoto(tx, 'id', email.photo_id)
  const accessDecision = decideAccess(photo, { via: 'grant', isValid: true })
  if (photo && (photo.hiddenAt || !photo.isListed)) return { declined: photoIsHidden }
  // Guests who asked while it was processed get it after a retry. For all others it is not found.
  const hasFailed = photo?.ownerActive === true && photo.state === 'failed'
  if (!photo || (accessDecision === 'not found' && !hasFailed)) return 'obsolete'
  if (await isRecipientBlocked(deps, tx, email)) return optedOut
  if (hasFailed)
    return (await mayBecomeReady(tx, photo.photoId))
      ? { waitMs: awaitRetryMs }
      : { declined: photoHasFailed, isObsolete: true }
  if (accessDecision === 'processing') return 'not ready'
  const token = tokens.grant(requestId)
  const expiresAt = await addGrant(tx, { hash: hashOf(token), photoId: photo.photoId, requestId })
  if (!expiresAt) return 'obsolete'
  const stopUrl = stopUrlOf(deps, email)
  const language = await languageOfRequest(tx, email.id)
  return composeContent(deps, photo, { url: urls.grantPage(token), stopUrl, expiresAt, attach, language })
}

/** The language of the page on which an email was asked for; English for requests of earlier versions. */
export async function languageOfRequest(tx: Db, emailId: string): Promise<Language> {
  const request = await tx
    .selectFrom('photo_requests')
    .select('language')
    .where('email_id', '=', emailId)
    .executeTakeFirst()
  return storedLanguage(request?.language)
}

interface ChosenPhoto {
  photo: SharedPhoto
  requestId: string
}

/**
 * Those of an email with several photos that guests may have now, the oldest first; why there are none. One that could not be
 * processed is left out: the others do not wait until it is retried.
 */
async function photosOfEmail(
  tx: Db,
  emailId: string,
): Promise<[ChosenPhoto, ...ChosenPhoto[]] | { declined: string } | 'obsolete' | 'not ready'> {
  const requests = await tx
    .selectFrom('photo_requests')
    .innerJoin('photos', 'photos.id', 'photo_requests.photo_id')
    .select(['photo_requests.id', 'photos.id as photoId'])
    .where('email_id', '=', emailId)
    .orderBy('photos.created_at')
    .orderBy('photos.id')
    .execute()
  const chosen: ChosenPhoto[] = []
  let isAnyHidden = false
  for (const { id: requestId, photoId } of requests) {
    const photo = await findSharedPhoto(tx, 'id', photoId)
    const accessDecision = decideAccess(photo, { via: 'grant', isValid: true })
    if (photo && accessDecision === 'processing') return 'not ready'
    if (photo && accessDecision === 'allow') chosen.push({ photo, requestId })
    isAnyHidden ||= photo !== undefined && (photo.hiddenAt !== null || !photo.isListed)
  }
  const [first, ...others] = chosen
  return first ? [first, ...others] : isAnyHidden ? { declined: photoIsHidden } : 'obsolete'
}

/** The content of an email with several photos: their thumbnails, each with its link. */
async function composeSeveral(
  deps: Dependencies,
  tx: Db,
  { email, attach }: { email: EmailRow; attach: boolean },
): ReturnType<Composer['compose']> {
  const { urls, tokens, guestRenderer, config } = deps
  const chosen = await photosOfEmail(tx, email.id)
  if (!Array.isArray(chosen)) return chosen
  if (await isRecipientBlocked(deps, tx, email)) return optedOut
  const pictures: PhotosEmail['photos'][number][] = []
  const attachments: Attachment[] = []
  let expiresAt: Date | undefined
  for (const { photo, requestId } of chosen) {
    const token = tokens.grant(requestId)
    const grantedUntil = await addGrant(tx, { hash: hashOf(token), photoId: photo.photoId, requestId })
    if (!grantedUntil) continue
    expiresAt = grantedUntil
    const cid = `${thumbnailCid}${pictures.length + 1}`
    const { width, height } = photo
    const thumbnail = attach && width && height ? await thumbnailAttachmentOf(deps, photo, cid) : undefined
    if (thumbnail) attachments.push(thumbnail)
    pictures.push({
      url: urls.grantPage(token),
      thumbnail: thumbnail && width && height ? { cid, width, height } : null,
    })
  }
  if (!expiresAt) return 'obsolete'
  const [{ photo: first }] = chosen
  const logo = await logoAttachmentOf(deps, first)
  const stopUrl = stopUrlOf(deps, email)
  const rendered = guestRenderer.renderEmail(
    {
      kind: 'photos',
      logo: logo && first.logo ? emailLogo(first.logo) : null,
      brandName: first.brandName,
      photos: pictures,
      expiresAt: expiresAt.toISOString(),
      stopUrl,
    },
    {
      publicUrl: config.publicUrl,
      operator: config.operator,
      timeZone: first.timeZone,
      language: await languageOfRequest(tx, email.id),
    },
  )
  return { ...rendered, headers: unsubscribeHeaders(stopUrl), attachments: [...(logo ? [logo] : []), ...attachments] }
}

/** False for a photo that could not be processed and cannot be retried. */
async function mayBecomeReady(db: Db, photoId: string): Promise<boolean> {
  const photo = await db
    .selectFrom('photos')
    .select(sql<boolean>`photos.state <> 'failed' or ${canRetryPhoto}`.as('may'))
    .where('id', '=', photoId)
    .executeTakeFirst()
  return photo?.may === true
}

/**
 * Creates the grant for a request's email, valid for 72 hours from now; extends it when the email is sent again. Its
 * expiry, or undefined when the photo has just been deleted.
 */
async function addGrant(
  tx: Db,
  grant: { hash: Buffer; photoId: string; requestId: string },
): Promise<Date | undefined> {
  const { rows: grants } = await sql<{ expires_at: Date }>`
    insert into grants (grant_hash, photo_id, request_id, expires_at)
    select ${grant.hash}, id, ${grant.requestId}, now() + make_interval(hours => ${limits.grantHours})
      from photos where id = ${grant.photoId} for key share
    on conflict (grant_hash) do update set expires_at = excluded.expires_at
    returning expires_at`.execute(tx)
  return grants[0]?.expires_at
}

/** The content of the email: the picture, a link, and the photo itself if it is small enough. */
async function composeContent(
  deps: Dependencies,
  photo: SharedPhoto,
  {
    url,
    stopUrl,
    expiresAt,
    attach,
    language,
  }: { url: string; stopUrl: string; expiresAt: Date; attach: boolean; language: Language },
): Promise<ComposedEmail> {
  const { guestRenderer, config } = deps
  const photoAttachment = attach ? photoAttachmentOf(deps, photo) : undefined
  const logo = await logoAttachmentOf(deps, photo)
  const thumbnail = await thumbnailAttachmentOf(deps, photo)
  const { brandName, timeZone, width, height } = photo
  const renderedEmail = guestRenderer.renderEmail(
    {
      kind: 'photo',
      logo: logo && photo.logo ? emailLogo(photo.logo) : null,
      brandName,
      thumbnail: thumbnail && width && height ? { cid: thumbnailCid, width, height } : null,
      url,
      filename: guestFilename(photo, photo.fullType ?? 'image/jpeg'),
      expiresAt: expiresAt.toISOString(),
      attached: photoAttachment !== undefined,
      stopUrl,
    },
    { publicUrl: config.publicUrl, operator: config.operator, timeZone, language },
  )
  const attachments = [logo, thumbnail, photoAttachment].filter((one) => one !== undefined)
  return { ...renderedEmail, headers: unsubscribeHeaders(stopUrl), attachments }
}

const openStoredImage =
  ({ storage }: Dependencies, key: string): Attachment['open'] =>
  async () => {
    const stream = await storage.open(key)
    if (!stream) throw new Error('an image for an email is not in the store')
    return stream
  }

/** Checks the access policy again: the photo may have been hidden or deleted since the email was composed. */
const openPhotoImage =
  (deps: Dependencies, { photoId }: SharedPhoto, key: string): Attachment['open'] =>
  async () => {
    const accessDecision = decideAccess(await findSharedPhoto(deps.db, 'id', photoId), { via: 'grant', isValid: true })
    if (accessDecision !== 'allow') throw new WithdrawnContent()
    return openStoredImage(deps, key)()
  }

/** The photo as an attachment, if it is small enough. */
function photoAttachmentOf(deps: Dependencies, photo: SharedPhoto): Attachment | undefined {
  const { fullKey: key, fullBytes: bytes, fullType: type } = photo
  if (key === null || bytes === null || type === null || bytes > deps.mail.maxAttachmentBytes) return undefined
  return { filename: guestFilename(photo, type), type, open: openPhotoImage(deps, photo, key) }
}

const logoCid = 'logo'

const emailLogo = ({ width, height, lowContrast }: StoredLogo): EmailLogo => ({
  cid: logoCid,
  width,
  height,
  ground: groundOnUnknownBackground(lowContrast),
})

/** The owner's logo as an inline image; undefined when it is too large for every email or not in the store. */
async function logoAttachmentOf(deps: Dependencies, { logo }: SharedPhoto): Promise<Attachment | undefined> {
  if (!logo || logo.bytes > emailLimits.logoBytes || (await deps.storage.sizeOf(logo.key)) === null) return undefined
  return { filename: 'logo.png', type: logo.type, cid: logoCid, open: openStoredImage(deps, logo.key) }
}

const thumbnailCid = 'photo'

/** The thumbnail as an inline image; undefined when it is not in the store. */
async function thumbnailAttachmentOf(
  deps: Dependencies,
  photo: SharedPhoto,
  cid = thumbnailCid,
): Promise<Attachment | undefined> {
  const { thumbKey: key } = photo
  if (key === null || (await deps.storage.sizeOf(key)) === null) return undefined
  const filename = guestFilename(photo, 'image/webp')
  return { filename, type: 'image/webp', cid, open: openPhotoImage(deps, photo, key) }
}

/** The page on which the mailbox of an email stops such emails. */
export const stopUrlOf = (
  { urls, tokens }: Pick<Dependencies, 'urls' | 'tokens'>,
  { recipient }: Pick<EmailRow, 'recipient'>,
): string => urls.unsubscribePage(tokens.unsubscribe(mailboxKey(recipient)))

/** One-click unsubscribe in mail programs, RFC 8058. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** Emails about reports are not sent when nothing needs the owner's decision any more. */
const renderReportEmail = async (
  { urls, guestRenderer, config }: Dependencies,
  tx: Db,
  userId: string,
  email: Pick<ReportEmail, 'kind' | 'photos' | 'photo'>,
) => guestRenderer.renderEmail({ ...email, url: urls.reportsPage() }, await emailContextOf(tx, userId, config))

const reportEmailComposer = (deps: Dependencies): Composer => ({
  async compose({ id: emailId, user_id: userId, photo_id: photoId }, tx) {
    if (userId === null || photoId === null || !(await lockOwnerReports(tx, userId))) return 'obsolete'
    const photo = await claimReportsOfPhoto(tx, { emailId, photoId })
    return photo ? renderReportEmail(deps, tx, userId, { kind: 'report', photos: 1, photo }) : 'obsolete'
  },
})

const reportDigestComposer = (deps: Dependencies): Composer => ({
  async compose({ id: emailId, user_id: userId }, tx) {
    if (userId === null || !(await lockOwnerReports(tx, userId))) return 'obsolete'
    const photos = await claimReportsOfOwner(tx, { emailId, userId })
    const [first] = photos
    if (!first) return 'obsolete'
    const photo = photos.length === 1 ? first : null
    return renderReportEmail(deps, tx, userId, { kind: 'report-digest', photos: photos.length, photo })
  },
})

/** A reported photo that its owner has neither decided about nor hidden. */
interface PhotoWithOpenReports {
  filename: string
  reasons: ReportReason[]
}

const openReports = sql`
  from photo_reports join photos on photos.id = photo_reports.photo_id join users on users.id = photos.user_id
  where photo_reports.decided_at is null and photos.hidden_at is null and photos.deleted_at is null
    and photos.is_listed and users.is_active`

const reasonsColumn = sql`array_agg(distinct photo_reports.reason order by photo_reports.reason) as reasons`

/** Reports in no other email, except in one that failed. */
const isUnmailedFor = (emailId: string) => sql`(photo_reports.email_id is null or photo_reports.email_id = ${emailId}
  or exists (select 1 from emails where id = photo_reports.email_id and state = 'failed'))`

/** Assigns the open reports of a photo to an email. Undefined when nothing about the photo is undecided. */
async function claimReportsOfPhoto(
  tx: Db,
  { emailId, photoId }: { emailId: string; photoId: string },
): Promise<PhotoWithOpenReports | undefined> {
  const { rows } = await sql<PhotoWithOpenReports>`
    select photos.filename, ${reasonsColumn} ${openReports} and photos.id = ${photoId} group by photos.id`.execute(tx)
  if (rows[0])
    await sql`
      update photo_reports set email_id = ${emailId}
      where photo_id = ${photoId} and decided_at is null and ${isUnmailedFor(emailId)}`.execute(tx)
  return rows[0]
}

/** Assigns to an email the open reports of an owner that no other email contains; returns their photos. */
async function claimReportsOfOwner(
  tx: Db,
  { emailId, userId }: { emailId: string; userId: string },
): Promise<PhotoWithOpenReports[]> {
  const { rows } = await sql<PhotoWithOpenReports>`
    with named as (
      update photo_reports set email_id = ${emailId}
      where id in (select photo_reports.id ${openReports} and photos.user_id = ${userId} and ${isUnmailedFor(emailId)})
      returning photo_id, reason, reported_at)
    select photos.filename, array_agg(distinct named.reason order by named.reason) as reasons
    from named join photos on photos.id = named.photo_id
    group by photos.id order by max(named.reported_at) desc`.execute(tx)
  return rows
}

interface Decided {
  filename: string
  at: Date
  message: string | null
  hidden: boolean
}

/** Composes an email about the decision of an operator; none for a superseded decision or a deleted photo. */
const operatorDecisionComposer = (
  { guestRenderer, config, urls }: Dependencies,
  kind: 'photo-hidden' | 'photo-shown',
): Composer => ({
  async compose({ user_id: userId, photo_id: photoId, payload }, tx) {
    if (userId === null || photoId === null) return 'obsolete'
    const { at: decidedAt } = payload as { at: string } // only `queueDecisionEmail` writes it
    const { rows } = await sql<Decided>`
      select filename, operator_decided_at as at, operator_message as message, hidden_at is not null as hidden
      from photos join users on users.id = photos.user_id
      where photos.id = ${photoId} and users.id = ${userId} and users.is_active and photos.deleted_at is null and photos.is_listed
        and operator_decision = ${kind === 'photo-hidden' ? 'hide' : 'show'}
        and operator_decided_at = ${decidedAt}::timestamptz`.execute(tx)
    const [photo] = rows
    if (!photo) return 'obsolete'
    const { filename, at, message, hidden } = photo
    const url = kind === 'photo-hidden' ? `${config.publicUrl}${pages.support}` : urls.galleryPhoto(photoId)
    return guestRenderer.renderEmail(
      { kind, filename, at: at.toISOString(), message, stillHidden: hidden, url },
      await emailContextOf(tx, userId, config),
    )
  },
})

/** Composes that email from what will be removed when it is sent, unless its reader has switched such emails off. */
const requestRemovalEmailComposer = ({ guestRenderer, config }: Dependencies): Composer => ({
  async compose({ user_id: userId }, tx) {
    if (userId === null) return 'obsolete'
    const reader = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('is_active', '=', true)
      .where('allow_request_removal_emails', '=', true)
      .executeTakeFirst()
    const { addresses, firstAt } = await addressesRemovedSoon(tx, userId)
    if (!reader || !firstAt) return 'obsolete'
    return guestRenderer.renderEmail(
      {
        kind: 'request-removal',
        addresses,
        firstAt: firstAt.toISOString(),
        url: `${config.publicUrl}${pages.photoRequests}`,
        settingsUrl: `${config.publicUrl}${pages.settings}#mail`,
      },
      await emailContextOf(tx, userId, config),
    )
  },
})
