import type { User } from '@keepsnap/contract/accounts.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { branding } from '../../messages/en/branding.ts'
import { Note } from '../../ui/Note.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { WatermarkRunCard } from './WatermarkRunCard.tsx'
import { watermarkPreviewQuery } from './queries.ts'

interface Props {
  user: User
  /** Whether the plan includes branding; undefined while that is not known. */
  included: boolean | undefined
  on: boolean
  layout: ReactNode
}

/** Details of the watermark setting: why it has no effect, a preview beside its layout, and the existing photos. */
export function WatermarkDetails({ user, included, on, layout }: Props) {
  const text = useText({ branding }).watermark
  const hasLogo = user.logo_url !== null
  return (
    <>
      {on && !hasLogo && included !== undefined && (
        <Note tone="warn">{included ? text.noLogo : `${text.noLogo} ${text.noEffect}`}</Note>
      )}
      {included && hasLogo && (
        <div className="watermark-choices">
          <WatermarkPreview key={user.logo_url} user={user} />
          {layout}
        </div>
      )}
      {included && <WatermarkRunCard hasLogo={hasLogo} hasPhotos={user.photo_count > 0} />}
    </>
  )
}

function WatermarkPreview({ user }: { user: User }) {
  const allText = useText({ branding })
  const text = allText.watermark
  // The previous preview stays until the next one is there.
  const query = useQuery({ ...watermarkPreviewQuery(useApi(), user), placeholderData: keepPreviousData })
  const { data: preview, isPlaceholderData } = query
  if (preview === null) return <p className="small muted">{text.previewNone}</p>
  if (hasFailed(query) && !preview) return <p className="small muted">{text.previewFailed}</p>
  return (
    <figure className="watermark-preview">
      <figcaption className="label">{text.previewLabel}</figcaption>
      <div className="picture watermark-preview__picture" aria-busy={isPlaceholderData}>
        {preview ? (
          <Picture source={preview} alt={text.previewAlt} none={null} broken={allText.broken} />
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
    </figure>
  )
}
