import { TriangleAlert } from 'lucide-react'
import type { GuestReport } from '@keepsnap/contract/rendering.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { guest } from '../messages/en/guests.ts'
import { useText } from '../lib/i18n.tsx'

interface Props {
  /** `callsPath` of the photo. */
  path: string
  report: GuestReport
  /** It was sent without a reason, with this note. */
  withoutReason?: { note: string }
}

/** The form to report a photo. It says itself that a reason is missing, instead of the browser. */
export function ReportForm({ path, report, withoutReason }: Props) {
  const text = useText({ guest }).report
  const isReasonMissing = withoutReason !== undefined
  return (
    <form className="stack report__form" method="post" action={report.action} noValidate data-report={`${path}/report`}>
      <fieldset aria-describedby="reason-error">
        <legend>{text.heading}</legend>
        {report.reasons.map((reason, at) => (
          <label key={reason} className="report__reason">
            <input
              type="radio"
              name="reason"
              value={reason}
              required
              // Without JavaScript, this moves the focus to what is missing.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus={isReasonMissing && at === 0}
            />
            {text.reasons[reason]}
          </label>
        ))}
        <div className="field">
          <p className="error" id="reason-error" role="alert" hidden={!isReasonMissing}>
            <TriangleAlert className="icon" />
            <span>{text.choose}</span>
          </p>
        </div>
      </fieldset>
      <div className="field">
        <label htmlFor="note">{text.note}</label>
        <textarea
          className="input"
          id="note"
          name="note"
          translate="no"
          rows={2}
          maxLength={limits.reportNoteChars}
          defaultValue={withoutReason?.note}
        />
      </div>
      <div className="guest__problem" hidden data-problem tabIndex={-1}>
        <Note tone="bad">{text.failed}</Note>
      </div>
      <button className={buttonClass({ tone: 'quiet', block: true })} data-busy={text.sending}>
        <span data-label>{text.send}</span>
      </button>
    </form>
  )
}

/** "Report this photo": a link that opens the form. */
export function Report({ path, report }: Omit<Props, 'withoutReason'>) {
  const text = useText({ guest }).report
  return (
    <details className="report">
      <summary>{text.open}</summary>
      <ReportForm path={path} report={report} />
      <div hidden className="report__thanks" data-thanks tabIndex={-1}>
        <Note tone="ok">
          <b>{text.thanks}</b>
          <br />
          {text.thanksLead}
        </Note>
      </div>
    </details>
  )
}
