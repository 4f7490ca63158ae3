import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../../lib/i18n.tsx'
import { gallery } from '../../../../messages/en/gallery.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'

/** Shown instead of the QR code of a photo that is hidden from guests; offers to show it again. */
export function HiddenPhoto({ showAgain }: { showAgain: () => Promise<unknown> }) {
  const text = useText({ gallery })
  const [confirming, setConfirming] = useState(false)
  const [showAgainState, setShowAgainState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const confirmShowAgain = async (): Promise<void> => {
    setShowAgainState('busy')
    try {
      await showAgain()
      setShowAgainState('idle')
    } catch {
      setShowAgainState('failed')
    }
    setConfirming(false)
  }
  return (
    <div className="viewer__hidden">
      <span className="badge badge--bad">
        <EyeOff className="icon" />
        {text.hidden}
      </span>
      <p className="small">{text.viewer.hiddenHint}</p>
      {showAgainState === 'failed' && (
        <p className="small" role="alert">
          {text.errors.showAgain}
        </p>
      )}
      <Button className="viewer__button" tone="ghost" block onClick={() => setConfirming(true)}>
        <Eye className="icon" />
        {text.viewer.showAgain}
      </Button>
      <ConfirmDialog
        open={confirming}
        {...text.confirmShow}
        busy={showAgainState === 'busy'}
        onConfirm={() => void confirmShowAgain()}
        onClose={() => setConfirming(false)}
      />
    </div>
  )
}
