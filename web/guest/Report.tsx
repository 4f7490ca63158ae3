import type { GuestReport } from '@keepsnap/contract/guest.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import { buttonClass } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'

/** The form to report a photo; `isReasonMissing` after it was sent without a reason. */
export function ReportForm({
  id,
  report,
  isReasonMissing,
}: {
  id: string
  report: GuestReport
  isReasonMissing?: boolean
}) {
  const text = useText({ guest }).report
  return (
    <form
      className="stack report__form"
      method="post"
      action={report.action}
      data-report={`/photos/${encodeURIComponent(id)}/report`}
    >
      <fieldset>
        <legend>{text.heading}</legend>
        {report.reasons.map((reason) => (
          <label key={reason} className="report__reason">
            <input type="radio" name="reason" value={reason} required />
            {text.reasons[reason]}
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor="note">{text.note}</label>
        <textarea className="input" id="note" name="note" rows={2} maxLength={limits.reportNoteChars} />
      </div>
      <div className="guest__problem" hidden={!isReasonMissing} data-problem tabIndex={-1}>
        <Note tone="bad">{isReasonMissing ? text.choose : text.failed}</Note>
      </div>
      <button className={buttonClass({ tone: 'quiet', block: true })} data-busy={text.sending}>
        <span data-label>{text.send}</span>
      </button>
    </form>
  )
}

/** "Report this photo": a link that opens the form. */
export function Report({ id, report }: { id: string; report: GuestReport }) {
  const text = useText({ guest }).report
  return (
    <details className="report">
      <summary>{text.open}</summary>
      <ReportForm id={id} report={report} />
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
