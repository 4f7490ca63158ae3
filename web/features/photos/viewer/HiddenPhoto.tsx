import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'

/** Says that guests do not get this photo, in the place of its code, and offers to show it again. */
export function HiddenPhoto({ showAgain }: { showAgain: () => Promise<unknown> }) {
  const text = useText({ gallery })
  const [asking, ask] = useState(false)
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const show = async (): Promise<void> => {
    setState('busy')
    try {
      await showAgain()
      setState('idle')
    } catch {
      setState('failed')
    }
    ask(false)
  }
  return (
    <div className="viewer__hidden">
      <span className="badge badge--bad">
        <EyeOff className="i" />
        {text.hidden}
      </span>
      <p className="small">{text.viewer.hiddenHint}</p>
      {state === 'failed' && (
        <p className="small" role="alert">
          {text.errors.showAgain}
        </p>
      )}
      <Button className="viewer__btn" tone="ghost" block onClick={() => ask(true)}>
        <Eye className="i" />
        {text.viewer.showAgain}
      </Button>
      <Confirm
        open={asking}
        {...text.sureShow}
        busy={state === 'busy'}
        onConfirm={() => void show()}
        onClose={() => ask(false)}
      />
    </div>
  )
}
