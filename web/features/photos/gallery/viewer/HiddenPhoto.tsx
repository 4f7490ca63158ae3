import { EyeOff } from 'lucide-react'
import { useText } from '../../../../lib/i18n.tsx'
import { gallery } from '../../../../messages/en/gallery.ts'

/** Shown instead of the QR code of a photo that is hidden from guests. */
export function HiddenPhoto() {
  const text = useText({ gallery })
  return (
    <div className="viewer__hidden">
      <span className="badge badge--bad">
        <EyeOff className="icon" />
        {text.hidden}
      </span>
      <p className="small">{text.viewer.hiddenHint}</p>
    </div>
  )
}
