import type { GuestPhoto } from '@keepsnap/contract/guest.ts'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'

interface Props {
  photo: GuestPhoto
  /** A data URL with the photo's aspect ratio and colours. */
  placeholder: string
  /** What the photo shows; otherwise a general text. */
  alt?: string
  /** Show the file name below the photo. */
  showName?: boolean
  /** A link for browsers without JavaScript, to check whether the photo is ready. */
  checkAgainPath?: string
}

/** The photo as a print; until it is processed, its placeholder and a message. */
export function GuestPrint({ photo, placeholder, alt, showName, checkAgainPath }: Props) {
  const text = useText({ guest })
  const description = alt ?? text.yourPhoto
  const { thumbnailUrl, width, height } = photo
  return (
    <div className="guest__photo">
      <div className="print print--bare">
        <div className="print__photo" data-photo={description}>
          <img className="guest__placeholder" src={placeholder} alt="" />
          {thumbnailUrl === null ? (
            <output className="guest__wait" data-ready={text.wait.ready}>
              <span className="spin" aria-hidden="true" />
              <span>
                {text.wait.processing}
                <br />
                {text.wait.automatic}
              </span>
              {checkAgainPath !== undefined && (
                <noscript>
                  <a href={checkAgainPath}>{text.wait.checkAgain}</a>
                </noscript>
              )}
            </output>
          ) : (
            <img
              className="guest__picture"
              src={thumbnailUrl}
              alt={description}
              fetchPriority="high"
              {...(width && height && { width, height })}
            />
          )}
        </div>
        {showName && (
          <span className="print__name file-name" translate="no">
            {photo.filename}
          </span>
        )}
      </div>
    </div>
  )
}
