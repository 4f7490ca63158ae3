import { Check, TriangleAlert } from 'lucide-react'
import { useText } from '../lib/i18n.tsx'
import type { TemporaryMessage } from '../lib/temporary-message.ts'
import { states } from '../messages/en/states.ts'

interface Props {
  message: TemporaryMessage | null
  saving?: boolean
}

/** The outcome of a change, below its control. Screen readers announce it. */
export function SaveStatus({ message, saving = false }: Props) {
  const text = useText({ states })
  const Icon = message?.tone === 'bad' ? TriangleAlert : Check
  return (
    <output className="switch__note">
      {saving && (
        <span className="save-status save-status--saving">
          <span className="spin" aria-hidden="true" />
          {text.saving}
        </span>
      )}
      {!saving && message && (
        <span className={message.tone === 'bad' ? 'save-status save-status--bad' : 'save-status'}>
          <Icon className="icon" />
          {message.text}
        </span>
      )}
    </output>
  )
}
