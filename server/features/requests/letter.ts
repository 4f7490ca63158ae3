import { limits, letterLimits } from '@keepsnap/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { neutralName } from '../../domain/filenames.ts'
import { hashOf } from '../../domain/ids.ts'
import { mayRead, mediaBy, type Media } from '../../domain/media.ts'
import type { Composer, LetterRow } from '../../letters/composers.ts'
import { publish } from '../../live/bus.ts'
import type { Attachment } from '../../ports/mail/mail.ts'
import { isBlocked } from './blocks.ts'
import { addGrant, requestByLetter } from './queries.ts'

/** What `askByEmail` wrote into the letter. */
interface Facts {
  requestId: string
}
const factsOf = ({ facts }: LetterRow): Facts => facts as unknown as Facts // written by askByEmail alone

type Parts = Pick<Deps, 'storage' | 'addresses' | 'guest' | 'config'>

const opening =
  ({ storage }: Parts, key: string): Attachment['open'] =>
  async () => {
    const stream = await storage.open(key)
    if (!stream) throw new Error('a picture of a letter is not in the store')
    return stream
  }

/** The photo itself, when it is small enough to travel. */
function attachmentOf(parts: Parts, media: Media): Attachment | undefined {
  const { fullKey: key, fullBytes: bytes, fullType: type } = media
  if (key === null || bytes === null || type === null || bytes > letterLimits.attachBytes) return undefined
  return { filename: neutralName(media.createdAt, type), type, open: opening(parts, key) }
}

const takesNone = 'This address takes no more photos by e-mail.'

/** For the button of mail programs that stops such letters with one click, RFC 8058. */
export const stopHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const logoCid = 'logo'

/** The brand that the letter shows. One that is not in the store, or too heavy to go with each letter, stays at home. */
async function logoOf(parts: Parts, { logo }: Media): Promise<Attachment | undefined> {
  if (!logo || logo.bytes > letterLimits.logoBytes || (await parts.storage.sizeOf(logo.key)) === null) return undefined
  return { filename: 'logo.png', type: logo.type, cid: logoCid, open: opening(parts, logo.key) }
}

/** The letter that brings a photo: a link for 72 hours, and the photo itself when it fits. */
export function photoLetter(parts: Parts): Composer {
  const { addresses, guest, config } = parts
  return {
    async compose(letter, tx, { attach }) {
      const { requestId } = factsOf(letter)
      const media = letter.photo_id === null ? undefined : await mediaBy(tx, 'id', letter.photo_id)
      const verdict = mayRead(media, { by: 'grant', valid: true })
      if (!media || verdict === 'nothing there') return 'withdrawn'
      if (await isBlocked(tx, addresses.blockOf(letter.email_key))) return { unwanted: takesNone }
      if (verdict === 'not yet') return 'later'
      const grant = addresses.grant(requestId)
      const expiresAt = await addGrant(tx, {
        hash: hashOf(grant),
        photoId: media.photoId,
        requestId,
        hours: limits.grantHours,
      })
      if (!expiresAt) return 'withdrawn'
      const attachment = attach ? attachmentOf(parts, media) : undefined
      const logo = await logoOf(parts, media)
      const stopUrl = addresses.stopPage(addresses.stop(letter.email_key))
      const written = guest.renderLetter(
        {
          kind: 'photo',
          logo: logo && media.logo ? { cid: logoCid, width: media.logo.width, height: media.logo.height } : null,
          url: addresses.grantPage(grant),
          filename: neutralName(media.createdAt, media.fullType ?? 'image/jpeg'),
          expiresAt: expiresAt.toISOString(),
          attached: attachment !== undefined,
          stopUrl,
        },
        { publicUrl: config.publicUrl, operator: config.operator },
      )
      const attachments = [logo, attachment].filter((one) => one !== undefined)
      return { ...written, headers: stopHeaders(stopUrl), attachments }
    },
    async settled(tx, letter) {
      const request = await requestByLetter(tx, letter.id)
      if (request) await publish(tx, { kind: 'request', user: request.user_id, request: request.id })
    },
  }
}
