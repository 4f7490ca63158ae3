import { TriangleAlert } from 'lucide-react'
import { useFocusReturn } from '../../../lib/focus-return.ts'
import { useText } from '../../../lib/i18n.tsx'
import { states } from '../../../messages/en/states.ts'
import { Button } from '../../../ui/Button.tsx'

interface Props {
  /** It could not be loaded for some time. */
  gaveUp: boolean
  /** What the message then says. */
  failure: string
  onRetry: () => void
}

/** In the place of the first photo of a big screen until that is loaded. */
export function FirstPhoto({ gaveUp, failure, onRetry }: Props) {
  return gaveUp ? <LoadingFailed failure={failure} onRetry={onRetry} /> : <LoadingPhoto />
}

function LoadingPhoto() {
  const { loading } = useText({ states })
  return (
    <>
      <span className="skeleton" aria-hidden="true" />
      <output className="visually-hidden">{loading}</output>
    </>
  )
}

function LoadingFailed({ failure, onRetry }: Omit<Props, 'gaveUp'>) {
  const { tryAgain } = useText({ states })
  return (
    <div className="latest__message" role="alert" {...useFocusReturn()}>
      <TriangleAlert className="icon" />
      <p>{failure}</p>
      <Button large onClick={onRetry}>
        {tryAgain}
      </Button>
    </div>
  )
}
