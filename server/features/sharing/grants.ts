import { sql } from 'kysely'
import { grantDownload, grantPage } from '@keepsnap/contract/requests.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../db/connect.ts'
import { guestFrame } from '../../domain/guests.ts'
import { hashOf, isGrant } from '../../domain/ids.ts'
import { mayRead, type Media } from '../../domain/media.ts'
import { Fault } from '../../faults.ts'
import { sendGuestPage } from '../../http/pages.ts'
import { countCall } from '../../http/rates.ts'
import type { Serve } from '../../http/serve.ts'
import { createFullImages, isFirstByte, notYet } from './full-images.ts'
import { createPhotoPages, isReturning } from './photo-pages.ts'

interface Grant {
  photo_id: string
  expires_at: Date
  expired: boolean
}

async function grantBy(db: Db, secret: string): Promise<Grant | undefined> {
  return db
    .selectFrom('grants')
    .select(['photo_id', 'expires_at', sql<boolean>`expires_at <= now()`.as('expired')])
    .where('grant_hash', '=', hashOf(secret))
    .executeTakeFirst()
}

const gone = (): Fault =>
  new Fault('not_found', 'This link has expired or the photo is no longer shared. Scan the code again for a new one.')

/** What a letter's link leads to: a page, and the file. Looking uses nothing up; programs that follow links do no harm. */
export function grants(
  serve: Serve,
  deps: Pick<Deps, 'db' | 'storage' | 'addresses' | 'media' | 'counts' | 'guest' | 'config'>,
): void {
  const { db, media: facts, counts, guest, config } = deps
  const sendFull = createFullImages(deps.storage)
  const sendPhotoPage = createPhotoPages(deps)

  type Found = { media: Media; grant: Grant }
  const find = async (secret: string, client: string): Promise<Found | 'expired' | 'photo'> => {
    const grant = isGrant(secret) ? await grantBy(db, secret) : undefined
    // Whoever tries many links is slowed down; whoever has an old one is not.
    if (!grant) await countCall(db, 'unknownCodes', client)
    if (!grant || grant.expired) return 'expired'
    const media = await facts.by('id', grant.photo_id)
    return media && mayRead(media, { by: 'grant', valid: true }) !== 'nothing there' ? { media, grant } : 'photo'
  }

  serve(grantPage, async ({ params }, { req, reply, client }) => {
    const found = await find(params.grant, client)
    if (typeof found === 'string') {
      const page = { page: 'gone', why: found } as const
      await sendGuestPage(reply, guest, { page, frame: guestFrame(config.publicUrl, '/g'), status: 404 })
      return undefined
    }
    const { media, grant } = found
    if (req.method === 'GET' && !isReturning(req)) counts.add(media, 'views')
    await sendPhotoPage({ req, reply }, media, { by: 'grant', grant: params.grant, expiresAt: grant.expires_at })
    return undefined
  })

  serve(grantDownload, async ({ params, query }, { req, reply, client }) => {
    const found = await find(params.grant, client)
    if (typeof found === 'string') throw gone()
    if (mayRead(found.media, { by: 'grant', valid: true }) !== 'give') throw notYet()
    if (isFirstByte(req) && query.inline === undefined) counts.add(found.media, 'downloads')
    await sendFull({ req, reply }, found.media, query.inline === undefined ? 'download' : 'inline')
    return undefined
  })
}
