import type { GuestPhoto } from '@keepsnap/contract/guest.ts'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'

interface Props {
  photo: GuestPhoto
  /** A drawing in its proportions and colours, as a data address. */
  likeness: string
  /** The name in the print's margin. */
  named?: boolean
  /** What people without JavaScript can do while they wait. */
  look?: string | undefined
}

/** The photo on its print; until it is there, its likeness and a word about it. */
export function GuestPrint({ photo, likeness, named, look }: Props) {
  const text = useText({ guest })
  const { thumbnailUrl, width, height } = photo
  return (
    <div className="guest__photo">
      <div className="print print--bare">
        <div className="print__photo" data-photo={text.yourPhoto}>
          <img className="guest__shape" src={likeness} alt="" />
          {thumbnailUrl === null ? (
            <output className="guest__wait" data-here={text.wait.here}>
              <span className="spin" aria-hidden="true" />
              <span>
                {text.wait.still}
                <br />
                {text.wait.byItself}
              </span>
              {look !== undefined && (
                <noscript>
                  <a href={look}>{text.wait.lookAgain}</a>
                </noscript>
              )}
            </output>
          ) : (
            <img
              className="guest__picture"
              src={thumbnailUrl}
              alt={text.yourPhoto}
              fetchPriority="high"
              {...(width && height && { width, height })}
            />
          )}
        </div>
        {named && (
          <span className="print__name file-name" translate="no">
            {photo.filename}
          </span>
        )}
      </div>
    </div>
  )
}
