import type { Photo } from '@keepsnap/contract/photos.ts'
import { Eye, EyeOff } from 'lucide-react'
import { useText } from '../../../../lib/i18n.tsx'
import { gallery } from '../../../../messages/en/gallery.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useHidePhotos } from '../../useHidePhotos.ts'

/** Hides the photo from guests or shows it again. On narrow screens the label is for screen readers only. */
export function HideToggle({ photo }: { photo: Photo }) {
  const text = useText({ gallery }).visibility
  const { setHidden, busy } = useHidePhotos()
  const Icon = photo.hidden ? Eye : EyeOff
  return (
    <Button
      className="viewer__button viewer__hide"
      tone="ghost"
      busy={busy}
      onClick={() => void setHidden([photo], !photo.hidden)}
    >
      {!busy && <Icon className="icon" />}
      <span>{photo.hidden ? text.show : text.hide}</span>
    </Button>
  )
}
