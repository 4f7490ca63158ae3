import { Check, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../lib/i18n.tsx'
import type { TemporaryMessage } from '../lib/temporary-message.ts'
import { states } from '../messages/en/states.ts'

interface Props {
  message: TemporaryMessage | null
  saving?: boolean
}

/**
 * The outcome of a change, below its control. Screen readers announce it. Its line stays when the message disappears, so
 * that what the user is about to press does not move.
 */
export function SaveStatus({ message, saving = false }: Props) {
  const text = useText({ states })
  const [wasShown, setWasShown] = useState(false)
  if (!wasShown && (saving || message)) setWasShown(true)
  const Icon = message?.tone === 'bad' ? TriangleAlert : Check
  return (
    <output className={wasShown ? 'switch__note switch__note--kept' : 'switch__note'}>
      {saving && (
        <span className="save-status save-status--saving">
          <span className="spin" aria-hidden="true" />
          {text.saving}
        </span>
      )}
      {!saving && message && (
        <span className={message.tone === 'bad' ? 'save-status save-status--bad' : 'save-status'}>
          <Icon className="icon" />
          <span>{message.text}</span>
        </span>
      )}
    </output>
  )
}
