import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { resendFailedRequests } from '@keepsnap/contract/requests.ts'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { refusalMessage } from '../../lib/error-message.ts'
import type { Format } from '../../lib/format.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import type { Catalogue } from '../../messages/en.ts'
import { requests as messages } from '../../messages/en/requests.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useResendFailed } from './queries.ts'

/** What became of the failed emails, in sentences. */
export function resentSentence(
  resent: Reply<typeof resendFailedRequests>,
  { resendFailed }: Catalogue['requests'],
  format: Format,
): string {
  const parts = (['queued', 'waiting', 'refused', 'left'] as const)
    .filter((part) => resent[part] > 0)
    .map((part) => resendFailed[part](resent[part], format.count(resent[part])))
  return parts.join(' ') || resendFailed.none
}

/** Sends all failed emails again, after a question with their number. */
export function ResendFailed({ count }: { count: number }) {
  const text = useText({ requests: messages })
  const format = useFormat()
  const toast = useToast()
  const [isOpen, setIsOpen] = useState(false)
  const { mutate, isPending, error, reset } = useResendFailed()
  const close = (): void => {
    setIsOpen(false)
    reset()
  }
  if (count === 0 && !isOpen) return null
  const { title, question, details, confirm } = text.resendFailed
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <RotateCw className="icon" />
        {text.resendAll}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={title}
        question={question(count, format.count(count))}
        details={<p className="small muted">{details}</p>}
        confirm={confirm}
        tone="primary"
        busy={isPending}
        problem={error && refusalMessage(error, text.errors.resendAll)}
        onClose={close}
        onConfirm={() =>
          mutate(undefined, {
            onSuccess(resent) {
              const isTold = resent.refused > 0 || resent.left > 0
              toast({ text: resentSentence(resent, text, format), tone: isTold ? 'bad' : 'ok' })
              close()
            },
          })
        }
      />
    </>
  )
}
