import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { EyeOff, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { reports as messages } from '../../messages/en/reports.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { useOpenReport } from './useOpenReport.ts'
import './report-notice.css'

/** A card over every page while a reported photo needs a review. It moves nothing, and can wait until the next report. */
export function ReportNotice({ onDecided }: { onDecided: (report: PhotoReport) => void }) {
  const text = useText({ reports: messages })
  const media = useMediaUrl()
  const open = useOpenReport(onDecided)
  const [dismissedAt, setDismissedAt] = useState('')
  if (!open) return null
  const { report, count, hide, hiding } = open
  const { photo, reports } = report
  const newestAt = reports[0]?.reported_at ?? ''
  if (newestAt <= dismissedAt) return null
  const thumbnailUrl = photo.thumbnail_url && media(photo.thumbnail_url)
  const reasons = [...new Set(reports.map(({ reason }) => text.reasons[reason]))]
  return (
    <section className="report-notice" aria-label={text.notice.label}>
      {thumbnailUrl && <img src={thumbnailUrl} width="56" height="56" alt="" />}
      <div className="report-notice__text" role="alert">
        <b>{text.notice.heading}</b>
        <p className="small">
          {reasons[0]}
          {count > 1 && <span className="muted"> {text.notice.more(count - 1)}</span>}
        </p>
      </div>
      <Button
        className="report-notice__dismiss"
        tone="ghost"
        icon
        aria-label={text.notice.dismiss}
        onClick={() => setDismissedAt(newestAt)}
      >
        <X className="icon" />
      </Button>
      <div className="report-notice__actions">
        <Button tone="danger" busy={hiding} onClick={hide}>
          {!hiding && <EyeOff className="icon" />}
          {text.hide}
        </Button>
        <Link className={buttonClass({})} to={paths.photoRequests}>
          {text.notice.review}
        </Link>
      </div>
    </section>
  )
}
