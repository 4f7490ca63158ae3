import type { User } from '@keepsnap/contract/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { branding } from '../../messages/en/branding.ts'
import { Note } from '../../ui/Note.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ExistingPhotos } from './ExistingPhotos.tsx'
import { hasBranding, watermarkPreviewQuery } from './queries.ts'

/** Details of the watermark setting: why it has no effect, a preview, and the existing photos. */
export function Watermark({ user, on }: { user: User; on: boolean }) {
  const text = useText({ branding }).watermark
  const included = hasBranding(user.subscription_tier)
  const hasLogo = user.logo_url !== null
  return (
    <>
      {on && !hasLogo && (
        <Note tone="warn">
          {text.noLogo} {!included && text.noEffect}
        </Note>
      )}
      {included && hasLogo && <Preview key={user.logo_url} />}
      {included && <ExistingPhotos hasLogo={hasLogo} hasPhotos={user.photo_count > 0} />}
    </>
  )
}

function Preview() {
  const allText = useText({ branding })
  const text = allText.watermark
  const { data, isError } = useQuery(watermarkPreviewQuery(useApi()))
  if (data === null) return <p className="small muted">{text.previewNone}</p>
  if (isError) return <p className="small muted">{text.previewFailed}</p>
  return (
    <figure className="mark">
      <figcaption className="label">{text.previewLabel}</figcaption>
      <div className="picture mark__picture">
        {data ? (
          <Picture source={data} alt={text.previewAlt} none={null} broken={allText.broken} />
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
    </figure>
  )
}
