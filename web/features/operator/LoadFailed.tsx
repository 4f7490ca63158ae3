import { TriangleAlert } from 'lucide-react'
import { useText } from '../../lib/i18n.tsx'
import { states } from '../../messages/en/states.ts'
import { Button } from '../../ui/Button.tsx'

interface Props {
  sentence: string
  busy: boolean
  onRetry: () => void
}

/** Replaces a section that could not be loaded. */
export function LoadFailed({ sentence, busy, onRetry }: Props) {
  const { tryAgain } = useText({ states })
  return (
    <div className="card state operator-state" role="alert">
      <TriangleAlert className="icon operator-state__bad" />
      <p>{sentence}</p>
      <Button busy={busy} onClick={onRetry}>
        {tryAgain}
      </Button>
    </div>
  )
}
