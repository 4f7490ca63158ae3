import { sql } from 'kysely'
import { grantDownload, grantPage } from '@keepsnap/contract/requests.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame } from '../../domain/guest-page-props.ts'
import { decideAccess, type SharedPhoto } from '../../domain/photo-access.ts'
import type { ScreenImages } from '../../domain/screen-images.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../http/guest-pages.ts'
import { countRateHit } from '../../http/rate-limits.ts'
import type { Call, Serve } from '../../http/serve.ts'
import { hashOf, isSecret } from '../../lib/ids.ts'
import { isNavigation, isPreviewProgram } from '../../lib/user-agent.ts'
import { sendFullImage, sendScreenImage, startsDownload, photoStillProcessing } from './send-full-image.ts'
import { sendPhotoPage } from './send-photo-page.ts'

type GrantDependencies = Pick<
  Dependencies,
  'db' | 'storage' | 'urls' | 'mediaCache' | 'guestActivity' | 'guestRenderer' | 'config'
> & { screenImages: ScreenImages }

/** The link in a photo email: a page with the photo, and its download. Any number of times; opening it changes nothing. */
export function grantRoutes(serve: Serve, deps: GrantDependencies): void {
  serve(grantPage, async ({ params }, call) => {
    await showGrantPage(deps, params.grant, call)
    return undefined
  })
  serve(grantDownload, async ({ params, query }, call) => {
    const purpose = query.screen !== undefined ? 'screen' : query.inline !== undefined ? 'inline' : 'file'
    await sendGrantDownload(deps, { token: params.grant, purpose, isVisit: query.visit !== undefined }, call)
    return undefined
  })
}

interface Grant {
  photo_id: string
  expires_at: Date
  expired: boolean
  /** Of the email with the link. */
  language: string | null
}

const grantByToken = (db: Db, token: string): Promise<Grant | undefined> =>
  db
    .selectFrom('grants')
    .innerJoin('photo_requests', 'photo_requests.id', 'grants.request_id')
    .select(['grants.photo_id', 'expires_at', sql<boolean>`expires_at <= now()`.as('expired'), 'language'])
    .where('grant_hash', '=', hashOf(token))
    .executeTakeFirst()

/** The photo of a token, or why there is none: `expired`, also for an unknown token, or `photo`. */
async function findGrantedPhoto(
  { db, mediaCache }: GrantDependencies,
  token: string,
  client: string,
): Promise<{ photo: SharedPhoto; expiresAt: Date; language: string | null } | 'expired' | 'photo'> {
  const grant = isSecret(token) ? await grantByToken(db, token) : undefined
  // Only clients that try many unknown tokens are slowed down, not those with an expired one.
  if (!grant) await countRateHit(db, 'unknownCodes', client)
  if (!grant || grant.expired) return 'expired'
  const photo = await mediaCache.find('id', grant.photo_id)
  const isShared = photo && decideAccess(photo, { via: 'grant', isValid: true }) !== 'not found'
  return isShared ? { photo, expiresAt: grant.expires_at, language: grant.language } : 'photo'
}

/** The page that says why there is no photo. */
function sendGonePage(
  { guestRenderer, config }: GrantDependencies,
  reply: Call['reply'],
  why: 'expired' | 'photo',
): Promise<void> {
  const page = { page: 'gone', why } as const
  return sendGuestPage(reply, guestRenderer, { page, frame: guestFrame(config.publicUrl, '/g'), status: 404 })
}

async function showGrantPage(deps: GrantDependencies, token: string, { req, reply, client }: Call): Promise<void> {
  const grantedPhoto = await findGrantedPhoto(deps, token, client)
  if (typeof grantedPhoto === 'string') return sendGonePage(deps, reply, grantedPhoto)
  const { photo, expiresAt, language } = grantedPhoto
  return sendPhotoPage(deps, { req, reply }, { photo, access: { by: 'grant', token, expiresAt, language } })
}

const grantLinkGone = (): Fault =>
  new Fault('not_found', 'This link has expired or the photo is no longer shared. Scan the code again for a new one.')

/** Sends the file. Where there is none, browsers get a page, and programs the error. */
async function sendGrantDownload(
  deps: GrantDependencies,
  { token, purpose, isVisit }: { token: string; purpose: 'file' | 'inline' | 'screen'; isVisit: boolean },
  { req, reply, client }: Call,
): Promise<void> {
  const grantedPhoto = await findGrantedPhoto(deps, token, client)
  const isBrowserNavigation = isNavigation(req.headers)
  if (typeof grantedPhoto === 'string') {
    if (isBrowserNavigation) return sendGonePage(deps, reply, grantedPhoto)
    throw grantLinkGone()
  }
  const { photo } = grantedPhoto
  const isPreview = isPreviewProgram(req.headers)
  const isWaiting = decideAccess(photo, { via: 'grant', isValid: true }) !== 'allow'
  if (isWaiting || isPreview) {
    if (!isBrowserNavigation && !isPreview) throw photoStillProcessing()
    // That page waits for the photo, and has what a preview shows.
    return void (await reply.header('cache-control', 'no-store').redirect(deps.urls.grantPage(token), 302))
  }
  if (purpose === 'screen') return sendScreenImage(deps, { req, reply }, { photo, reader: 'guest' })
  const isInline = purpose === 'inline'
  const guestActivities = isVisit ? (['views', 'downloads'] as const) : (['downloads'] as const)
  if (startsDownload(req) && !isInline) deps.guestActivity.add(photo, ...guestActivities)
  await sendFullImage(deps, { req, reply }, { photo, purpose: { for: 'guest', isAttachment: true, isInline } })
}
