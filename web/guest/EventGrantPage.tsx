import { Download } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { eventGrant } from '../messages/en/event-archive.ts'
import { useFormat, useText } from '../lib/i18n.tsx'
import { GuestLayout, WideLink } from './GuestLayout.tsx'
import type { FormatDateTime } from './date-time.ts'

interface Props {
  page: Extract<GuestPage, { page: 'event-grant' }>
  /** Formats a time in the owner's time zone. */
  formatDateTime: FormatDateTime
}

/** All photos of an event, for whom its owner sent the link to: as one file, and each of them. Has no script. */
export function EventGrantPage({ page, formatDateTime }: Props) {
  const text = useText({ eventGrant })
  const format = useFormat()
  const { eventName, brandName, photos, bytes, processing, archiveUrl, tiles, olderUrl, newestUrl } = page
  return (
    <GuestLayout look="list" logo={page.logo}>
      <div className="guest__actions stack">
        <h1 translate="no">{eventName}</h1>
        {brandName !== null && (
          <p className="muted" translate="no">
            {text.from(brandName)}
          </p>
        )}
        {photos === 0 ? (
          <p>{text.none}</p>
        ) : (
          <p className="tabular-numbers">{text.size(photos, format.count(photos), format.size(bytes))}</p>
        )}
        {processing > 0 && <p className="muted">{text.processing(processing)}</p>}
        {archiveUrl !== null && (
          <>
            <WideLink tone="primary" href={archiveUrl} download="">
              <Download className="icon" />
              {text.download}
            </WideLink>
            <p className="small muted">{text.hint}</p>
          </>
        )}
        <p className="small muted">{text.until(formatDateTime(page.expiresAt, page.timeZone))}</p>
      </div>
      {tiles.length > 0 && (
        <ul className="guest__tiles" aria-label={text.photos}>
          {tiles.map(({ url, thumbnailUrl, width, height }, index) => {
            const number = format.count(index + 1)
            return (
              <li key={url}>
                <a href={url}>
                  <img
                    src={thumbnailUrl}
                    alt={text.photo(number)}
                    loading="lazy"
                    {...(width && height && { width, height })}
                  />
                </a>
                <a href={`${url}?download=1`} aria-label={text.saveOne(number)}>
                  {text.save}
                </a>
              </li>
            )
          })}
        </ul>
      )}
      {olderUrl !== null && <WideLink href={olderUrl}>{text.older}</WideLink>}
      {newestUrl !== null && <WideLink href={newestUrl}>{text.newest}</WideLink>}
    </GuestLayout>
  )
}
