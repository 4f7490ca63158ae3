import type { GuestFile } from '@keepsnap/contract/guest.ts'
import type { Dependencies } from '../../dependencies.ts'
import { guestFrame, guestLogo, guestPhoto, guestReport } from '../../domain/guest-page-props.ts'
import type { SharedPhoto } from '../../domain/photo-access.ts'
import { sendKeptGuestPage } from '../../http/guest-pages.ts'
import type { Call } from '../../http/serve.ts'
import { isAppleDevice } from '../../lib/user-agent.ts'

/** What a guest opened to get to a photo's page: the direct QR code, or a link in an email. */
export type AccessVia = { by: 'code' } | { by: 'grant'; token: string; expiresAt: Date; language: string | null }

function guestFileOf({ state, fullBytes, fullType, code }: SharedPhoto, access: AccessVia): GuestFile | null {
  if (state !== 'ready' || fullBytes === null || fullType === null) return null
  const { downloadUrl, pictureUrl } =
    access.by === 'grant'
      ? { downloadUrl: `/g/${access.token}/download?visit=1`, pictureUrl: `/g/${access.token}/download` }
      : { downloadUrl: `/d/${code}?download=1&visit=1`, pictureUrl: `/d/${code}` }
  const shownUrls = { screenUrl: `${pictureUrl}?screen=1`, inlineUrl: `${pictureUrl}?inline=1` }
  return { downloadUrl, ...shownUrls, bytes: fullBytes, type: fullType }
}

/** Sends the page with a photo and a button that saves it. While the photo is being processed, the page waits for it. */
export async function sendPhotoPage(
  { urls, guestRenderer, config }: Pick<Dependencies, 'urls' | 'guestRenderer' | 'config'>,
  { req, reply }: Pick<Call, 'req' | 'reply'>,
  { photo, access }: { photo: SharedPhoto; access: AccessVia },
): Promise<void> {
  const path = req.url.split('?', 1)[0] ?? '/'
  const ios = isAppleDevice(req.headers)
  await sendKeptGuestPage(reply, guestRenderer, {
    ...(access.by === 'grant' && { linkLanguage: access.language }),
    // Of the row that the cache of photos returns: it is another one after an event about the photo or its owner, and after a second.
    source: access.by === 'code' && path === `/d/${photo.code}` ? photo : undefined,
    name: `${path} ${ios}`,
    publicUrl: config.publicUrl,
    make() {
      const photoProps = guestPhoto(photo, urls)
      return {
        page: {
          page: 'photo',
          by: access.by,
          photo: photoProps,
          file: guestFileOf(photo, access),
          expiresAt: access.by === 'grant' ? access.expiresAt.toISOString() : null,
          ios,
          timeZone: photo.timeZone,
          report: guestReport(photo.photoId),
          logo: guestLogo(photo, urls),
        },
        frame: guestFrame(config.publicUrl, path, photoProps),
      }
    },
  })
}
