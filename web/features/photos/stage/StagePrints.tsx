import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/parts.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { codeOf, drawingOf } from '../codes.ts'

interface Props {
  /** Newest first. */
  photos: readonly Photo[]
  user: User
}

/** The photos before the one on the stage, small, each with a code that still scans: a burst takes no code away. */
export function StagePrints({ photos, user }: Props) {
  const text = useText({ latest }).before
  const media = useMediaUrl()
  if (photos.length === 0) return null
  return (
    <ul className="stage__prints" aria-label={text.label}>
      {photos.map((photo) => {
        const code = codeOf(photo, user)
        return (
          <li key={photo.id} className="stage__mini">
            <img src={(photo.thumbnail_url && media(photo.thumbnail_url)) ?? undefined} alt="" />
            {code !== null && (
              <img
                src={media(drawingOf(code)) ?? undefined}
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
