import { adminLimits } from '@keepsnap/contract/limits.ts'
import { hideReportedPhoto, showReportedPhoto } from '@keepsnap/contract/operator-photos.ts'
import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { operator } from '../../messages/en/operator.ts'
import { TextAreaField } from '../../ui/TextAreaField.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { ConfirmedAction } from './ConfirmedAction.tsx'

interface Props {
  report: PhotoReport
  onClose: () => void
}

/** Hides a reported photo, or shows one again that an operator hid, with a message to its owner. */
export function ReportedPhotoDialog({ report: { photo, hidden_by_operator: shows }, onClose }: Props) {
  const { actions } = useText({ operator })
  const api = useApi()
  const toast = useToast()
  const [message, setMessage] = useState('')
  const { id, filename } = photo
  const text = shows ? actions.show : actions.hide
  return (
    <ConfirmedAction
      title={text.title}
      question={text.question(filename)}
      submit={text.submit}
      danger={!shows}
      act={(reason) =>
        api.call(shows ? showReportedPhoto : hideReportedPhoto, {
          params: { id },
          body: { reason, ...(message.trim() && { message: message.trim() }) },
        })
      }
      onDone={() => {
        onClose()
        toast({ text: text.done(filename) })
      }}
      onClose={onClose}
    >
      {() => (
        <TextAreaField
          label={actions.message}
          name="message"
          rows={3}
          value={message}
          maxLength={adminLimits.messageChars}
          dir="auto"
          onChange={({ target }) => setMessage(target.value)}
        >
          <p className="tiny muted">{text.hint}</p>
        </TextAreaField>
      )}
    </ConfirmedAction>
  )
}
