import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/State.tsx'
import { states } from '../messages/en/states.ts'

/** Replaces a page that threw an exception. */
export function ErrorPage() {
  const text = useText({ states }).pageError
  usePageTitle(text.title)
  return (
    <ErrorState sentence={text.heading} hint={text.lead}>
      <Button tone="primary" large onClick={() => window.location.reload()}>
        {text.reload}
      </Button>
    </ErrorState>
  )
}
