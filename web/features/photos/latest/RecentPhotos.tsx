import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useId } from 'react'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { qrCodeUrlOf, svgUrlOf } from '../qr-codes.ts'

interface Props {
  /** Newest first. */
  photos: readonly Photo[]
  user: Pick<User, 'ask_email_to_receive_photo'>
}

/** Small copies of other photos, each on one card with its QR code: guests can still scan it after a new photo arrived. */
export function RecentPhotos({ photos, user }: Props) {
  const text = useText({ latest }).recent
  const format = useFormat()
  const media = useMediaUrl()
  const id = useId()
  if (photos.length === 0) return null
  return (
    <section className="latest__recent" aria-labelledby={id}>
      <h2 className="latest__recent-title">
        <b id={id}>{text.label}</b> <span>{text.hint}</span>
      </h2>
      <ul className="latest__recent-list" aria-labelledby={id}>
        {photos.map((photo) => {
          const qrCodeUrl = qrCodeUrlOf(photo, user)
          return (
            <li key={photo.id} className="latest__recent-photo">
              <div className="latest__recent-thumbnail">
                <img src={(photo.thumbnail_url && media(photo.thumbnail_url)) ?? undefined} alt="" />
                <time dateTime={photo.created_at} translate="no">
                  {format.time(photo.created_at)}
                </time>
              </div>
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
    </section>
  )
}
