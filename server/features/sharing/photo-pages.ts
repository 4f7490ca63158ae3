import type { FastifyRequest } from 'fastify'
import type { GuestFile } from '@keepsnap/contract/guest.ts'
import type { Deps } from '../../deps.ts'
import { isApple } from '../../domain/apple.ts'
import { guestFrame, guestLogo, guestPhoto, guestReport } from '../../domain/guests.ts'
import type { Media } from '../../domain/media.ts'
import { sendGuestPage } from '../../http/pages.ts'
import type { Call } from '../../http/serve.ts'

/** How a guest came to a photo's page. */
export type Came = { by: 'code' } | { by: 'grant'; grant: string; expiresAt: Date }

/** A page that waits for its photo asks again by itself; that is no new visit. */
export const isReturning = ({ headers, url }: FastifyRequest): boolean =>
  headers.referer?.endsWith(url) === true || headers['cache-control'] === 'max-age=0'

function fileOf({ state, fullBytes, fullType, code }: Media, came: Came): GuestFile | null {
  if (state !== 'ready' || fullBytes === null || fullType === null) return null
  const addresses =
    came.by === 'grant'
      ? { downloadUrl: `/g/${came.grant}/download`, inlineUrl: `/g/${came.grant}/download?inline=1` }
      : { downloadUrl: `/d/${code}?download=1`, inlineUrl: `/d/${code}?inline=1` }
  return { ...addresses, bytes: fullBytes, type: fullType }
}

/** The page with one photo and one big button; while the photo is being processed, it waits with the guest. */
export function createPhotoPages({ addresses, guest, config }: Pick<Deps, 'addresses' | 'guest' | 'config'>) {
  return async ({ req, reply }: Pick<Call, 'req' | 'reply'>, media: Media, came: Came): Promise<void> => {
    const photo = guestPhoto(media, addresses)
    const file = fileOf(media, came)
    await sendGuestPage(reply, guest, {
      page: {
        page: 'photo',
        by: came.by,
        photo,
        file,
        expiresAt: came.by === 'grant' ? came.expiresAt.toISOString() : null,
        ios: isApple(req.headers),
        report: guestReport(media.photoId),
        logo: guestLogo(media, addresses),
      },
      frame: guestFrame(config.publicUrl, req.url.split('?', 1)[0] ?? '/', photo),
    })
  }
}
