import { TriangleAlert } from 'lucide-react'
import { useText } from '../lib/i18n.tsx'
import { states } from '../messages/en/states.ts'
import { Button } from './Button.tsx'

interface Props {
  sentence: string
  busy: boolean
  onRetry: () => void
  /** Another size, by the CSS of a feature. */
  className?: string
}

/** Replaces a part of a page that could not be loaded. */
export function LoadFailed({ sentence, busy, onRetry, className = '' }: Props) {
  const { tryAgain } = useText({ states })
  return (
    <div className={`card state ${className}`.trimEnd()} role="alert">
      <TriangleAlert className="icon state__icon" />
      <p>{sentence}</p>
      <Button busy={busy} onClick={onRetry}>
        {tryAgain}
      </Button>
    </div>
  )
}
