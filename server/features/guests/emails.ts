import { sql } from 'kysely'
import { pages } from '@keepsnap/contract/site.ts'
import type { EmailLogo } from '@keepsnap/contract/emails.ts'
import type { Language } from '@keepsnap/contract/languages.ts'
import { emailLimits, limits } from '@keepsnap/contract/limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  type ComposedEmail,
  type Composer,
  emailContextOf,
  type EmailRow,
  storedLanguage,
  WithdrawnContent,
} from '../emails/compose.ts'
import { groundOnUnknownBackground, type StoredLogo } from '../branding/brands.ts'
import { guestFilename } from '../photos/filenames.ts'
import { mailboxKey, mailboxKeys } from '../../lib/email-address.ts'
import { hashOf } from '../../lib/ids.ts'
import { decideAccess, findSharedPhoto, type SharedPhoto } from '../photos/photo-access.ts'
import { publish } from '../../platform/live/bus.ts'
import type { Attachment } from '../../ports/mail/mail.ts'
import { isMailboxBlocked } from './unsubscribe.ts'
import { addGrant, languageOfRequest, mayBecomeReady, requestByEmail } from './requests.ts'

type EmailDependencies = Pick<Dependencies, 'guestRenderer' | 'config' | 'urls'>

interface Decided {
  filename: string
  at: Date
  message: string | null
  hidden: boolean
}

/** Composes the emails about decisions of operators; none for a superseded decision or a deleted photo. */
export function operatorDecisionComposers({ guestRenderer, config, urls }: EmailDependencies): {
  'photo-hidden': Composer
  'photo-shown': Composer
} {
  const composerOf = (kind: 'photo-hidden' | 'photo-shown'): Composer => ({
    async compose({ user_id: userId, photo_id: photoId, payload }, tx) {
      if (userId === null || photoId === null) return 'obsolete'
      const { at: decidedAt } = payload as { at: string } // only `queueDecisionEmail` writes it
      const { rows } = await sql<Decided>`
        select filename, operator_decided_at as at, operator_message as message, hidden_at is not null as hidden
        from photos join users on users.id = photos.user_id
        where photos.id = ${photoId} and users.id = ${userId} and users.is_active and photos.deleted_at is null
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
  return { 'photo-hidden': composerOf('photo-hidden'), 'photo-shown': composerOf('photo-shown') }
}

/** What `requestPhotoByEmail` stored in the email. */
interface PhotoEmailPayload {
  requestId: string
}
const photoEmailPayloadOf = ({ payload }: EmailRow): PhotoEmailPayload => payload as unknown as PhotoEmailPayload // only requestPhotoByEmail writes it

type PhotoEmailDependencies = Pick<
  Dependencies,
  'db' | 'mail' | 'storage' | 'urls' | 'tokens' | 'guestRenderer' | 'config'
>

const openStoredImage =
  ({ storage }: PhotoEmailDependencies, key: string): Attachment['open'] =>
  async () => {
    const stream = await storage.open(key)
    if (!stream) throw new Error('an image for an email is not in the store')
    return stream
  }

/** Checks the access policy again: the photo may have been hidden or deleted since the email was composed. */
const openPhotoImage =
  (deps: PhotoEmailDependencies, { photoId }: SharedPhoto, key: string): Attachment['open'] =>
  async () => {
    const accessDecision = decideAccess(await findSharedPhoto(deps.db, 'id', photoId), { via: 'grant', isValid: true })
    if (accessDecision !== 'allow') throw new WithdrawnContent()
    return openStoredImage(deps, key)()
  }

/** The photo as an attachment, if it is small enough. */
function photoAttachmentOf(deps: PhotoEmailDependencies, photo: SharedPhoto): Attachment | undefined {
  const { fullKey: key, fullBytes: bytes, fullType: type } = photo
  if (key === null || bytes === null || type === null || bytes > deps.mail.maxAttachmentBytes) return undefined
  return { filename: guestFilename(photo, type), type, open: openPhotoImage(deps, photo, key) }
}

const recipientOptedOut = 'This person has opted out of photo emails.'
const photoIsHidden = 'The photo was hidden from guests before this email was sent.'
const photoHasFailed = 'The photo could not be processed and cannot be retried.'

/** The pause between looks at a failed photo, which its owner may retry for days. */
const awaitRetryMs = 5 * 60_000

/** One-click unsubscribe in mail programs, RFC 8058. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const logoCid = 'logo'

const emailLogo = ({ width, height, lowContrast }: StoredLogo): EmailLogo => ({
  cid: logoCid,
  width,
  height,
  ground: groundOnUnknownBackground(lowContrast),
})

/** The owner's logo as an inline image; undefined when it is too large for every email or not in the store. */
async function logoAttachmentOf(deps: PhotoEmailDependencies, { logo }: SharedPhoto): Promise<Attachment | undefined> {
  if (!logo || logo.bytes > emailLimits.logoBytes || (await deps.storage.sizeOf(logo.key)) === null) return undefined
  return { filename: 'logo.png', type: logo.type, cid: logoCid, open: openStoredImage(deps, logo.key) }
}

const thumbnailCid = 'photo'

/** The thumbnail as an inline image; undefined when it is not in the store. */
async function thumbnailAttachmentOf(
  deps: PhotoEmailDependencies,
  photo: SharedPhoto,
): Promise<Attachment | undefined> {
  const { thumbKey: key } = photo
  if (key === null || (await deps.storage.sizeOf(key)) === null) return undefined
  const filename = guestFilename(photo, 'image/webp')
  return { filename, type: 'image/webp', cid: thumbnailCid, open: openPhotoImage(deps, photo, key) }
}

interface PhotoEmailOptions {
  url: string
  stopUrl: string
  expiresAt: Date
  attach: boolean
  language: Language
}

/** The content of the email: the picture, a link, and the photo itself if it is small enough. */
async function composeContent(
  deps: PhotoEmailDependencies,
  photo: SharedPhoto,
  { url, stopUrl, expiresAt, attach, language }: PhotoEmailOptions,
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

/** Composes the email with a photo. Its link is a grant for 72 hours. */
export function photoEmailComposer(deps: PhotoEmailDependencies): Composer {
  const { urls, tokens } = deps
  return {
    async compose(email, tx, { attach }) {
      const { requestId } = photoEmailPayloadOf(email)
      const photo = email.photo_id === null ? undefined : await findSharedPhoto(tx, 'id', email.photo_id)
      const accessDecision = decideAccess(photo, { via: 'grant', isValid: true })
      if (photo?.hiddenAt) return { declined: photoIsHidden }
      // Guests who asked while it was processed get it after a retry. For all others it is not found.
      const hasFailed = photo?.ownerActive === true && photo.state === 'failed'
      if (!photo || (accessDecision === 'not found' && !hasFailed)) return 'obsolete'
      const mailboxes = [email.recipient_key, ...mailboxKeys(email.recipient)]
      if (
        await isMailboxBlocked(
          tx,
          mailboxes.flatMap((key) => tokens.mailboxHashes(key)),
        )
      )
        return { declined: recipientOptedOut }
      if (hasFailed)
        return (await mayBecomeReady(tx, photo.photoId))
          ? { waitMs: awaitRetryMs }
          : { declined: photoHasFailed, isObsolete: true }
      if (accessDecision === 'processing') return 'not ready'
      const token = tokens.grant(requestId)
      const grant = { hash: hashOf(token), photoId: photo.photoId, requestId, hours: limits.grantHours }
      const expiresAt = await addGrant(tx, grant)
      if (!expiresAt) return 'obsolete'
      const stopUrl = urls.unsubscribePage(tokens.unsubscribe(mailboxKey(email.recipient)))
      const language = storedLanguage(await languageOfRequest(tx, requestId))
      return composeContent(deps, photo, { url: urls.grantPage(token), stopUrl, expiresAt, attach, language })
    },
    async onStatusChange(tx, email) {
      const request = await requestByEmail(tx, email.id)
      if (request) await publish(tx, { kind: 'request', user: request.user_id, request: request.id })
    },
  }
}
