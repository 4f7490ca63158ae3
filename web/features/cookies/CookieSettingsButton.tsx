import { Cookie } from 'lucide-react'
import { useText } from '../../lib/i18n.tsx'
import { frame } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'

/** What remains of the notice: where the choice can be changed. */
export function CookieSettingsButton({ onOpen }: { onOpen: () => void }) {
  const text = useText({ frame })
  return (
    <Button className="cookie-settings-button" icon aria-label={text.cookieSettings} onClick={onOpen}>
      <Cookie className="icon" />
    </Button>
  )
}
