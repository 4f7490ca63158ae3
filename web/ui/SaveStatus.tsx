import { Check, TriangleAlert } from 'lucide-react'
import type { TemporaryMessage } from '../lib/temporary-message.ts'

/** The outcome of a change, below its control. Screen readers announce it. */
export function SaveStatus({ message }: { message: TemporaryMessage | null }) {
  const Icon = message?.tone === 'bad' ? TriangleAlert : Check
  return (
    <output className="switch__note">
      {message && (
        <span className={message.tone === 'bad' ? 'save-status save-status--bad' : 'save-status'}>
          <Icon className="icon" />
          {message.text}
        </span>
      )}
    </output>
  )
}
