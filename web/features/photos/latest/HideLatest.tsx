import type { Photo } from '@keepsnap/contract/photos.ts'
import { EyeOff } from 'lucide-react'
import { useText } from '../../../lib/i18n.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { useHidePhotos } from '../useHidePhotos.ts'
import { ToolbarButton } from './LatestToolbar.tsx'

/** Hides the photo on the big screen from guests; the next one takes its place. */
export function HideLatest({ photo, isHidden }: { photo: Photo; isHidden: boolean }) {
  const text = useText({ gallery })
  const { setHidden, busy } = useHidePhotos()
  return (
    <ToolbarButton
      icon={EyeOff}
      label={text.select.hide}
      aria-label={text.visibility.hide}
      disabled={photo.processing_failed || isHidden}
      busy={busy}
      onClick={() => void setHidden([photo], true)}
    />
  )
}
