import type { User } from '@keepsnap/contract/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { branding } from '../../messages/en/branding.ts'
import { Note } from '../../ui/Note.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ExistingPhotos } from './ExistingPhotos.tsx'
import { tierIncludesBranding, watermarkPreviewQuery } from './queries.ts'

/** Details of the watermark setting: why it has no effect, a preview, and the existing photos. */
export function Watermark({ user, on }: { user: User; on: boolean }) {
  const text = useText({ branding }).watermark
  const includesBranding = tierIncludesBranding(user.subscription_tier)
  const hasLogo = user.logo_url !== null
  return (
    <>
      {on && !hasLogo && (
        <Note tone="warn">
          {text.noLogo} {!includesBranding && text.noEffect}
        </Note>
      )}
      {includesBranding && hasLogo && <WatermarkPreview key={user.logo_url} />}
      {includesBranding && <ExistingPhotos hasLogo={hasLogo} hasPhotos={user.photo_count > 0} />}
    </>
  )
}

function WatermarkPreview() {
  const allText = useText({ branding })
  const text = allText.watermark
  const { data: preview, isError } = useQuery(watermarkPreviewQuery(useApi()))
  if (preview === null) return <p className="small muted">{text.previewNone}</p>
  if (isError) return <p className="small muted">{text.previewFailed}</p>
  return (
    <figure className="watermark-preview">
      <figcaption className="label">{text.previewLabel}</figcaption>
      <div className="picture watermark-preview__picture">
        {preview ? (
          <Picture source={preview} alt={text.previewAlt} none={null} broken={allText.broken} />
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
    </figure>
  )
}
