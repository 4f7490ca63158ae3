import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { qrCodeUrlOf, svgUrlOf } from '../qr-codes.ts'

interface Props {
  /** Newest first. */
  photos: readonly Photo[]
  user: User
}

/** Small copies of the recent photos, each with its QR code: guests can still scan it when new photos arrive quickly. */
export function RecentPhotos({ photos, user }: Props) {
  const text = useText({ latest }).recent
  const media = useMediaUrl()
  if (photos.length === 0) return null
  return (
    <ul className="latest__recent" aria-label={text.label}>
      {photos.map((photo) => {
        const qrCodeUrl = qrCodeUrlOf(photo, user)
        return (
          <li key={photo.id} className="latest__recent-photo">
            <img src={(photo.thumbnail_url && media(photo.thumbnail_url)) ?? undefined} alt="" />
            {qrCodeUrl !== null && (
              <img
                src={media(svgUrlOf(qrCodeUrl)) ?? undefined}
                width="41"
                height="41"
                alt={text.codeAlt(photo.filename)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
