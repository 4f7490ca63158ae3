import type { Insights } from '@keepsnap/contract/insights.ts'
import { useId } from 'react'
import { Link } from 'react-router'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { galleryPhoto } from '../../lib/paths.ts'
import { insights } from '../../messages/en/insights.ts'
import { measures } from './measures.ts'

/** The photos with the most downloads and requests. */
export function BestPhotos({ photos }: { photos: Insights['best_photos'] }) {
  const text = useText({ insights })
  const format = useFormat()
  const heading = useId()
  if (photos.length === 0) return null
  return (
    <section className="insights-best insights-cards" aria-labelledby={heading}>
      <h2 id={heading}>{text.best.heading}</h2>
      <p className="small muted">{text.best.order}</p>
      <div className="card insights-best__box">
        <table className="table tabular-numbers" aria-labelledby={heading}>
          <thead>
            <tr>
              <th scope="col">{text.best.photo}</th>
              {measures.map((measure) => (
                <th key={measure} scope="col">
                  {text.measures[measure]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {photos.map((photo) => (
              <tr key={photo.id}>
                <th scope="row">
                  <BestPhoto photo={photo} />
                </th>
                {measures.map((measure) => (
                  <td key={measure}>
                    <span className="insights-cards__name" aria-hidden="true">
                      {text.measures[measure]}
                    </span>
                    <span>{format.count(photo[measure])}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function BestPhoto({ photo }: { photo: Insights['best_photos'][number] }) {
  const text = useText({ insights })
  const media = useMediaUrl()
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  return (
    <Link className="insights-photo" to={galleryPhoto(photo.id)}>
      {thumbnailUrl ? (
        <img className="thumbnail" src={thumbnailUrl} width="56" height="56" alt="" loading="lazy" decoding="async" />
      ) : (
        <span className="thumbnail thumbnail--none" />
      )}
      <span className="ellipsis file-name" translate="no">
        {photo.filename}
      </span>
      <span className="visually-hidden">{text.inGallery}</span>
    </Link>
  )
}
